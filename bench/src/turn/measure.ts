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

/** Turns of one contender in a row; fewer than those after which the memory starts its background work by itself. */
const TURNS_IN_A_ROW = 25;

/** One round of one contender. */
interface Block {
  total: number[];
  read: number[];
  write: number[];
  cpu: number;
  afterCpu: number;
}

/**
 * Rounds of all contenders, a few turns of each in alternating order, so that whatever else the machine does befalls all
 * of them. The first round warms up and isn't counted.
 */
export async function measure(contenders: readonly Contender[], options: MeasureOptions): Promise<Measured[]> {
  const runners = contenders.map((contender) => ({
    contender,
    measured: { name: contender.name, p50: [], readP50: [], writeP50: [], cpu: [], afterCpu: [], all: [] } as Measured,
    // The same conversations for everybody.
    random: seededRandom(options.seed),
  }));
  for (let round = 0; round <= options.rounds; round++) {
    const blocks = new Map(
      runners.map((runner): [typeof runner, Block] => [
        runner,
        { total: [], read: [], write: [], cpu: 0, afterCpu: 0 },
      ]),
    );
    for (let done = 0; done < options.turnsPerRound; done += TURNS_IN_A_ROW) {
      const order = [...blocks];
      if ((done / TURNS_IN_A_ROW) % 2 === 1) order.reverse();
      for (const [{ contender, random }, block] of order) {
        await runTurns(contender, block, () => Math.floor(random() * options.conversations));
      }
    }
    if (round === 0) continue;
    for (const [{ measured }, block] of blocks) {
      measured.p50.push(median(block.total));
      measured.readP50.push(median(block.read));
      measured.writeP50.push(median(block.write));
      measured.cpu.push(block.cpu / block.total.length);
      measured.afterCpu.push(block.afterCpu / block.total.length);
      measured.all.push(...block.total);
    }
  }
  return runners.map(({ measured }) => measured);
}

async function runTurns(contender: Contender, block: Block, next: () => number): Promise<void> {
  const before = process.cpuUsage();
  for (let turn = 0; turn < TURNS_IN_A_ROW; turn++) {
    const conversation = next();
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
  if (contender.settle === undefined) return;
  const settling = process.cpuUsage();
  await contender.settle();
  const after = process.cpuUsage(settling);
  block.afterCpu += after.user + after.system;
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
