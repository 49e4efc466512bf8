import type { MemoryStore } from "@throughline/core";
import { compareNear, dotProduct } from "@throughline/core/store-kit";
import { sqliteStore } from "@throughline/store-sqlite";
import { alternate, type Taken, takenFigures, type Work } from "../lib/alternate.ts";
import type { PeersOptions } from "../lib/bench-options.ts";
import { bringIntoCache } from "../lib/bring-into-cache.ts";
import { FAKE_DIMENSIONS } from "../lib/fake-embedder.ts";
import type { Gate, ResultRow } from "../lib/result.ts";
import { median, medianRatio } from "../lib/statistics.ts";
import { openSqliteVec, SQLITE_VEC, sqliteVecFile } from "./sqlite-vec.ts";
import { MODEL, OF_CONVERSATION, OWNER, vectorFile, vectorOf } from "./vector-corpus.ts";

const LIMIT = 10;
const NOTHING: Taken = { p50: [], cpu: [], all: [] };
const WARM_MS: Record<number, number> = { 1000: 0.1, 10000: 0.6, 50000: 3 };
const COLD_MS: Record<number, number> = { 50000: 25 };

/** Z7: the nearest vectors of one subject, warm and cold, beside a loop over floats that are in memory already. */
export async function measureVectors({
  seed,
  quick,
  peers,
}: PeersOptions): Promise<{ rows: ResultRow[]; gates: Gate[] }> {
  const sizes = quick ? [1_000, 10_000] : [1_000, 10_000, 50_000];
  const path = bringIntoCache(await vectorFile(seed, sizes));
  const store = sqliteStore({ path });
  const peerPath = peers === undefined ? undefined : await sqliteVecFile(peers, seed, sizes);
  const peer = peers === undefined || peerPath === undefined ? undefined : await openSqliteVec(peers, peerPath);
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
      let other = 0;
      const extension: Work = {
        name: SQLITE_VEC,
        run() {
          peer?.nearest(size, queries[other++ % queries.length] ?? new Float32Array(FAKE_DIMENSIONS), LIMIT);
        },
      };
      const works = peer === undefined ? [warm, loop] : [warm, loop, extension];
      const taken = await alternate(works, { rounds: quick ? 7 : 15, pieces: 50 });
      const [own, plain, slow] = [name, "loop", SQLITE_VEC].map((work) => taken.get(work) ?? NOTHING) as [
        Taken,
        Taken,
        Taken,
      ];
      const cold: number[] = [];
      for (let round = 0; round < (quick ? 5 : 11); round++)
        cold.push(await coldMs(path, (fresh) => ask(fresh, size, round)));
      rows.push({
        name,
        figures: {
          ...takenFigures(own),
          "cold ms": median(cold),
          "× loop over floats": medianRatio(own.p50, plain.p50),
          ...(peer === undefined ? {} : { "× sqlite-vec": medianRatio(own.p50, slow.p50) }),
          missed,
        },
      });
      if (peers !== undefined && peerPath !== undefined && peer !== undefined) {
        const first: number[] = [];
        for (let round = 0; round < (quick ? 5 : 11); round++)
          first.push(await peerColdMs(peers, peerPath, { size, vector: vectorOf(seed + size, 1_000_000 + round) }));
        let unfound = 0;
        for (let query = 0; query < 20; query++) {
          const found = new Set(peer.nearest(size, vectorOf(seed + size, 1_000_000 + query), LIMIT));
          unfound += scan(query).filter(({ conversation, seq }) => !found.has(indexOf(conversation, seq))).length;
        }
        rows.push({
          name: `· ${SQLITE_VEC}, the same ${size}`,
          figures: {
            ...takenFigures(slow),
            "cold ms": median(first),
            "× loop over floats": medianRatio(slow.p50, plain.p50),
            missed: unfound,
          },
        });
      }
      gates.push({ rule: "Z7", row: name, figure: "p50 ms", most: WARM_MS[size] ?? Number.NaN });
      if (COLD_MS[size] !== undefined) gates.push({ rule: "Z7", row: name, figure: "cold ms", most: COLD_MS[size] });
      gates.push({ rule: "Z7", row: name, figure: "missed", most: 0 });
    }
    return { rows, gates };
  } finally {
    peer?.close();
    await store.close();
  }
}

/** The number of a vector among its subject's. */
const indexOf = (conversation: string, seq: number): number => Number(conversation.split("-")[1]) + seq - 1;

/** The same of the peer. */
async function peerColdMs(
  peers: string,
  path: string,
  { size, vector }: { size: number; vector: Float32Array },
): Promise<number> {
  const peer = await openSqliteVec(peers, path);
  const start = process.hrtime.bigint();
  peer.nearest(size, vector, LIMIT);
  const ms = Number(process.hrtime.bigint() - start) / 1e6;
  peer.close();
  return ms;
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
