import { WEIGHTS } from "./weights.ts";

/** A candidate of one kind of search: what it is, and its score. */
export interface Scored {
  /** Names the message. */
  key: string;
  score: number;
}

/** A candidate of either kind. */
export interface Fused extends Scored {
  matched: "keyword" | "semantic" | "both";
}

/**
 * One ranking of two: each kind's scores brought to 0 … 1 (words by their best, cosines by the room above the floor) and
 * added up by weight. With one kind only its order stays as it is. Both lists are best first. Pure.
 */
export function fuse(keyword: readonly Scored[], semantic: readonly Scored[], floor: number): Fused[] {
  const best = keyword.reduce((max, { score }) => Math.max(max, score), 0);
  const share = WEIGHTS.semantic / (1 + WEIGHTS.semantic);
  const fused = new Map<string, Fused>();
  for (const { key, score } of keyword) {
    const part = best > 0 ? score / best : 0;
    fused.set(key, { key, score: semantic.length > 0 ? part * (1 - share) : score, matched: "keyword" });
  }
  for (const { key, score } of semantic) {
    const part = floor < 1 ? Math.max(0, (score - floor) / (1 - floor)) : 0;
    const weighted = keyword.length > 0 ? share * part : score;
    const other = fused.get(key);
    // A message that was embedded twice is as near as its nearest vector.
    if (other && other.matched !== "keyword") continue;
    if (other === undefined) fused.set(key, { key, score: weighted, matched: "semantic" });
    else fused.set(key, { key, score: other.score + weighted, matched: "both" });
  }
  return [...fused.values()].sort((a, b) => b.score - a.score);
}
