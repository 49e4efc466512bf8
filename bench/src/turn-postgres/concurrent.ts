import { seededRandom } from "../lib/random.ts";
import { median } from "../lib/statistics.ts";
import type { Contender } from "../turn/contender.ts";

/** Turns per second of one contender. */
export interface Concurrent {
  name: string;
  /** Median of the rounds. */
  perSecond: number;
  /** By round. */
  rates: number[];
}

/** Fewer than those after which a memory starts its background work by itself. */
const TURNS_IN_A_BLOCK = 31;
const BLOCKS = 4;

/** Many turns at once: each worker takes one after the other. Contenders alternate; what follows replies isn't counted. */
export async function measureConcurrent(
  contenders: readonly Contender[],
  options: { seed: number; conversations: number; rounds: number; concurrent: number },
): Promise<Concurrent[]> {
  const all = contenders.map((contender) => ({
    contender,
    random: seededRandom(options.seed),
    rates: [] as number[],
  }));
  for (let round = 0; round <= options.rounds; round++) {
    const seconds = new Map(all.map((one) => [one, 0]));
    for (let block = 0; block < BLOCKS; block++) {
      for (const one of block % 2 === 0 ? all : all.toReversed()) {
        const { contender, random } = one;
        const start = process.hrtime.bigint();
        let left = TURNS_IN_A_BLOCK;
        const worker = async () => {
          while (left-- > 0) {
            const conversation = Math.floor(random() * options.conversations);
            await contender.read(conversation);
            await contender.write(conversation);
          }
        };
        await Promise.all(Array.from({ length: options.concurrent }, worker));
        seconds.set(one, (seconds.get(one) ?? 0) + Number(process.hrtime.bigint() - start) / 1e9);
        await contender.settle?.();
      }
    }
    if (round === 0) continue;
    for (const [{ rates }, time] of seconds) rates.push((BLOCKS * TURNS_IN_A_BLOCK) / time);
  }
  return all.map(({ contender, rates }) => ({ name: contender.name, perSecond: median(rates), rates }));
}
