import type { SentenceWorth } from "./sentence-worth.ts";

/** What a term still adds each time it is told again. */
const NOVELTY = 0.6;
/** Above 1, as a long sentence has more words that a summary can do without. */
const COST_POWER = 1.15;

/**
 * The order in which sentences are worth their tokens, as indexes: each time the one that adds most per token to what
 * was taken before (greedy weighted coverage; ties go to the newest). Terms told already add little, so that
 * repetition loses against news.
 */
export function sentencesByWorth(worths: readonly SentenceWorth[], tokens: readonly number[]): number[] {
  const order: number[] = [];
  const told = new Map<string, number>();
  const gain = (index: number): number => {
    const worth = worths[index];
    if (worth === undefined) return 0;
    let sum = 0;
    for (const [term, weight] of worth.terms) sum += weight * NOVELTY ** (told.get(term) ?? 0);
    return (sum * worth.factor) / Math.max(1, tokens[index] ?? 1) ** COST_POWER;
  };
  // Gains only fall, so a stale gain is an upper bound: the first whose fresh gain still leads is the best.
  const queue = worths.map((_, index) => ({ index, gain: gain(index) }));
  queue.sort((a, b) => a.gain - b.gain || a.index - b.index);
  for (let best = queue.pop(); best !== undefined; best = queue.pop()) {
    best.gain = gain(best.index);
    const next = queue.at(-1);
    if (next !== undefined && best.gain < next.gain) {
      queue.splice(placeOf(queue, best), 0, best);
      continue;
    }
    order.push(best.index);
    for (const [term] of worths[best.index]?.terms ?? []) told.set(term, (told.get(term) ?? 0) + 1);
  }
  return order;
}

function placeOf(queue: readonly { index: number; gain: number }[], item: { index: number; gain: number }): number {
  let low = 0;
  let high = queue.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const other = queue[middle];
    if (other !== undefined && (other.gain - item.gain || other.index - item.index) < 0) low = middle + 1;
    else high = middle;
  }
  return low;
}
