import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { loadPeer } from "../turn/mastra-memory.ts";
import { type RecallContender, saidBy } from "./contender.ts";
import type { SharedEmbedder } from "./remembering-embedder.ts";

// What is used of the peer: it is no dependency, so its own types aren't at hand.
interface Mem0 {
  add(
    messages: { role: string; content: string }[],
    config: { userId: string; infer: boolean },
  ): Promise<{ results: { id: string }[] }>;
  search(query: string, config: { filters: { user_id: string }; topK: number }): Promise<{ results: { id: string }[] }>;
  embedder: { embed(text: string): Promise<number[]>; embedBatch(texts: string[]): Promise<number[][]> };
}
interface Mem0Module {
  Memory: new (config: unknown) => Mem0;
}

/** mem0's open-source memory on its own files. It keeps each message as it is: no model is asked. */
export function mem0(name: string, embedder: SharedEmbedder, peers: string, folder: string): RecallContender {
  return {
    name,
    async tell({ id: userId, said }) {
      process.env.MEM0_TELEMETRY = "false";
      const { Memory } = await loadPeer<Mem0Module>(peers, "mem0ai/oss");
      const directory = mkdtempSync(join(folder, "mem0-"));
      const connection = { apiKey: "none", baseURL: "http://localhost:1", model: "none" };
      const memory = new Memory({
        historyDbPath: join(directory, "history.db"),
        embedder: { provider: "openai", config: { ...connection, embeddingDims: embedder.dimensions } },
        vectorStore: {
          provider: "memory",
          config: { collectionName: "peers", dimension: embedder.dimensions, dbPath: join(directory, "vectors.db") },
        },
        llm: { provider: "openai", config: connection },
      });
      memory.embedder.embed = embedder.vectorOf;
      memory.embedder.embedBatch = (texts) => Promise.all(texts.map(embedder.vectorOf));
      const messageOf = new Map<string, string>();
      for (const { messages } of said) {
        for (const message of messages) {
          const { results } = await memory.add([{ role: message.role, content: saidBy(message) }], {
            userId,
            infer: false,
          });
          for (const { id } of results) messageOf.set(id, message.id);
        }
      }
      return {
        async ask(question, k) {
          const { results } = await memory.search(question, { filters: { user_id: userId }, topK: k });
          return results.flatMap(({ id }) => messageOf.get(id) ?? []);
        },
        close: async () => rmSync(directory, { recursive: true }),
      };
    },
  };
}
