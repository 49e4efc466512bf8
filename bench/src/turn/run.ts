import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { PeersOptions } from "../lib/bench-options.ts";
import { cacheFolder, ROOT, versionOf } from "../lib/folders.ts";
import { type BenchResult, describeMachine, today } from "../lib/result.ts";
import { medianRatio } from "../lib/statistics.ts";
import type { Contender } from "./contender.ts";
import { floor, floorFile } from "./floor.ts";
import { figuresOf, measure } from "./measure.ts";
import { memoryFile, throughline } from "./throughline.ts";
import { createWorkload } from "./workload.ts";

/** What SQLite keeps of the file in memory; the same for everybody who lets it be set. The store's own default. */
const CACHE_BYTES = 64 * 1024 * 1024;
const COLUMNS = [
  "p50 µs",
  "p99 µs",
  "CPU µs",
  "× floor",
  "CPU × floor",
  "read p50 µs",
  "write p50 µs",
  "indexing CPU µs",
] as const;

/** Z1 and Z8: one agent turn beside the floor. */
export async function runTurn({ seed, quick, peers }: PeersOptions): Promise<BenchResult> {
  const workload = createWorkload({ seed, messages: quick ? 10_000 : 100_000 });
  const rounds = quick ? 7 : 15;
  const turnsPerRound = 500;
  const folder = mkdtempSync(join(cacheFolder(), "run-"));
  const copy = (path: string, name: string): string => {
    const own = join(folder, name);
    copyFileSync(path, own);
    return own;
  };
  const contenders: Contender[] = [];
  const versions: Record<string, string> = {
    node: process.versions.node,
    sqlite: process.versions.sqlite ?? "unknown",
    "@throughline/core": versionOf(join(ROOT, "packages/core/package.json")),
    "@throughline/store-sqlite": versionOf(join(ROOT, "packages/store-sqlite/package.json")),
  };
  try {
    const base = floor(copy(floorFile(workload), "floor.db"), workload, { cacheBytes: CACHE_BYTES });
    contenders.push(base);
    const ours = copy(await memoryFile(workload, { indexed: true }), "memory.db");
    contenders.push(throughline(ours, workload, { cacheBytes: CACHE_BYTES }));
    if (peers !== undefined) {
      const { mastra, mastraFile, mastraVersions } = await import("./mastra-peer.ts");
      Object.assign(versions, mastraVersions(peers));
      contenders.push(await mastra(peers, copy(await mastraFile(peers, workload), "mastra.db"), workload));
    }
    const { conversations } = workload;
    const measured = await measure(contenders, { seed, conversations, rounds, turnsPerRound });
    const [, , peer] = measured;
    const rows = measured.map((own) => ({
      name: own.name,
      figures: {
        ...figuresOf(own, measured[0] ?? own),
        ...(peer === undefined ? {} : { "× peer": medianRatio(own.p50, peer.p50) }),
      },
    }));
    const mine = contenders[1]?.name ?? "";
    return {
      bench: "turn",
      title: "One agent turn: last 20 messages, summary and 12 facts in, two messages of 250 bytes recorded",
      date: today(),
      seed,
      machine: describeMachine(),
      versions,
      setup: {
        messages: workload.messages,
        thread: workload.threadMessages,
        rounds,
        "turns per round": turnsPerRound,
        synchronous: "normal",
        "page cache MB": CACHE_BYTES / 2 ** 20,
        packages: isSource() ? "source" : "built",
      },
      columns: peer === undefined ? COLUMNS : [...COLUMNS, "× peer"],
      rows,
      gates: [
        { rule: "Z1", row: mine, figure: "× floor", most: 2.2 },
        ...(peer === undefined ? [] : [{ rule: "Z1", row: mine, figure: "× peer", most: 0.25 }]),
      ],
      notes: [
        "Contenders take turns, 25 of one and then 25 of the next, the order turned round each time; p50, CPU and ratios are medians of the rounds, p99 is of all turns.",
        "Indexing follows the reply and is not part of the turn; its CPU is given per turn, a turn of each conversation indexed by itself.",
      ],
    };
  } finally {
    for (const contender of contenders) await contender.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const isSource = (): boolean => import.meta.resolve("@throughline/core").endsWith(".ts");
