import { join } from "node:path";
import type { PeersOptions } from "../lib/bench-options.ts";
import { ROOT, versionOf } from "../lib/folders.ts";
import { startBenchServer } from "../lib/postgres-server.ts";
import { type BenchResult, describeMachine, type Gate, type ResultRow, today } from "../lib/result.ts";
import { medianRatio } from "../lib/statistics.ts";
import type { Contender } from "../turn/contender.ts";
import { figuresOf, measure } from "../turn/measure.ts";
import { createWorkload } from "../turn/workload.ts";
import { measureConcurrent } from "./concurrent.ts";
import { fillFloor, floor } from "./floor.ts";
import { mastraPg, mastraPgVersions } from "./mastra.ts";
import { fillThroughline, throughline } from "./throughline.ts";

const CONCURRENT = 16;
const COLUMNS = [
  "p50 µs",
  "p99 µs",
  "CPU µs",
  "× floor",
  "CPU × floor",
  "read p50 µs",
  "write p50 µs",
  "indexing CPU µs",
  `turns/s at ${CONCURRENT}`,
] as const;
const OWN = "throughline: begin + complete";
const UNPREPARED = "throughline, not prepared";

/** Z2: one agent turn on PostgreSQL beside the floor, and many at once. */
export async function runTurnPostgres({ seed, quick, peers }: PeersOptions): Promise<BenchResult> {
  const workload = createWorkload({ seed, messages: quick ? 10_000 : 100_000 });
  const rounds = quick ? 5 : 9;
  const turnsPerRound = quick ? 100 : 200;
  const server = await startBenchServer();
  const contenders: Contender[] = [];
  try {
    const { url } = server;
    await fillFloor(url, workload);
    await fillThroughline(url, workload, { schema: "own" });
    const open = { schema: "own", connections: CONCURRENT };
    contenders.push(
      floor(url, workload, CONCURRENT),
      throughline(url, workload, { ...open, name: OWN, prepare: true }),
      throughline(url, workload, { ...open, name: UNPREPARED, prepare: false }),
    );
    if (peers !== undefined) {
      const peer = { name: "@mastra/memory on @mastra/pg", schema: "mastra", connections: CONCURRENT };
      contenders.push(await mastraPg(peers, url, workload, peer));
    }
    const { conversations } = workload;
    const measured = await measure(contenders, { seed, conversations, rounds, turnsPerRound });
    const many = await measureConcurrent(contenders, { seed, conversations, rounds, concurrent: CONCURRENT });
    const [base, , , peer] = measured;
    const rows = measured.map(
      (own, index): ResultRow => ({
        name: own.name,
        figures: {
          ...figuresOf(own, base ?? own),
          [`turns/s at ${CONCURRENT}`]: many[index]?.perSecond ?? Number.NaN,
          ...(peer === undefined
            ? {}
            : {
                "× peer": medianRatio(own.p50, peer.p50),
                "peer's turns/s ÷ own": medianRatio(many[3]?.rates ?? [], many[index]?.rates ?? []),
              }),
        },
      }),
    );
    const gate = (figure: string, most: number): Gate => ({ rule: "Z2", row: OWN, figure, most });
    return {
      bench: "turn-postgres",
      title:
        "One agent turn on PostgreSQL: last 20 messages, summary and 12 facts in, two messages of 250 bytes recorded",
      date: today(),
      seed,
      machine: describeMachine(),
      versions: {
        node: process.versions.node,
        postgresql: server.version,
        pg: versionOf(join(ROOT, "packages/store-postgres/node_modules/pg/package.json")),
        "@throughline/core": versionOf(join(ROOT, "packages/core/package.json")),
        "@throughline/store-postgres": versionOf(join(ROOT, "packages/store-postgres/package.json")),
        ...(peers === undefined ? {} : mastraPgVersions(peers)),
      },
      setup: {
        messages: workload.messages,
        thread: workload.threadMessages,
        rounds,
        "turns per round": turnsPerRound,
        connections: CONCURRENT,
        fsync: "on",
      },
      columns: peer === undefined ? COLUMNS : [...COLUMNS, "× peer", "peer's turns/s ÷ own"],
      rows,
      gates: [
        gate("× floor", 1.5),
        ...(peer === undefined ? [] : [gate("× peer", 0.4), gate("peer's turns/s ÷ own", 0.25)]),
      ],
      notes: [
        "Contenders take turns, 25 of one and then 25 of the next, the order turned round each time; p50, CPU and ratios are medians of the rounds, p99 is of all turns. CPU is that of the Node process.",
        `At ${CONCURRENT}: so many conversations at once in one process, on as many connections; client and server share the machine's cores.`,
        "Indexing follows the reply and is not part of the turn.",
      ],
    };
  } finally {
    for (const contender of contenders) await contender.close();
    await server.stop();
  }
}
