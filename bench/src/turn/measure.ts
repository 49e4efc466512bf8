import { seededRandom } from "../lib/random.ts";
import { median, medianRatio, quantile } from "../lib/statistics.ts";
import type { Contender } from "./contender.ts";

export interface MeasureOptions {
  seed: number;
  conversations: number;
  rounds: number;
  turnsPerRound: number;
}

/** What one contender took, by round. */
export interface Measured {
  name: string;
  p50: number[];
  readP50: number[];
  writeP50: number[];
  cpu: number[];
  /** CPU of what follows the reply, per turn. */
  afterCpu: number[];
  /** All turns of all rounds. */
  all: number[];
}

/** Fewer than the turns after which the memory starts its background work by itself. */
const TURNS_BETWEEN_SETTLING = 25;

/** Rounds of all contenders, one after the other, in alternating order. The first round warms up and isn't counted. */
export async function measure(contenders: readonly Contender[], options: MeasureOptions): Promise<Measured[]> {
  const measured = contenders.map(
    ({ name }): Measured => ({ name, p50: [], readP50: [], writeP50: [], cpu: [], afterCpu: [], all: [] }),
  );
  for (let round = 0; round <= options.rounds; round++) {
    const order = contenders.map((_, index) => index);
    if (round % 2 === 1) order.reverse();
    for (const index of order) {
      const contender = contenders[index];
      const into = measured[index];
      if (contender === undefined || into === undefined) continue;
      const block = await runBlock(contender, options, round);
      if (round === 0) continue;
      into.p50.push(median(block.total));
      into.readP50.push(median(block.read));
      into.writeP50.push(median(block.write));
      into.cpu.push(block.cpu / options.turnsPerRound);
      into.afterCpu.push(block.afterCpu / options.turnsPerRound);
      into.all.push(...block.total);
    }
  }
  return measured;
}

async function runBlock(contender: Contender, options: MeasureOptions, round: number) {
  // The same conversations for everybody.
  const random = seededRandom(options.seed + round);
  const block = { total: [] as number[], read: [] as number[], write: [] as number[], cpu: 0, afterCpu: 0 };
  for (let done = 0; done < options.turnsPerRound; ) {
    const before = process.cpuUsage();
    const until = Math.min(options.turnsPerRound, done + TURNS_BETWEEN_SETTLING);
    for (; done < until; done++) {
      const conversation = Math.floor(random() * options.conversations);
      const start = process.hrtime.bigint();
      const reading = contender.read(conversation);
      const messages = typeof reading === "number" ? reading : await reading;
      const middle = process.hrtime.bigint();
      const writing = contender.write(conversation);
      if (writing !== undefined) await writing;
      const end = process.hrtime.bigint();
      if (messages !== 20) throw new Error(`${contender.name} read ${messages} messages instead of 20.`);
      block.total.push(Number(end - start) / 1000);
      block.read.push(Number(middle - start) / 1000);
      block.write.push(Number(end - middle) / 1000);
    }
    const turns = process.cpuUsage(before);
    block.cpu += turns.user + turns.system;
    if (contender.settle === undefined) continue;
    const settling = process.cpuUsage();
    await contender.settle();
    const after = process.cpuUsage(settling);
    block.afterCpu += after.user + after.system;
  }
  return block;
}

/** Figures of one contender beside those of the floor. */
export function figuresOf(own: Measured, floor: Measured): Record<string, number> {
  const figures: Record<string, number> = {
    "p50 µs": median(own.p50),
    "p99 µs": quantile(own.all, 0.99),
    "read p50 µs": median(own.readP50),
    "write p50 µs": median(own.writeP50),
    "CPU µs": median(own.cpu),
    "× floor": medianRatio(own.p50, floor.p50),
    "CPU × floor": medianRatio(own.cpu, floor.cpu),
  };
  const after = median(own.afterCpu);
  if (after > 0) figures["indexing CPU µs"] = after;
  return figures;
}
