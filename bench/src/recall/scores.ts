/** How well a ranking answers one question, all from 0 to 1. */
export interface Scores {
  /** Share of the evidence among the first ten. */
  recall: number;
  ndcg: number;
}

/** The first `k` compared with the evidence. */
export function scoreRanking(ranked: readonly string[], evidence: ReadonlySet<string>, k = 10): Scores {
  let [found, gain, ideal] = [0, 0, 0];
  ranked.slice(0, k).forEach((id, place) => {
    if (!evidence.has(id)) return;
    found++;
    gain += 1 / Math.log2(place + 2);
  });
  for (let place = 0; place < Math.min(k, evidence.size); place++) ideal += 1 / Math.log2(place + 2);
  return { recall: found / evidence.size, ndcg: ideal === 0 ? 0 : gain / ideal };
}

/** Share of the evidence inside a budget of tokens, taken as they are ranked; a token is four characters. */
export function evidenceWithin(
  ranked: readonly { id: string; text: string }[],
  evidence: ReadonlySet<string>,
  tokens: number,
): number {
  let [used, found] = [0, 0];
  for (const { id, text } of ranked) {
    used += text.length / 4;
    if (used > tokens) break;
    if (evidence.has(id)) found++;
  }
  return found / evidence.size;
}

export const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

/** Differences of one group of questions, which rise and fall together. */
export type Cluster = readonly number[];

/** The 95 % interval of a mean difference by the cluster bootstrap: whole groups are drawn with replacement. */
export function bootstrapInterval(
  clusters: readonly Cluster[],
  random: () => number,
  draws = 2000,
): { mean: number; low: number; high: number } {
  const means: number[] = [];
  for (let draw = 0; draw < draws; draw++) {
    let [sum, count] = [0, 0];
    for (let index = 0; index < clusters.length; index++) {
      const cluster = clusters[Math.floor(random() * clusters.length)] as Cluster;
      for (const difference of cluster) sum += difference;
      count += cluster.length;
    }
    means.push(sum / Math.max(1, count));
  }
  means.sort((a, b) => a - b);
  const at = (share: number): number => means[Math.floor(share * (draws - 1))] as number;
  return { mean: mean(clusters.flat()), low: at(0.025), high: at(0.975) };
}

/** How often a score tells an answerable question from one that isn't: 0.5 by chance, 1 always. */
export function auroc(answerable: readonly number[], others: readonly number[]): number {
  const all = [...answerable.map((score) => ({ score, yes: 1 })), ...others.map((score) => ({ score, yes: 0 }))];
  all.sort((a, b) => a.score - b.score);
  let sum = 0;
  for (let from = 0; from < all.length; ) {
    let to = from;
    while (to < all.length && all[to]?.score === all[from]?.score) to++;
    // Equals share the mean of their ranks.
    const rank = (from + 1 + to) / 2;
    for (let index = from; index < to; index++) if (all[index]?.yes === 1) sum += rank;
    from = to;
  }
  const [yes, no] = [answerable.length, others.length];
  return (sum - (yes * (yes + 1)) / 2) / (yes * no);
}
