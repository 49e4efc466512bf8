import { countMessages, messageTokens } from "../src/conversation/message-text.ts";
import type { Memory, MemoryEvent, MemoryOptions, Part, Role, TurnRow, TurnStatus } from "../src/index.ts";
import { createMemory, inMemoryStore, MemoryError } from "../src/index.ts";
import { roughTokens } from "../src/text/tokens.ts";

/** A memory over the in-memory store, with a clock that moves one second a look and counted ids. */
export function testMemory(options: MemoryOptions = {}): {
  memory: Memory;
  events: MemoryEvent[];
  tick(ms: number): void;
} {
  const events: MemoryEvent[] = [];
  let now = Date.parse("2026-03-01T09:00:00.000Z");
  let id = 0;
  const memory = createMemory({
    agent: "helper",
    store: inMemoryStore(),
    env: {},
    onEvent: (event) => events.push(event),
    clock: () => {
      now += 1_000;
      return new Date(now);
    },
    createId: () => `id-${String(++id).padStart(4, "0")}`,
    ...options,
  });
  return {
    memory,
    events,
    tick(ms) {
      now += ms;
    },
  };
}

export const user = (content: string) => ({ role: "user" as const, content });
export const assistant = (content: string) => ({ role: "assistant" as const, content });
export const call = (callId: string, tool = "lookup", input = "x"): Part => ({
  type: "tool-call",
  callId,
  tool,
  input,
});
export const result = (callId: string, output = "ok", tool = "lookup"): Part => ({
  type: "tool-result",
  callId,
  tool,
  output,
});

/** A stored turn of given messages, as a store would answer it. */
export function turnRow(
  seq: number,
  messages: readonly { role: Role; parts: Part[] }[],
  status: TurnStatus = "completed",
): TurnRow {
  const stored = messages.map((message, index) => ({
    ...message,
    id: `m${seq}-${index}`,
    createdAt: "2026-03-01T09:00:00.000Z",
  }));
  return {
    id: `t${seq}`,
    conversation: "c",
    seq,
    status,
    startedAt: "2026-03-01T09:00:00.000Z",
    messages: stored,
    counted: countMessages(stored),
    tokens: messageTokens(stored, roughTokens),
  };
}

/** The text of messages, for comparing. */
export const texts = (messages: readonly { parts: readonly Part[] }[]): string[] =>
  messages.map((message) =>
    message.parts.map((part) => (part.type === "text" ? part.text : `<${part.type}>`)).join(""),
  );

/** The code of the error that work ends with; `undefined` where it ends well. */
export async function codeOf(work: () => unknown): Promise<string | undefined> {
  try {
    await work();
  } catch (error) {
    return MemoryError.isInstance(error) ? error.code : `not a MemoryError: ${String(error)}`;
  }
  return undefined;
}
