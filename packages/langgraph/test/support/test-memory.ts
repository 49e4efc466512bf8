import {
  type Conversation,
  createMemory,
  inMemoryStore,
  type MemoryOptions,
  type MemoryStore,
  type Message,
  type Turn,
} from "@throughline/core";

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
  return turns.filter(({ hidden }) => !hidden).map(({ status, messages }) => ({ status, lines: messages.map(line) }));
}

function line({ role, parts }: Message): string {
  const shown = parts.map((part) => {
    switch (part.type) {
      case "text":
        return part.text;
      case "reasoning":
        return `(${part.text})`;
      case "tool-call":
        return `${part.tool}#${part.callId}`;
      case "tool-result":
        return `#${part.callId}${part.isError ? "!" : ""}=${JSON.stringify(part.output)}`;
      case "approval":
        return `${part.state}#${part.callId}`;
      default:
        return part.type;
    }
  });
  return `${role}: ${shown.join(" ")}`;
}
