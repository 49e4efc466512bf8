import { copyFileSync, cpSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { sqliteStore } from "@throughline/store-sqlite";
import type { PeersOptions } from "../lib/bench-options.ts";
import { FAKE_DIMENSIONS } from "../lib/fake-embedder.ts";
import { cacheFolder, ROOT, versionOf } from "../lib/folders.ts";
import { type BenchResult, describeMachine, type Gate, today } from "../lib/result.ts";
import { medianRatio } from "../lib/statistics.ts";
import type { Contender } from "../turn/contender.ts";
import { measure } from "../turn/measure.ts";
import { diskFigures, TURN_COLUMNS, turnFigures } from "./figures.ts";
import { langgraphStore } from "./langgraph.ts";
import { hybridFile, hybridTurns, hybridWorkload, TOP } from "./throughline.ts";

const COLUMNS = [...TURN_COLUMNS, "× mem0", "disk × mastra"] as const;
const CACHE_BYTES = 64 * 1024 * 1024;

/** Z3: one agent turn with hybrid recall, beside the peers. */
export async function runHybrid(options: PeersOptions): Promise<BenchResult> {
  const { seed, quick, peers } = options;
  const workload = hybridWorkload({ seed, messages: quick ? 2_000 : 10_000 });
  const folder = mkdtempSync(join(cacheFolder(), "hybrid-run-"));
  const contenders: Contender[] = [];
  const disk = new Map<string, number>();
  const versions: Record<string, string> = {
    node: process.versions.node,
    sqlite: process.versions.sqlite ?? "unknown",
    "@throughline/core": versionOf(join(ROOT, "packages/core/package.json")),
    "@throughline/store-sqlite": versionOf(join(ROOT, "packages/store-sqlite/package.json")),
    "@langchain/langgraph-checkpoint": versionOf(
      join(ROOT, "bench/node_modules/@langchain/langgraph-checkpoint/package.json"),
    ),
  };
  const add = (contender: Contender, megabytes?: number): string => {
    contenders.push(contender);
    if (megabytes !== undefined) disk.set(contender.name, megabytes);
    return contender.name;
  };
  try {
    const file = await hybridFile(workload);
    const own = (name: string, cache: number, indexesInside: boolean): string => {
      const path = join(folder, `${contenders.length}.db`);
      copyFileSync(file.path, path);
      const store = sqliteStore({ path, cacheBytes: CACHE_BYTES, vectorCacheBytes: cache });
      return add(hybridTurns(name, store, workload, { indexesInside }), file.megabytes);
    };
    const names = {
      after: own("throughline on SQLite", CACHE_BYTES, false),
      inside: own("throughline on SQLite, indexed inside the turn", CACHE_BYTES, true),
      cold: own("throughline on SQLite, no vector kept in memory", 0, true),
    };
    add(await langgraphStore(workload));
    let [mastra, mem0]: [string?, string?] = [];
    if (peers !== undefined) {
      const { mastraFolder, mastraHybrid, mastraVersions } = await import("./mastra.ts");
      const { mem0Hybrid, mem0Versions } = await import("./mem0.ts");
      Object.assign(versions, mastraVersions(peers), mem0Versions(peers));
      const made = await mastraFolder(peers, workload);
      const copy = join(folder, "mastra");
      cpSync(made.path, copy, { recursive: true });
      mastra = add(await mastraHybrid(peers, copy, workload), made.megabytes);
      const other = await mem0Hybrid(peers, workload);
      mem0 = add(other.contender, other.megabytes);
    }
    const { conversations } = workload;
    const rounds = quick ? 3 : 7;
    const measured = await measure(contenders, { seed, conversations, rounds, turnsPerRound: quick ? 25 : 50 });
    const find = (name: string | undefined) => measured.find((one) => one.name === name);
    const rows = measured.map((one) => {
      const figures = turnFigures(one);
      const [slow, slower] = [find(mastra), find(mem0)];
      if (slow) figures["× mastra"] = medianRatio(one.p50, slow.p50);
      if (slower) figures["× mem0"] = medianRatio(one.p50, slower.p50);
      const disks = diskFigures(disk.get(one.name), mastra === undefined ? undefined : disk.get(mastra));
      return { name: one.name, figures: { ...figures, ...disks } };
    });
    const gate = (row: string, figure: string, most: number): Gate => ({ rule: "Z3", row, figure, most });
    return {
      bench: "hybrid",
      title: `One agent turn with hybrid recall: the last 20 messages, 12 facts, a summary and ${TOP} of a subject's 1000 messages in, two messages of some 100 bytes recorded`,
      date: today(),
      seed,
      machine: describeMachine(),
      versions,
      setup: { messages: workload.messages, subjects: workload.subjects, dimensions: FAKE_DIMENSIONS, rounds },
      columns: COLUMNS,
      rows,
      gates:
        mastra === undefined
          ? []
          : [
              // Indexing is outside the turn, as in Z1; with it inside is the stricter reading.
              gate(names.after, "× mastra", 0.04),
              gate(names.after, "× mem0", 0.01),
              gate(names.inside, "× mastra", 0.04),
              gate(names.cold, "× mastra", 0.083),
              gate(names.after, "disk × mastra", 0.05),
              gate(names.inside, "× mem0", 0.01),
            ],
      notes: [
        "The embedder is the same for all and costs next to nothing. Mastra and mem0 index inside the turn; this memory does so after the reply, and in two of the rows inside the turn as well.",
        "mem0 is asked for what it finds and given the two messages as they are, which asks no model. It and LangGraph's store read no history, no facts and no summary.",
        "Contenders take turns, 25 of one and then 25 of the next; p50, CPU and ratios are medians of the rounds, p99 is of all turns.",
      ],
    };
  } finally {
    for (const contender of contenders) await contender.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
