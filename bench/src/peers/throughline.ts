import { createMemory, type Embedder } from "@throughline/core";
import { sqliteStore } from "@throughline/store-sqlite";
import { tellStories } from "../recall/tell-stories.ts";
import type { RecallContender } from "./contender.ts";

/** Our memory on SQLite, as it comes; by words alone without an embedder. */
export function throughline(name: string, embedder?: Embedder): RecallContender {
  return {
    name,
    async tell(story) {
      const store = sqliteStore({ path: ":memory:" });
      await tellStories(store, [story], embedder);
      const model = embedder === undefined ? {} : { embedder };
      const memory = createMemory({ agent: "recall", env: {}, store, policy: { enabled: true }, ...model });
      return {
        async ask(question, k) {
          const { hits } = await memory.search(question, { subject: story.id, k });
          return hits.map(({ message }) => message.id);
        },
        async close() {
          await memory.close();
          await store.close();
        },
      };
    },
  };
}
