import {
  type Conversation,
  createMemory,
  inMemoryStore,
  type MemoryOptions,
  type MemoryStore,
  type Turn,
} from "@throughline/core";
import { messageLine } from "@throughline/testkit";
import { tool } from "ai";
import { z } from "zod";

/** A memory of one agent and a conversation of one person in it. */
export function testMemory(
  store: MemoryStore = inMemoryStore(),
  options: Pick<MemoryOptions, "strict" | "onEvent"> = {},
) {
  const memory = createMemory({ agent: "guide", store, env: {}, onEvent: () => {}, ...options });
  return { memory, store, conversation: memory.conversation({ id: "chat", subject: "ada" }) };
}

/** The turns, each message as one short line. */
export async function recorded(conversation: Conversation): Promise<{ status: Turn["status"]; lines: string[] }[]> {
  const { turns } = await conversation.transcript();
  return turns.map(({ status, messages }) => ({ status, lines: messages.map(messageLine) }));
}

/** Tools for scripts: one that answers, one that throws, one that waits for the client. */
export const tools = {
  weather: tool({ inputSchema: z.object({ city: z.string() }), execute: ({ city }) => `sunny in ${city}` }),
  broken: tool({
    inputSchema: z.object({}),
    execute: (): string => {
      throw new Error("no such city");
    },
  }),
  confirm: tool({ inputSchema: z.object({ question: z.string() }), outputSchema: z.string() }),
};
