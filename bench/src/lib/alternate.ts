import { median, quantile } from "./statistics.ts";

/** Something that is measured again and again. */
export interface Work {
  name: string;
  /** One piece of it. */
  run(): void | Promise<void>;
}

/** What one took, in milliseconds: medians by round, and all. */
export interface Taken {
  p50: number[];
  cpu: number[];
  all: number[];
}

/**
 * Runs pieces of all works in alternating order, `pieces` of one and then of the next, so that whatever else the machine
 * does befalls all of them. The first round warms up and isn't counted.
 */
export async function alternate(
  works: readonly Work[],
  { rounds, pieces }: { rounds: number; pieces: number },
): Promise<Map<string, Taken>> {
  const taken = new Map(works.map(({ name }): [string, Taken] => [name, { p50: [], cpu: [], all: [] }]));
  for (let round = 0; round <= rounds; round++) {
    const order = round % 2 === 1 ? works.toReversed() : works;
    for (const { name, run } of order) {
      const times: number[] = [];
      const before = process.cpuUsage();
      for (let piece = 0; piece < pieces; piece++) {
        const start = process.hrtime.bigint();
        const running = run();
        if (running !== undefined) await running;
        times.push(Number(process.hrtime.bigint() - start) / 1e6);
        // The event loop has its turn between two pieces, as between two requests.
        await new Promise(setImmediate);
      }
      const { user, system } = process.cpuUsage(before);
      const own = taken.get(name);
      if (round === 0 || own === undefined) continue;
      own.p50.push(median(times));
      own.cpu.push((user + system) / 1_000 / pieces);
      own.all.push(...times);
    }
  }
  return taken;
}

/** The figures of one work: medians of rounds, the 99th percentile of all. */
export const takenFigures = ({ p50, cpu, all }: Taken): Record<string, number> => ({
  "p50 ms": median(p50),
  "p99 ms": quantile(all, 0.99),
  "CPU ms": median(cpu),
});
