import { createMemory, type Embedder, type Memory, type MemoryStore } from "@throughline/core";
import type { Story } from "./question-set.ts";

/** Records stories through the public calls, and waits until they are indexed. Each is a subject of its own. */
export async function tellStories(store: MemoryStore, stories: readonly Story[], embedder?: Embedder): Promise<void> {
  const memory = openMemory(store, embedder === undefined ? {} : { embedder });
  for (const { id: subject, said } of stories) {
    let last: string | undefined;
    for (const { conversation, turn, at, messages } of said) {
      // One conversation after the other, as in life: what is due doesn't pile up.
      if (last !== conversation) await memory.settled();
      last = conversation;
      const outcome = await memory
        .conversation({ id: conversation, subject })
        .record({ id: turn, startedAt: at, messages: [...messages] });
      if (outcome.status !== "stored") throw new Error(`The turn ${turn} of ${subject} was ${outcome.status}.`);
    }
    await memory.settled();
  }
}

/** A memory over a store that stays open. */
export const openMemory = (store: MemoryStore, options: { embedder?: Embedder; keywordFloor?: number } = {}): Memory =>
  createMemory({ agent: "recall", env: {}, store, policy: { enabled: true }, ...options });
