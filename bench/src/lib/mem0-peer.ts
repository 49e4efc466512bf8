import { join } from "node:path";
import { loadPeer } from "../turn/mastra-memory.ts";

// What is used of the peer: it is no dependency, so its own types aren't at hand.
interface Mem0 {
  add(
    messages: { role: string; content: string }[],
    config: { userId: string; infer: boolean },
  ): Promise<{ results: { id: string }[] }>;
  search(
    query: string,
    config: { filters: { user_id: string }; topK: number; threshold?: number },
  ): Promise<{ results: { id: string }[] }>;
}
interface Embedding {
  embedder: { embed(text: string): Promise<number[]>; embedBatch(texts: string[]): Promise<number[][]> };
}
interface Mem0Module {
  Memory: new (config: unknown) => Mem0 & Embedding;
}

/** mem0's open-source memory on files of its own in a directory, with vectors that are given: no model is asked. */
export async function openMem0(
  peers: string,
  directory: string,
  { dimensions, vectorOf }: { dimensions: number; vectorOf(text: string): number[] | Promise<number[]> },
): Promise<Mem0> {
  process.env.MEM0_TELEMETRY = "false";
  const { Memory } = await loadPeer<Mem0Module>(peers, "mem0ai/oss");
  const connection = { apiKey: "none", baseURL: "http://localhost:1", model: "none" };
  const memory = new Memory({
    historyDbPath: join(directory, "history.db"),
    embedder: { provider: "openai", config: { ...connection, embeddingDims: dimensions } },
    vectorStore: {
      provider: "memory",
      config: { collectionName: "bench", dimension: dimensions, dbPath: join(directory, "vectors.db") },
    },
    llm: { provider: "openai", config: connection },
  });
  memory.embedder.embed = async (text) => vectorOf(text);
  memory.embedder.embedBatch = (texts) => Promise.all(texts.map(vectorOf));
  return memory;
}
