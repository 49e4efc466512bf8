import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { openRecalling } from "../lib/mastra-peer.ts";
import type { SharedEmbedder } from "../lib/remembering-embedder.ts";
import { loadPeer, type PeerStore } from "../turn/mastra-memory.ts";
import { type RecallContender, saidBy } from "./contender.ts";

// What is used of the peer: it is no dependency, so its own types aren't at hand.
interface VectorStore {
  query(input: object): Promise<{ metadata?: { message_id?: string } }[]>;
  close?(): Promise<void>;
}
interface LibsqlModule {
  LibSQLStore: new (options: { id: string; url: string }) => PeerStore;
  LibSQLVector: new (options: { id: string; url: string }) => VectorStore;
}

/**
 * Mastra's memory on libSQL with semantic recall over the resource. What it recalls it answers by time: the order of its
 * vector store is taken as its ranking.
 */
export function mastra(
  name: string,
  embedder: SharedEmbedder,
  peers: string,
  folder: string,
  most: number,
): RecallContender {
  return {
    name,
    async tell({ id: resourceId, said }) {
      const { LibSQLStore, LibSQLVector } = await loadPeer<LibsqlModule>(peers, "@mastra/libsql");
      const directory = mkdtempSync(join(folder, "mastra-"));
      const storage = new LibSQLStore({ id: "storage", url: `file:${join(directory, "storage.db")}` });
      await storage.init();
      const vector = new LibSQLVector({ id: "vector", url: `file:${join(directory, "vector.db")}` });
      let ranking: string[] = [];
      const query = vector.query.bind(vector);
      vector.query = async (input) => {
        const found = await query(input);
        ranking = found.flatMap(({ metadata }) => metadata?.message_id ?? []);
        return found;
      };
      const memory = await openRecalling(peers, {
        storage,
        vector,
        modelId: embedder.modelId,
        vectorOf: embedder.vectorOf,
        most,
        options: { lastMessages: false },
      });
      const threads = Map.groupBy(said, ({ conversation }) => conversation);
      for (const [conversation, turns] of threads) {
        const threadId = `${resourceId}/${conversation}`;
        const now = new Date(turns[0]?.at ?? 0);
        await memory.saveThread({ thread: { id: threadId, title: "", resourceId, createdAt: now, updatedAt: now } });
        const spoken = turns.flatMap(({ at, messages }) => messages.map((message) => ({ at, message })));
        const messages = spoken.map(({ at, message }, index) => ({
          id: message.id,
          threadId,
          resourceId,
          // The sets know no other roles.
          role: message.role as "user" | "assistant",
          // It finds a message again by its time, so no two may have the same.
          createdAt: new Date(Date.parse(at) + index),
          content: { format: 2 as const, parts: [{ type: "text" as const, text: saidBy(message) }] },
        }));
        await memory.saveMessages({ messages });
      }
      const threadId = `${resourceId}/${said[0]?.conversation}`;
      return {
        async ask(question, k) {
          ranking = [];
          const { messages } = await memory.recall({ threadId, resourceId, vectorSearchString: question });
          const recalled = new Set(messages.map(({ id }) => id));
          return [...new Set(ranking)].filter((id) => recalled.has(id)).slice(0, k);
        },
        async close() {
          await vector.close?.();
          await storage.close?.();
          rmSync(directory, { recursive: true });
        },
      };
    },
  };
}
