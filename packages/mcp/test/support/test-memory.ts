import {
  type Conversation,
  createMemory,
  inMemoryStore,
  type MemoryOptions,
  type MemoryStore,
} from "@throughline/core";
import { onTestFinished } from "vitest";

/** A memory of one agent, closed with the test. */
export function testMemory(store: MemoryStore = inMemoryStore(), options: Partial<MemoryOptions> = {}) {
  const memory = createMemory({ agent: "guide", store, env: {}, onEvent: () => {}, ...options });
  onTestFinished(() => memory.close());
  return memory;
}

/** Records one exchange. */
export async function say(conversation: Conversation, question: string, answer = "I see."): Promise<void> {
  await conversation.record({
    messages: [
      { role: "user", content: question },
      { role: "assistant", content: answer },
    ],
  });
}
