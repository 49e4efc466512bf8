import { WEIGHTS } from "./weights.ts";

/** What is known of the best pieces, as BM25 adds it up: parallel arrays, one entry a piece. */
export interface BestPieces {
  /** Of the piece with its surroundings. */
  around: readonly number[];
  /** Of its whole conversation. */
  conversation: readonly number[];
}

/** A word of a question that is no time. */
export interface AskedWord {
  /** How much it weighs, by how rare it is. */
  weight: number;
  /** Somebody said it, anywhere in the scope. */
  isKnown: boolean;
}

/**
 * How much of a question was said here, from 0 to 1: around the best piece, around the best ones on average, in their
 * conversation, and anywhere, added up by {@link WEIGHTS.relevance}. Of a long question its rarest words are enough. A
 * question of times alone is answered by whatever was said then: 1. Pure; the order of the pieces doesn't matter.
 */
export function relevanceOf(words: readonly AskedWord[], best: BestPieces): number {
  const rarest = [...words]
    .sort((left, right) => right.weight - left.weight || Number(right.isKnown) - Number(left.isKnown))
    .slice(0, WEIGHTS.floorWords);
  const asked = sum(rarest.map(({ weight }) => weight));
  if (asked === 0) return 1;
  // A word that stands there without end counts k1 + 1 times.
  const most = asked * (WEIGHTS.k1 + 1);
  const { best: one, ordinary, conversation, known } = WEIGHTS.relevance;
  const parts =
    one * Math.max(0, ...best.around) +
    (ordinary * sum(best.around)) / Math.max(1, best.around.length) +
    conversation * Math.max(0, ...best.conversation) +
    known * (WEIGHTS.k1 + 1) * sum(rarest.filter(({ isKnown }) => isKnown).map(({ weight }) => weight));
  return parts / most / (one + ordinary + conversation + known);
}

/** In one order, whatever order the values come in. */
const sum = (values: readonly number[]): number =>
  [...values].sort((left, right) => left - right).reduce((total, value) => total + value, 0);
