import { existsSync, renameSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { MemoryStore, VectorDocument } from "@throughline/core";
import { sqliteStore } from "@throughline/store-sqlite";
import { direction, FAKE_DIMENSIONS } from "../lib/fake-embedder.ts";
import { cacheFolder, fingerprint } from "../lib/folders.ts";
import { AGENT } from "./keyword-files.ts";

export const OWNER = { tenant: "default", agent: AGENT };
export const MODEL = { modelId: "fake@1", dimensions: FAKE_DIMENSIONS };
/** Vectors of one conversation. */
export const OF_CONVERSATION = 500;

/** Vectors around some centres, as texts about some things are. */
export const vectorOf = (seed: number, index: number): Float32Array => {
  const [centre, own] = [direction(seed * 1_000 + (index % 64) + 1), direction(seed * 1_000_003 + index * 7 + 1)];
  const vector = own.map((value, place) => value + 0.6 * (centre[place] ?? 0));
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
};

/** A file with a subject of each size, built once. */
export async function vectorFile(seed: number, sizes: readonly number[]): Promise<string> {
  const format = [
    "packages/store-sqlite/src/migrations.ts",
    "packages/store-sqlite/src/vectors/vector-body.ts",
    "packages/store-sqlite/src/vectors/vector-sets.ts",
    "packages/core/src/store-kit/vectors/code-run.ts",
    "bench/src/search/vector-corpus.ts",
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
