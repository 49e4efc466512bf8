import { loadPeer, type PeerMemory, type PeerStore } from "../turn/mastra-memory.ts";

// What is used of the peer: it is no dependency, so its own types aren't at hand.
export interface RecallingMemory extends PeerMemory {
  recall(input: {
    threadId: string;
    resourceId: string;
    vectorSearchString?: string;
  }): Promise<{ messages: { id: string }[] }>;
}
interface MemoryModule {
  Memory: new (options: unknown) => RecallingMemory;
}

/** Vectors that are given, in the form in which the AI SDK gives an embedder's. */
const embedderOf = (modelId: string, vectorOf: (text: string) => number[] | Promise<number[]>): object => ({
  specificationVersion: "v2",
  provider: "bench",
  modelId,
  maxEmbeddingsPerCall: 10_000,
  supportsParallelCalls: true,
  doEmbed: async ({ values }: { values: string[] }) => ({
    embeddings: await Promise.all(values.map(vectorOf)),
    usage: { tokens: 0 },
  }),
});

/**
 * Mastra's memory on one of its stores, with semantic recall over the resource from one of its vector stores, and vectors that
 * are given. `options` are its own beside that.
 */
export async function openRecalling(
  peers: string,
  {
    storage,
    vector,
    most,
    ...given
  }: {
    storage: PeerStore;
    vector: object;
    modelId: string;
    vectorOf(text: string): number[] | Promise<number[]>;
    /** How many it recalls. */
    most: number;
    options: object;
  },
): Promise<RecallingMemory> {
  const { Memory } = await loadPeer<MemoryModule>(peers, "@mastra/memory");
  return new Memory({
    storage,
    vector,
    embedder: embedderOf(given.modelId, given.vectorOf),
    options: { ...given.options, semanticRecall: { topK: most, messageRange: 0, scope: "resource" } },
  });
}
