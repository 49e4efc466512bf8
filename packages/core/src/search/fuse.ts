import { WEIGHTS } from "./weights.ts";

/** A candidate of one kind of search: what it is, and its score. */
export interface Scored {
  /** Names the message. */
  key: string;
  score: number;
}

/** A candidate of any kind. */
export interface Fused extends Scored {
  matched: "keyword" | "semantic" | "both";
}

/**
 * One ranking of several: each kind's scores brought to 0 … 1 (words by their best, cosines by the room above the floor) and
 * added up by weight. With one kind only its order stays as it is. All lists are best first; facts have scores of 0 … 1. What
 * a fact leads to is found by words: the fact's. Pure.
 */
export function fuse({
  words,
  meaning,
  facts,
  floor,
  weight = WEIGHTS.semantic,
}: {
  words: readonly Scored[];
  meaning: readonly Scored[];
  facts: readonly Scored[];
  floor: number;
  /** Of the meaning, beside the words' 1. */
  weight?: number;
}): Fused[] {
  if (meaning.length === 0 && facts.length === 0) return alone(words, "keyword");
  if (words.length === 0 && facts.length === 0) return alone(meaning, "semantic");
  const best = words.reduce((most, { score }) => Math.max(most, score), 0);
  const room = floor < 1 ? 1 - floor : 1;
  const fused = new Map<string, Fused>();
  for (const { key, score } of unique(words)) {
    fused.set(key, { key, score: best > 0 ? score / best : 0, matched: "keyword" });
  }
  for (const { key, score } of unique(facts)) {
    const known = fused.get(key)?.score ?? 0;
    fused.set(key, { key, score: known + WEIGHTS.facts.weight * score, matched: "keyword" });
  }
  for (const { key, score } of unique(meaning)) {
    const known = fused.get(key);
    const part = weight * Math.max(0, (score - floor) / room);
    fused.set(key, { key, score: (known?.score ?? 0) + part, matched: known === undefined ? "semantic" : "both" });
  }
  const whole =
    (words.length > 0 ? 1 : 0) + (facts.length > 0 ? WEIGHTS.facts.weight : 0) + (meaning.length > 0 ? weight : 0);
  return [...fused.values()]
    .map((found) => ({ ...found, score: found.score / whole }))
    .sort((left, right) => right.score - left.score);
}

const alone = (scored: readonly Scored[], matched: Fused["matched"]): Fused[] =>
  unique(scored)
    .map((found) => ({ ...found, matched }))
    .sort((left, right) => right.score - left.score);

/** Of each message its best: one that was embedded twice is as near as its nearest vector. */
function unique(scored: readonly Scored[]): Scored[] {
  const kept = new Map<string, Scored>();
  for (const entry of scored) if (!kept.has(entry.key)) kept.set(entry.key, entry);
  return [...kept.values()];
}
