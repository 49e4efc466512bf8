import { InMemoryStore } from "@langchain/langgraph-checkpoint";
import type { SharedEmbedder } from "../lib/remembering-embedder.ts";
import { type RecallContender, saidBy } from "./contender.ts";

/** LangGraph's store in memory with an index by meaning: one item for each message. */
export function langgraph(name: string, embedder: SharedEmbedder): RecallContender {
  return {
    name,
    async tell({ id: subject, said }) {
      const embeddings = {
        embedQuery: embedder.vectorOf,
        embedDocuments: (texts: string[]) => Promise.all(texts.map(embedder.vectorOf)),
      };
      // Two methods of the interface are used.
      const index = { dims: embedder.dimensions, embeddings: embeddings as never, fields: ["text"] };
      const store = new InMemoryStore({ index });
      for (const { messages } of said) {
        for (const message of messages) await store.put([subject], message.id, { text: saidBy(message) });
      }
      return {
        async ask(question, k) {
          const found = await store.search([subject], { query: question, limit: k });
          return found.map(({ key }) => key);
        },
        close: async () => store.stop(),
      };
    },
  };
}
