import {
  type Conversation,
  createMemory,
  inMemoryStore,
  type MemoryOptions,
  type MemoryStore,
  type Turn,
} from "@throughline/core";
import { messageLine } from "@throughline/testkit";

/** A memory of one agent and a conversation of one person in it. */
export function testMemory(
  store: MemoryStore = inMemoryStore(),
  options: Pick<MemoryOptions, "strict" | "onEvent" | "policy"> = {},
) {
  const memory = createMemory({ agent: "guide", store, env: {}, onEvent: () => {}, ...options });
  return { memory, store, conversation: memory.conversation({ id: "chat", subject: "ada" }) };
}

/** A turn as it was recorded, each message as one short line. */
export interface RecordedTurn {
  status: Turn["status"];
  lines: string[];
}

/** The turns that are not hidden. */
export async function recorded(conversation: Conversation): Promise<RecordedTurn[]> {
  const { turns } = await conversation.transcript();
  return turns.filter(({ hidden }) => !hidden).map(({ status, messages }) => ({ status, lines: messages.map(lineOf) }));
}

/** Without the names, which here are those of tools. */
const lineOf = ({ role, parts }: Turn["messages"][number]): string => messageLine({ role, parts });
