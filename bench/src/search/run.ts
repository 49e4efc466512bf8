import { join } from "node:path";
import type { PeersOptions } from "../lib/bench-options.ts";
import { FAKE_DIMENSIONS } from "../lib/fake-embedder.ts";
import { ROOT, versionOf } from "../lib/folders.ts";
import { type BenchResult, describeMachine, today } from "../lib/result.ts";
import { measureHold } from "./hold.ts";
import { measureKeywords } from "./keyword.ts";
import { sqliteVecVersions } from "./sqlite-vec.ts";
import { measureTail } from "./tail.ts";
import { measureVectors } from "./vectors.ts";

const COLUMNS = [
  "p50 ms",
  "p99 ms",
  "CPU ms",
  "cold ms",
  "× a tenth of the file",
  "× FTS5",
  "× loop over floats",
  "× sqlite-vec",
  "indexing CPU ms a message",
  "missed",
  "longest hold ms",
] as const;

/** Z6, Z7, Z8 and J7: one subject's words and vectors in SQLite. */
export async function runSearch({ seed, quick, peers }: PeersOptions): Promise<BenchResult> {
  const parts = [
    await measureKeywords({ seed, quick }),
    await measureVectors({ seed, quick, peers }),
    await measureTail({ seed, quick }),
    await measureHold({ seed, quick }),
  ];
  return {
    bench: "search",
    title: "Searching one subject in a SQLite file, by words and by vectors",
    date: today(),
    seed,
    machine: describeMachine(),
    versions: {
      node: process.versions.node,
      sqlite: process.versions.sqlite ?? "unknown",
      "@throughline/core": versionOf(join(ROOT, "packages/core/package.json")),
      "@throughline/store-sqlite": versionOf(join(ROOT, "packages/store-sqlite/package.json")),
      ...sqliteVecVersions(peers),
    },
    setup: { "words of a query": 6, dimensions: FAKE_DIMENSIONS, "page cache MB": 64, "vector cache MB": 64 },
    columns: COLUMNS,
    rows: parts.flatMap(({ rows }) => rows),
    gates: parts.flatMap(({ gates }) => gates),
    notes: [
      "By words: through the memory's own search, hits read and all; six words from common to rare, any of them, best ten. FTS5 reads no text: it answers row numbers. All files are in the operating system's cache.",
      "By vectors: the store's own search. The loop compares floats that are in memory already and keeps nothing but the best. Cold is the first search after opening; the file is in the operating system's cache. The peer, where it is installed, has the same vectors in one table, a subject a partition, and answers numbers of rows.",
      "Missed by words are messages not found before they were indexed; by vectors those of an exact comparison that weren't found.",
      "The longest hold is how long one search keeps everything else from its turn at most, with the ten commonest words, the median of the searches; the store in memory has no index and reads everything that was said each time.",
      "Contenders take turns, the order turned round each time; p50, CPU and ratios are medians of the rounds, p99 is of all.",
    ],
  };
}
