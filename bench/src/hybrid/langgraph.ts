import { InMemoryStore } from "@langchain/langgraph-checkpoint";
import { FAKE_DIMENSIONS, fakeVectors } from "../lib/fake-embedder.ts";
import type { Contender } from "../turn/contender.ts";
import { subjectId, textsOf, type Workload } from "../turn/workload.ts";
import { TOP } from "./throughline.ts";

/** LangGraph's store in memory: put and search by meaning, nothing durable, no history. */
export async function langgraphStore(workload: Workload): Promise<Contender> {
  const vectorOf = fakeVectors();
  const embeddings = {
    embedQuery: async (text: string) => Array.from(vectorOf(text)),
    embedDocuments: async (texts: string[]) => texts.map((text) => Array.from(vectorOf(text))),
  };
  // Two methods of the interface are used.
  const index = { dims: FAKE_DIMENSIONS, embeddings: embeddings as never, fields: ["text"] };
  const store = new InMemoryStore({ index });
  const text = textsOf(workload);
  const namespace = (subject: string) => ["memories", subject];
  const put = async (subject: string, content: string) =>
    store.put(namespace(subject), crypto.randomUUID(), { text: content });
  const perSubject = workload.messages / workload.subjects;
  for (let subject = 0; subject < workload.subjects; subject++) {
    for (let message = 0; message < perSubject; message++) await put(subjectId(workload, subject), text());
  }
  const next = textsOf(workload, 1);
  return {
    name: "LangGraph InMemoryStore, nothing durable, no history",
    async read(conversation) {
      const subject = subjectId(workload, conversation);
      const found = await store.search(namespace(subject), { query: next(), limit: TOP });
      if (found.length !== TOP) throw new Error(`The peer found ${found.length}.`);
      return 20;
    },
    async write(conversation) {
      for (const content of [next(), next()]) await put(subjectId(workload, conversation), content);
    },
    close: () => undefined,
  };
}
