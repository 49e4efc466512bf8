import { copyFileSync, cpSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { sqliteStore } from "@throughline/store-sqlite";
import type { PeersOptions } from "../lib/bench-options.ts";
import { cacheFolder, ROOT, versionOf } from "../lib/folders.ts";
import { type BenchResult, describeMachine, type ResultRow, today } from "../lib/result.ts";
import { median, medianRatio, quantile } from "../lib/statistics.ts";
import type { Contender } from "../turn/contender.ts";
import { type Measured, measure } from "../turn/measure.ts";
import type { Workload } from "../turn/workload.ts";
import { langgraphStore } from "./langgraph.ts";
import { hybridFile, hybridTurns, hybridWorkload } from "./throughline.ts";

const COLUMNS = ["messages", "p50 ms", "p99 ms", "read p50 ms", "write p50 ms", "CPU ms", "× smallest"] as const;
const SIZES = [
  { times: 1, most: null },
  { times: 10, most: 1.6 },
  { times: 40, most: 2.5 },
] as const;

/** Peers take up to 30 ms to take in a message: their subjects have one conversation, and fewer turns are taken. */
const MESSAGES_OF_PEERS = 100;
const PEERS_TURNS = { rounds: 3, turnsPerRound: 8 } as const;

/** Z12 on SQLite: the turn with hybrid recall in files of more subjects, each with the same data. */
export async function runHybridGrowth({ seed, quick, peers }: PeersOptions): Promise<BenchResult> {
  const smallest = quick ? 1_000 : 10_000;
  const folder = mkdtempSync(join(cacheFolder(), "growth-run-"));
  const contenders: Contender[] = [];
  try {
    const workloads = SIZES.map(({ times }) => hybridWorkload({ seed, messages: smallest * times }));
    for (const workload of workloads) {
      const path = join(folder, `${workload.messages}.db`);
      copyFileSync((await hybridFile(workload)).path, path);
      const store = sqliteStore({ path });
      const name = `throughline, ${subjects(workload.subjects)}`;
      const { read, write, ...rest } = hybridTurns(name, store, workload, { indexesInside: true });
      contenders.push(within(workload.conversations, { ...rest, read, write }));
    }
    const conversations = Math.max(...workloads.map((workload) => workload.conversations));
    const rounds = quick ? 5 : 9;
    const measured = await measure(contenders, { seed, conversations, rounds, turnsPerRound: quick ? 50 : 200 });
    const messages = workloads.map((workload) => workload.messages);
    const rows = rowsOf(measured, messages);
    const others = await measurePeers({ seed, quick, peers, folder });
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
        ...others.versions,
      },
      setup: { rounds, "page cache MB": 64, "vector cache MB": 64 },
      columns: COLUMNS,
      rows: [...rows, ...others.rows],
      gates: SIZES.flatMap(({ most }, index) => {
        const row = rows[index]?.name;
        return most === null || row === undefined ? [] : [{ rule: "Z12", row, figure: "× smallest", most }];
      }),
      notes: [
        "Indexed inside the turn. Conversations are drawn at random from all of them, so the larger files are read outside of the caches more often.",
        "Peers begin with one subject of 100 messages, and each does what `hybrid` says of it. Fewer of their turns are taken.",
      ],
    };
  } finally {
    for (const contender of contenders) await contender.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

const subjects = (count: number): string => `${count} ${count === 1 ? "subject" : "subjects"}`;

/** All draw from the largest one's conversations. */
function within(conversations: number, { read, write, ...rest }: Contender): Contender {
  return {
    ...rest,
    read: (conversation) => read(conversation % conversations),
    write: (conversation) => write(conversation % conversations),
  };
}

/** One memory in its sizes, the smallest first. */
function rowsOf(measured: readonly Measured[], messages: readonly number[]): ResultRow[] {
  const [base] = measured;
  return measured.map((own, index) => ({
    name: own.name,
    figures: {
      messages: messages[index] ?? 0,
      "p50 ms": median(own.p50) / 1_000,
      "p99 ms": quantile(own.all, 0.99) / 1_000,
      "read p50 ms": median(own.readP50) / 1_000,
      "write p50 ms": median(own.writeP50) / 1_000,
      "CPU ms": median(own.cpu) / 1_000,
      "× smallest": base === undefined ? Number.NaN : medianRatio(own.p50, base.p50),
    },
  }));
}

/** The peers in the same sizes, from one subject on, each by itself. */
async function measurePeers({
  seed,
  quick,
  peers,
  folder,
}: PeersOptions & { folder: string }): Promise<{ rows: ResultRow[]; versions: Record<string, string> }> {
  const makers: { name: string; open(workload: Workload): Promise<Contender> }[] = [
    { name: "LangGraph InMemoryStore", open: langgraphStore },
  ];
  const versions: Record<string, string> = {};
  if (peers !== undefined) {
    const { mastraFolder, mastraHybrid, mastraVersions } = await import("./mastra.ts");
    const { mem0Hybrid, mem0Versions } = await import("./mem0.ts");
    Object.assign(versions, mastraVersions(peers), mem0Versions(peers));
    makers.push({
      name: "@mastra/memory on libSQL",
      async open(workload) {
        const copy = join(folder, `mastra-${workload.messages}`);
        cpSync((await mastraFolder(peers, workload)).path, copy, { recursive: true });
        return mastraHybrid(peers, copy, workload);
      },
    });
    makers.push({ name: "mem0ai/oss", open: async (workload) => (await mem0Hybrid(peers, workload)).contender });
  }
  const rows: ResultRow[] = [];
  for (const { name, open } of makers) {
    const workloads = SIZES.slice(0, quick ? 2 : undefined).map(({ times }) => ({
      ...hybridWorkload({ seed, messages: MESSAGES_OF_PEERS * times }),
      subjects: times,
    }));
    const contenders: Contender[] = [];
    try {
      for (const workload of workloads) {
        const contender = within(workload.conversations, await open(workload));
        contenders.push({ ...contender, name: `${name}, ${subjects(workload.subjects)}` });
      }
      const conversations = Math.max(...workloads.map((workload) => workload.conversations));
      const measured = await measure(contenders, { seed, conversations, ...PEERS_TURNS });
      rows.push(
        ...rowsOf(
          measured,
          workloads.map((workload) => workload.messages),
        ),
      );
    } finally {
      for (const contender of contenders) await contender.close();
    }
  }
  return { rows, versions };
}
