import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { sqliteStore } from "@throughline/store-sqlite";
import { cacheFolder, ROOT, versionOf } from "../lib/folders.ts";
import { type BenchResult, describeMachine, today } from "../lib/result.ts";
import { median, medianRatio, quantile } from "../lib/statistics.ts";
import type { Contender } from "../turn/contender.ts";
import { measure } from "../turn/measure.ts";
import { hybridFile, hybridTurns, hybridWorkload } from "./throughline.ts";

const COLUMNS = ["messages", "p50 ms", "p99 ms", "read p50 ms", "write p50 ms", "CPU ms", "× smallest"] as const;
const SIZES = [
  { times: 1, most: null },
  { times: 10, most: 1.6 },
  { times: 40, most: 2.5 },
] as const;

/** Z12 on SQLite: the turn with hybrid recall in files of more subjects, each with the same data. */
export async function runHybridGrowth({ seed, quick }: { seed: number; quick: boolean }): Promise<BenchResult> {
  const smallest = quick ? 1_000 : 10_000;
  const folder = mkdtempSync(join(cacheFolder(), "growth-run-"));
  const contenders: Contender[] = [];
  try {
    const workloads = SIZES.map(({ times }) => hybridWorkload({ seed, messages: smallest * times }));
    for (const workload of workloads) {
      const path = join(folder, `${workload.messages}.db`);
      copyFileSync((await hybridFile(workload)).path, path);
      const store = sqliteStore({ path });
      const name = `${workload.subjects} subjects`;
      const { read, write, ...rest } = hybridTurns(name, store, workload, { indexesInside: true });
      // All draw from the largest one's conversations.
      const own = (conversation: number) => conversation % workload.conversations;
      contenders.push({
        ...rest,
        read: (conversation) => read(own(conversation)),
        write: (conversation) => write(own(conversation)),
      });
    }
    const conversations = Math.max(...workloads.map((workload) => workload.conversations));
    const rounds = quick ? 5 : 9;
    const measured = await measure(contenders, { seed, conversations, rounds, turnsPerRound: quick ? 50 : 200 });
    const [base] = measured;
    const rows = measured.map((own, index) => ({
      name: own.name,
      figures: {
        messages: workloads[index]?.messages ?? 0,
        "p50 ms": median(own.p50) / 1_000,
        "p99 ms": quantile(own.all, 0.99) / 1_000,
        "read p50 ms": median(own.readP50) / 1_000,
        "write p50 ms": median(own.writeP50) / 1_000,
        "CPU ms": median(own.cpu) / 1_000,
        "× smallest": base === undefined ? Number.NaN : medianRatio(own.p50, base.p50),
      },
    }));
    return {
      bench: "hybrid-growth",
      title: "One agent turn with hybrid recall on SQLite, in files of more subjects, each with the same data",
      date: today(),
      seed,
      machine: describeMachine(),
      versions: {
        node: process.versions.node,
        sqlite: process.versions.sqlite ?? "unknown",
        "@throughline/store-sqlite": versionOf(join(ROOT, "packages/store-sqlite/package.json")),
      },
      setup: { rounds, "page cache MB": 64, "vector cache MB": 64 },
      columns: COLUMNS,
      rows,
      gates: SIZES.flatMap(({ most }, index) => {
        const row = rows[index]?.name;
        return most === null || row === undefined ? [] : [{ rule: "Z12", row, figure: "× smallest", most }];
      }),
      notes: [
        "Indexed inside the turn. Conversations are drawn at random from all of them, so the larger files are read outside of the caches more often.",
      ],
    };
  } finally {
    for (const contender of contenders) await contender.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
