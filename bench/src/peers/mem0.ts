import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { openMem0 } from "../lib/mem0-peer.ts";
import type { SharedEmbedder } from "../lib/remembering-embedder.ts";
import { type RecallContender, saidBy } from "./contender.ts";

/** mem0's open-source memory on its own files. It keeps each message as it is: no model is asked. */
export function mem0(name: string, embedder: SharedEmbedder, peers: string, folder: string): RecallContender {
  return {
    name,
    async tell({ id: userId, said }) {
      const directory = mkdtempSync(join(folder, "mem0-"));
      const memory = await openMem0(peers, directory, embedder);
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
