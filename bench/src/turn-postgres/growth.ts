import type { PeersOptions } from "../lib/bench-options.ts";
import { startBenchServer } from "../lib/postgres-server.ts";
import { type BenchResult, describeMachine, today } from "../lib/result.ts";
import { medianRatio } from "../lib/statistics.ts";
import type { Contender } from "../turn/contender.ts";
import { figuresOf, measure } from "../turn/measure.ts";
import { createWorkload, type Workload } from "../turn/workload.ts";
import { mastraPg, mastraPgVersions } from "./mastra.ts";
import { fillThroughline, throughline } from "./throughline.ts";

const COLUMNS = ["messages", "p50 µs", "p99 µs", "read p50 µs", "write p50 µs", "CPU µs", "× smallest"] as const;
const SIZES = [
  { times: 1, most: null },
  { times: 10, most: 1.6 },
  { times: 40, most: 2.5 },
] as const;

/** Z12: the same turn in databases with more subjects, each with the same data. */
export async function runGrowth({ seed, quick, peers }: PeersOptions): Promise<BenchResult> {
  const smallest = quick ? 10_000 : 100_000;
  const rounds = quick ? 5 : 9;
  const turnsPerRound = quick ? 100 : 200;
  const server = await startBenchServer();
  const contenders: Contender[] = [];
  try {
    const { url } = server;
    const sizes = SIZES.map(({ times, most }) => ({
      times,
      most,
      workload: createWorkload({ seed, messages: smallest * times }),
    }));
    for (const { times, workload } of sizes) {
      const schema = `growth_${times}`;
      await fillThroughline(url, workload, { schema });
      const name = `throughline, ${workload.subjects} subjects`;
      contenders.push(within(workload, throughline(url, workload, { schema, name, connections: 1 })));
    }
    for (const { times, workload } of peers === undefined ? [] : sizes) {
      const name = `@mastra/memory on @mastra/pg, ${workload.subjects} subjects`;
      const options = { name, schema: `peer_${times}`, connections: 2, copied: true };
      contenders.push(within(workload, await mastraPg(peers ?? "", url, workload, options)));
    }
    const conversations = Math.max(...sizes.map(({ workload }) => workload.conversations));
    const measured = await measure(contenders, { seed, conversations, rounds, turnsPerRound });
    const rows = measured.map((own, index) => {
      // Each beside its own smallest.
      const base = measured[index < sizes.length ? 0 : sizes.length] ?? own;
      const { messages } = sizes[index % sizes.length]?.workload ?? { messages: Number.NaN };
      const figures = { ...figuresOf(own, base), messages, "× smallest": medianRatio(own.p50, base.p50) };
      return { name: own.name, figures };
    });
    return {
      bench: "growth",
      title: "One agent turn on PostgreSQL in databases of more subjects, each with the same data",
      date: today(),
      seed,
      machine: describeMachine(),
      versions: {
        node: process.versions.node,
        postgresql: server.version,
        ...(peers === undefined ? {} : mastraPgVersions(peers)),
      },
      setup: { rounds, "turns per round": turnsPerRound, "shared_buffers GB": 1, fsync: "on" },
      columns: COLUMNS,
      rows,
      gates: sizes.flatMap(({ most }, index) =>
        most === null ? [] : [{ rule: "Z12", row: measured[index]?.name ?? "", figure: "× smallest", most }],
      ),
      notes: [
        "Contenders take turns, 25 of one and then 25 of the next; conversations are drawn at random from all of them.",
        "A few conversations are written by each memory itself, and copied by the server.",
      ],
    };
  } finally {
    for (const contender of contenders) await contender.close();
    await server.stop();
  }
}

/** All draw from the largest one's conversations. */
function within({ conversations }: Workload, { read, write, ...rest }: Contender): Contender {
  return {
    ...rest,
    read: (conversation) => read(conversation % conversations),
    write: (conversation) => write(conversation % conversations),
  };
}
