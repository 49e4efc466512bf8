import { existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { MemoryStore, VectorDocument } from "@throughline/core";
import { compareNear, dotProduct } from "@throughline/core/store-kit";
import { sqliteStore } from "@throughline/store-sqlite";
import { alternate, takenFigures, type Work } from "../lib/alternate.ts";
import { direction, FAKE_DIMENSIONS } from "../lib/fake-embedder.ts";
import { cacheFolder, fingerprint } from "../lib/folders.ts";
import type { Gate, ResultRow } from "../lib/result.ts";
import { median, medianRatio } from "../lib/statistics.ts";
import { AGENT } from "./keyword-files.ts";

const OWNER = { tenant: "default", agent: AGENT };
const MODEL = { modelId: "fake@1", dimensions: FAKE_DIMENSIONS };
const OF_CONVERSATION = 500;
const LIMIT = 10;
const WARM_MS: Record<number, number> = { 1000: 0.1, 10000: 0.6, 50000: 3 };
const COLD_MS: Record<number, number> = { 50000: 25 };

/** Vectors around some centres, as texts about some things are. */
const vectorOf = (seed: number, index: number): Float32Array => {
  const [centre, own] = [direction(seed * 1_000 + (index % 64) + 1), direction(seed * 1_000_003 + index * 7 + 1)];
  const vector = own.map((value, place) => value + 0.6 * (centre[place] ?? 0));
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
};

async function vectorFile(seed: number, sizes: readonly number[]): Promise<string> {
  const format = [
    "packages/store-sqlite/src/migrations.ts",
    "packages/store-sqlite/src/vectors/vector-body.ts",
    "packages/store-sqlite/src/vectors/vector-sets.ts",
    "packages/core/src/store-kit/vectors/code-run.ts",
    "bench/src/search/vectors.ts",
    "bench/src/lib/fake-embedder.ts",
  ];
  const path = join(cacheFolder(), `vectors-${fingerprint(format, seed, ...sizes)}.db`);
  if (existsSync(path)) return path;
  const draft = `${path}.draft`;
  for (const end of ["", "-wal", "-shm", ".secret"]) rmSync(`${draft}${end}`, { force: true });
  const store = sqliteStore({ path: draft, cacheBytes: 256 * 1024 * 1024 });
  for (const size of sizes) {
    for (let first = 0; first < size; first += OF_CONVERSATION) await say(store, seed, size, first);
  }
  await store.close();
  renameSync(draft, path);
  return path;
}

async function say(store: MemoryStore, seed: number, size: number, first: number): Promise<void> {
  const owner = { ...OWNER, conversation: `${size}-${first}` };
  const documents: VectorDocument[] = [];
  for (let index = 0; index < OF_CONVERSATION; index++) {
    const createdAt = new Date(Date.UTC(2026, 0, 1) + (first + index) * 1_000).toISOString();
    const message = {
      id: `${index}`,
      role: "user" as const,
      parts: [{ type: "text" as const, text: "said" }],
      createdAt,
    };
    const turn = { id: `t${index}`, status: "completed" as const, startedAt: createdAt, counted: 1, tokens: 1 };
    await store.commitTurn(owner, { turn: { ...turn, messages: [message] }, subject: `${size}`, now: createdAt });
    const place = { turn: turn.id, seq: index + 1, position: 0, message: message.id, role: message.role, createdAt };
    documents.push({ ...place, vector: vectorOf(seed + size, first + index) });
  }
  await store.vectors?.put(owner, { model: MODEL, documents });
}

/** Z7: the nearest vectors of one subject, warm and cold, beside a loop over floats that are in memory already. */
export async function measureVectors({
  seed,
  quick,
}: {
  seed: number;
  quick: boolean;
}): Promise<{ rows: ResultRow[]; gates: Gate[] }> {
  const sizes = quick ? [1_000, 10_000] : [1_000, 10_000, 50_000];
  const path = await vectorFile(seed, sizes);
  const store = sqliteStore({ path });
  const ask = (from: MemoryStore, size: number, query: number) =>
    from.vectors?.nearest(
      OWNER,
      { kind: "subject", subject: `${size}` },
      { model: MODEL, vector: vectorOf(seed + size, 1_000_000 + query), limit: LIMIT, floor: 0 },
    ) ?? [];
  const rows: ResultRow[] = [];
  const gates: Gate[] = [];
  try {
    for (const size of sizes) {
      const name = `nearest ${LIMIT} of ${size} vectors`;
      const floats = Array.from({ length: size }, (_, index) => vectorOf(seed + size, index));
      const scan = (query: number) => {
        const vector = vectorOf(seed + size, 1_000_000 + query);
        return floats
          .map((own, index) => ({
            score: dotProduct(own, vector),
            conversation: `${size}-${index - (index % OF_CONVERSATION)}`,
            seq: (index % OF_CONVERSATION) + 1,
            position: 0,
            createdAt: new Date(Date.UTC(2026, 0, 1) + index * 1_000).toISOString(),
          }))
          .sort(compareNear)
          .slice(0, LIMIT);
      };
      let missed = 0;
      for (let query = 0; query < 20; query++) {
        const found = new Set((await ask(store, size, query)).map(({ conversation, seq }) => `${conversation} ${seq}`));
        missed += scan(query).filter(({ conversation, seq }) => !found.has(`${conversation} ${seq}`)).length;
      }
      const queries = Array.from({ length: 64 }, (_, query) => vectorOf(seed + size, 2_000_000 + query));
      let [next, turn] = [0, 0];
      const warm: Work = {
        name,
        async run() {
          const vector = queries[next++ % queries.length] ?? new Float32Array(FAKE_DIMENSIONS);
          const scope = { kind: "subject" as const, subject: `${size}` };
          await store.vectors?.nearest(OWNER, scope, { model: MODEL, vector, limit: LIMIT, floor: 0 });
        },
      };
      const loop: Work = {
        name: "loop",
        run() {
          const vector = queries[turn++ % queries.length] ?? new Float32Array(FAKE_DIMENSIONS);
          let best = -1;
          for (const own of floats) best = Math.max(best, dotProduct(own, vector));
        },
      };
      const taken = await alternate([warm, loop], { rounds: quick ? 7 : 15, pieces: 50 });
      const [own, peer] = [name, "loop"].map((work) => taken.get(work) ?? { p50: [], cpu: [], all: [] });
      const cold: number[] = [];
      for (let round = 0; round < (quick ? 5 : 11); round++)
        cold.push(await coldMs(path, (fresh) => ask(fresh, size, round)));
      rows.push({
        name,
        figures: {
          ...(own === undefined ? {} : takenFigures(own)),
          "cold ms": median(cold),
          "× loop over floats": own === undefined || peer === undefined ? Number.NaN : medianRatio(own.p50, peer.p50),
          missed,
        },
      });
      gates.push({ rule: "Z7", row: name, figure: "p50 ms", most: WARM_MS[size] ?? Number.NaN });
      if (COLD_MS[size] !== undefined) gates.push({ rule: "Z7", row: name, figure: "cold ms", most: COLD_MS[size] });
      gates.push({ rule: "Z7", row: name, figure: "missed", most: 0 });
    }
    return { rows, gates };
  } finally {
    await store.close();
  }
}

/** The first search of a store that is open and has read none of the vectors. */
async function coldMs(path: string, search: (store: MemoryStore) => unknown): Promise<number> {
  const store = sqliteStore({ path });
  await store.readConversation({ ...OWNER, conversation: "none" });
  const start = process.hrtime.bigint();
  await search(store);
  const ms = Number(process.hrtime.bigint() - start) / 1e6;
  await store.close();
  return ms;
}
