import type pg from "pg";
import { TOP } from "../hybrid/throughline.ts";
import { FAKE_DIMENSIONS, fakeVectors } from "../lib/fake-embedder.ts";
import { quietPool } from "../lib/quiet-pool.ts";
import type { Contender } from "../turn/contender.ts";
import { loadPeer } from "../turn/mastra-memory.ts";
import { subjectId, textsOf, type Workload } from "../turn/workload.ts";
import { CONNECTIONS } from "./throughline.ts";

// What is used of the peer: it is no dependency, so its own types aren't at hand.
interface PeerStore {
  core: { pool: pg.Pool };
  setup(): Promise<void>;
  put(namespace: string[], key: string, value: { text: string }): Promise<void>;
  search(namespace: string[], options: { query: string; limit: number; mode: "vector" }): Promise<unknown[]>;
  stop(): Promise<void>;
}
interface PeerModule {
  PostgresStore: new (options: unknown) => PeerStore;
}

export const LANGGRAPH_SCHEMA = "langgraph";

async function open(folder: string, url: string): Promise<PeerStore> {
  const { PostgresStore } = await loadPeer<PeerModule>(folder, "@langchain/langgraph-checkpoint-postgres/store");
  const vectorOf = fakeVectors();
  const store = new PostgresStore({
    connectionOptions: { connectionString: url, max: CONNECTIONS },
    schema: LANGGRAPH_SCHEMA,
    index: {
      dims: FAKE_DIMENSIONS,
      fields: ["text"],
      embed: {
        embedQuery: async (text: string) => Array.from(vectorOf(text)),
        embedDocuments: async (texts: string[]) => texts.map((text) => Array.from(vectorOf(text))),
      },
    },
  });
  quietPool(store.core.pool);
  return store;
}

const namespace = (subject: string) => ["memories", subject];

/** Puts every message of the workload, as the peer does it. */
export async function fillLanggraph(folder: string, url: string, workload: Workload): Promise<void> {
  const store = await open(folder, url);
  await store.setup();
  const text = textsOf(workload);
  const perSubject = workload.messages / workload.subjects;
  for (let index = 0; index < workload.subjects; index++) {
    for (let message = 0; message < perSubject; message += CONNECTIONS) {
      const puts = Array.from({ length: Math.min(CONNECTIONS, perSubject - message) }, () =>
        store.put(namespace(subjectId(workload, index)), crypto.randomUUID(), { text: text() }),
      );
      await Promise.all(puts);
    }
  }
  await store.stop();
}

/** LangGraph's store on PostgreSQL: put and search by meaning, no history. The schema is there. */
export async function langgraphHybrid(
  name: string,
  folder: string,
  url: string,
  workload: Workload,
): Promise<Contender> {
  const store = await open(folder, url);
  // It looks for its tables once.
  await store.setup();
  const next = textsOf(workload, 1);
  return {
    name,
    async read(conversation) {
      const subject = namespace(subjectId(workload, conversation));
      const found = await store.search(subject, { query: next(), limit: TOP, mode: "vector" });
      // Its index is everybody's: a filter may leave fewer than were asked for.
      if (found.length > TOP) throw new Error(`The peer found ${found.length}.`);
      return 20;
    },
    async write(conversation) {
      const subject = namespace(subjectId(workload, conversation));
      for (const content of [next(), next()]) await store.put(subject, crypto.randomUUID(), { text: content });
    },
    close: () => store.stop(),
  };
}
