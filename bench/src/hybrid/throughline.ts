import { existsSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { createMemory, type Memory, type MemoryStore, type OpenTurn } from "@throughline/core";
import { sqliteStore } from "@throughline/store-sqlite";
import { fakeEmbedder } from "../lib/fake-embedder.ts";
import { cacheFolder, fingerprint } from "../lib/folders.ts";
import { corpusTexts } from "../search/corpus.ts";
import type { Contender } from "../turn/contender.ts";
import { fillMemory } from "../turn/throughline.ts";
import { AGENT, conversationId, createWorkload, subjectId, textsOf, type Workload } from "../turn/workload.ts";

/** Messages recalled in a turn. */
export const TOP = 4;

/** What a turn's conversations are about: words as unevenly spread as in a language. */
export const hybridWorkload = (options: { seed: number; messages: number }): Workload => ({
  ...createWorkload(options),
  texts: corpusTexts,
});

/** The texts are of a date that their vectors would be too old by. */
const POLICY = { retention: { vectors: "forever" } } as const;

/** Questions and vectors are drawn at random: with floors most would rightly be answered with nothing. */
const FLOORS = { keywordFloor: 0, semanticFloor: 0 } as const;

/** Sources that say what the file holds. */
const FORMAT = [
  "packages/store-sqlite/src/migrations.ts",
  "packages/store-sqlite/src/turn-body.ts",
  "packages/store-sqlite/src/heap.ts",
  "packages/store-sqlite/src/keyword/posting-blocks.ts",
  "packages/store-sqlite/src/vectors/vector-body.ts",
  "packages/core/src/store-kit/vectors/code-run.ts",
  "packages/core/src/search/keyword-documents.ts",
  "packages/core/src/search/terms.ts",
  "bench/src/lib/fake-embedder.ts",
  "bench/src/turn/workload.ts",
  "bench/src/search/corpus.ts",
];

/** Fills a store with the whole workload, indexed and embedded. */
export async function fillHybrid(store: MemoryStore, workload: Workload): Promise<void> {
  await fillMemory(store, workload);
  const memory = createMemory({ agent: AGENT, store, embedder: fakeEmbedder(), policy: POLICY, env: {} });
  while ((await memory.sweep({ limit: 200 })).conversations > 0);
}

/** The memory's file, built once by the memory itself, and its size. */
export async function hybridFile(workload: Workload): Promise<{ path: string; megabytes: number }> {
  const path = join(cacheFolder(), `hybrid-${fingerprint(FORMAT, workload.messages, workload.seed)}.db`);
  if (!existsSync(path)) {
    const draft = `${path}.draft`;
    for (const end of ["", "-wal", "-shm", ".secret"]) rmSync(`${draft}${end}`, { force: true });
    const store = sqliteStore({ path: draft, cacheBytes: 256 * 1024 * 1024 });
    await fillHybrid(store, workload);
    await store.close();
    renameSync(draft, path);
  }
  return { path, megabytes: statSync(path).size / 2 ** 20 };
}

/** A turn with recall: what it begins with and what is near the question at once, then two messages. */
export function hybridTurns(
  name: string,
  store: MemoryStore,
  workload: Workload,
  { indexesInside }: { indexesInside: boolean },
): Contender {
  const memory: Memory = createMemory({
    agent: AGENT,
    store,
    embedder: fakeEmbedder(),
    policy: POLICY,
    ...FLOORS,
    env: {},
  });
  const text = textsOf(workload, 1);
  let open: OpenTurn | undefined;
  let unsettled = 0;
  const settle = async (): Promise<number> => {
    await memory.settled();
    const settled = unsettled;
    unsettled = 0;
    return settled;
  };
  return {
    name,
    async read(conversation) {
      const [id, subject] = [conversationId(conversation), subjectId(workload, conversation)];
      const question = text();
      const [turn, found] = await Promise.all([
        memory.conversation({ id, subject }).begin({ messages: [{ role: "user", content: question }] }),
        memory.subject(subject).search(question, { k: TOP }),
      ]);
      if (turn.degraded || found.hits.length !== TOP) throw new Error(`${found.hits.length} messages were recalled.`);
      open = turn;
      return turn.messages.length - 1;
    },
    async write() {
      const outcome = await open?.complete([{ role: "assistant", content: text() }]);
      if (outcome?.status !== "stored") throw new Error(`The turn was not stored: ${JSON.stringify(outcome)}`);
      unsettled += 2;
      if (indexesInside) await settle();
    },
    ...(indexesInside ? {} : { settle }),
    close: () => memory.close(),
  };
}
