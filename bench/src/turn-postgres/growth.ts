import { startBenchServer } from "../lib/postgres-server.ts";
import { type BenchResult, describeMachine, today } from "../lib/result.ts";
import { medianRatio } from "../lib/statistics.ts";
import type { Contender } from "../turn/contender.ts";
import { figuresOf, measure } from "../turn/measure.ts";
import { createWorkload } from "../turn/workload.ts";
import { fillThroughline, throughline } from "./throughline.ts";

const COLUMNS = ["messages", "p50 µs", "p99 µs", "read p50 µs", "write p50 µs", "CPU µs", "× smallest"] as const;
const SIZES = [
  { times: 1, most: null },
  { times: 10, most: 1.6 },
  { times: 40, most: 2.5 },
] as const;

/** Z12: the same turn in databases with more subjects, each with the same data. */
export async function runGrowth({ seed, quick }: { seed: number; quick: boolean }): Promise<BenchResult> {
  const smallest = quick ? 10_000 : 100_000;
  const rounds = quick ? 5 : 9;
  const turnsPerRound = quick ? 100 : 200;
  const server = await startBenchServer();
  const contenders: Contender[] = [];
  try {
    const { url } = server;
    const workloads = SIZES.map(({ times }) => createWorkload({ seed, messages: smallest * times }));
    for (const [index, workload] of workloads.entries()) {
      const schema = `growth_${SIZES[index]?.times}`;
      await fillThroughline(url, workload, { schema });
      const name = `${workload.subjects} subjects`;
      const { read, write, ...rest } = throughline(url, workload, { schema, name, connections: 1 });
      // All draw from the largest one's conversations.
      const own = (conversation: number) => conversation % workload.conversations;
      contenders.push({
        ...rest,
        read: (conversation) => read(own(conversation)),
        write: (conversation) => write(own(conversation)),
      });
    }
    const conversations = Math.max(...workloads.map((workload) => workload.conversations));
    const measured = await measure(contenders, { seed, conversations, rounds, turnsPerRound });
    const [base] = measured;
    return {
      bench: "growth",
      title: "One agent turn on PostgreSQL in databases of more subjects, each with the same data",
      date: today(),
      seed,
      machine: describeMachine(),
      versions: { node: process.versions.node, postgresql: server.version },
      setup: { rounds, "turns per round": turnsPerRound, "shared_buffers GB": 1, fsync: "on" },
      columns: COLUMNS,
      rows: measured.map((own, index) => ({
        name: own.name,
        figures: {
          ...figuresOf(own, base ?? own),
          messages: workloads[index]?.messages ?? Number.NaN,
          "× smallest": medianRatio(own.p50, (base ?? own).p50),
        },
      })),
      gates: SIZES.flatMap(({ most }, index) =>
        most === null ? [] : [{ rule: "Z12", row: measured[index]?.name ?? "", figure: "× smallest", most }],
      ),
      notes: [
        "Contenders take turns, 25 of one and then 25 of the next; conversations are drawn at random from all of them.",
      ],
    };
  } finally {
    for (const contender of contenders) await contender.close();
    await server.stop();
  }
}
