import { isDateTerm } from "./date-terms.ts";
import { type GatheredUnits, gatherUnits, type UnitPostings } from "./gather-units.ts";
import { Greatest } from "./greatest.ts";
import { isLanguageTerm } from "./language-terms.ts";
import { SHARES } from "./near-units.ts";
import { quotingUnits, textNumbers } from "./quoting-units.ts";
import { type AskedWord, relevanceOf } from "./relevance.ts";
import { Slicer, type Slices } from "./slices.ts";
import { ASSISTANT, asks, roleOf } from "./unit-place.ts";
import { WEIGHTS } from "./weights.ts";

/** A piece of a message, and how well it answers. */
export interface RankedUnit {
  document: number;
  /** 0 and more; greater is better. */
  score: number;
  /** It holds terms of a quoted phrase, and its text all of them. */
  quotes: boolean;
  /** A number for what one role says in one turn: several pieces may be of one text. */
  text: number;
}

export interface UnitRanking {
  /**
   * Best first, equals in no order; cut behind {@link WEIGHTS.candidates}, equals of the last one included. As many of those
   * whose text holds all terms of a quoted phrase stay, too.
   */
  units: RankedUnit[];
  /** How much of the question was said here, from 0 to 1. */
  relevance: number;
  /** What is known of the pieces, to rank what stands behind the best of them. */
  held?: HeldUnits;
}

/** What is ranked by: the statistics of a scope, and where the terms of a question stand in it. */
export interface RankedPostings {
  documents: number;
  totalLength: number;
  terms: readonly UnitPostings[];
  /** The terms of each quoted phrase. */
  phrases?: readonly (readonly string[])[];
  /** Terms that are other spellings of a word, which is counted itself. */
  beside?: ReadonlySet<string> | undefined;
}

/** As many of the best (and their equals) are looked at for what they cover, whatever is asked for. */
const BEST = 10;

/**
 * Ranks the pieces that hold words of a question: by their own words, by those around them and by those of their whole
 * conversation, each brought to 0 … 1 and added up by weight; then by whose words they are. Every sum is in an order that the
 * store doesn't decide, so that all stores rank alike. In slices, since a scope may hold a great many. Pure; the one place in
 * which messages are scored.
 */
export function* rankUnits(input: RankedPostings): Slices<UnitRanking> {
  const slicer = new Slicer();
  const gathered = yield* gatherUnits(input.terms, slicer);
  const { size } = gathered;
  if (size === 0) return { units: [], relevance: 0 };
  const averageLength = input.documents > 0 ? Math.max(1, input.totalLength / input.documents) : 1;
  const rarity = (frequency: number): number => Math.log(1 + (input.documents - frequency + 0.5) / (frequency + 0.5));
  const sums: Sums = {
    own: slicer.room.doubles(size),
    around: slicer.room.doubles(size),
    whole: slicer.room.doubles(gathered.conversations),
  };
  const norms = yield* lengthNorms(gathered, averageLength, slicer);
  const scratch: Scratch = {
    frequencies: slicer.room.doubles(size),
    touched: slicer.room.integers(size),
    seen: slicer.room.integers(size),
    counts: slicer.room.doubles(gathered.conversations),
  };
  const words: AskedWord[] = [];
  const weights: number[] = [];
  for (const [index, { term, documentFrequency }] of input.terms.entries()) {
    // A word that nobody said weighs as much as one that was said once.
    const weight = rarity(Math.max(1, documentFrequency));
    const isAsked = !isDateTerm(term) && !isLanguageTerm(term) && input.beside?.has(term) !== true;
    if (isAsked) words.push({ weight, isKnown: documentFrequency > 0 });
    weights.push(weight);
    yield* addTerm(gathered, { index, weight, norms, sums, scratch }, slicer);
  }
  const { scores, most } = yield* fuseParts(gathered, sums, slicer);
  const texts = yield* textNumbers(gathered, slicer);
  const quoting = yield* quotingUnits(input.terms, { gathered, texts }, input.phrases ?? [], slicer);
  const units = yield* bestOf(scores, quoting, slicer);
  const best = units.filter(({ score }) => score >= (units[BEST - 1]?.score ?? 0));
  const ranked: RankedUnit[] = [];
  // There may be as many equals as there are pieces.
  yield* slicer.each(units.length, (from, to) => {
    for (const { unit, score } of units.slice(from, to)) {
      const document = gathered.documents[unit] as number;
      ranked.push({ document, score, quotes: quoting.has(unit), text: texts[unit] as number });
    }
  });
  return {
    units: ranked,
    relevance: relevanceOf(words, {
      around: best.map(({ unit }) => sums.around[unit] as number),
      conversation: best.map(({ unit }) => sums.whole[gathered.conversationOf[unit] as number] as number),
    }),
    held: { gathered, weights, averageLength, whole: sums.whole, most, texts, best: firstOf(units) },
  };
}

/** Those at the top; where others are as good as the last of them, without all these: their order is the store's. */
function firstOf(units: readonly { unit: number; score: number }[]): number[] {
  const next = units[WEIGHTS.followed]?.score;
  const first = units.slice(0, WEIGHTS.followed);
  return first.filter(({ score }) => score !== next).map(({ unit }) => unit);
}

/** The greatest sums, which count as 1. */
export interface Parts {
  own: number;
  around: number;
  whole: number;
}

/** What is known of the pieces that hold words. */
export interface HeldUnits {
  gathered: GatheredUnits;
  /** How much each term weighs, by how rare it is. */
  weights: readonly number[];
  averageLength: number;
  /** What the terms add up to in each conversation. */
  whole: Float64Array;
  most: Parts;
  /** Of each piece the number of its text. */
  texts: Uint32Array;
  /** The best, {@link WEIGHTS.followed} at most. */
  best: readonly number[];
}

/** What the terms add up to, of pieces and of conversations. */
interface Sums {
  own: Float64Array;
  around: Float64Array;
  whole: Float64Array;
}

/** What BM25 compares frequencies with, for a piece and for it with its surroundings. */
interface Norms {
  own: Float64Array;
  around: Float64Array;
}

/** Room that each term uses anew. */
interface Scratch {
  /** Of the term at hand, by piece; 0 between two terms. */
  frequencies: Float64Array;
  /** The pieces that hold the term or stand next to one that does. */
  touched: Uint32Array;
  /** Of which term, from 1, a piece was touched last. */
  seen: Uint32Array;
  /** Of the term at hand, by conversation; 0 between two terms. */
  counts: Float64Array;
}

/** Adds what one term says for each piece and each conversation. */
function* addTerm(
  gathered: GatheredUnits,
  {
    index,
    weight,
    norms,
    sums,
    scratch,
  }: { index: number; weight: number; norms: Norms; sums: Sums; scratch: Scratch },
  slicer: Slicer,
): Slices<void> {
  const { held, frequencies } = gathered.terms[index] as GatheredUnits["terms"][number];
  if (held.length === 0) return;
  const { conversationOf, near } = gathered;
  const { frequencies: ofUnit, touched, seen, counts } = scratch;
  let reached = 0;
  yield* slicer.each(held.length, (from, to) => {
    for (let at = from; at < to; at++) {
      const unit = held[at] as number;
      const frequency = frequencies[at] as number;
      const conversation = conversationOf[unit] as number;
      ofUnit[unit] = frequency;
      counts[conversation] = (counts[conversation] as number) + frequency;
      sums.own[unit] = (sums.own[unit] as number) + saturated(frequency, norms.own[unit] as number, weight);
      if (seen[unit] !== index + 1) {
        seen[unit] = index + 1;
        touched[reached++] = unit;
      }
      for (let place = near.from[unit] as number; place < (near.from[unit + 1] as number); place++) {
        const other = near.units[place] as number;
        if (seen[other] === index + 1) continue;
        seen[other] = index + 1;
        touched[reached++] = other;
      }
    }
  });
  for (let conversation = 0; conversation < counts.length; conversation++) {
    const count = counts[conversation] as number;
    if (count === 0) continue;
    sums.whole[conversation] = (sums.whole[conversation] as number) + saturated(count, WEIGHTS.k1, weight);
    counts[conversation] = 0;
  }
  yield* slicer.each(reached, (from, to) => {
    for (let at = from; at < to; at++) {
      const unit = touched[at] as number;
      const spread = (ofUnit[unit] as number) + spreadTo(near, ofUnit, unit);
      sums.around[unit] = (sums.around[unit] as number) + saturated(spread, norms.around[unit] as number, weight);
    }
  });
  for (let at = 0; at < held.length; at++) ofUnit[held[at] as number] = 0;
}

/** How much of a term stands around a piece, in the order of the pieces. */
function spreadTo({ from, units, shares }: GatheredUnits["near"], frequencies: Float64Array, unit: number): number {
  let sum = 0;
  for (let at = from[unit] as number; at < (from[unit + 1] as number); at++) {
    sum += (SHARES[shares[at] as number] as number) * (frequencies[units[at] as number] as number);
  }
  return sum;
}

export const saturated = (frequency: number, norm: number, weight: number): number =>
  (weight * frequency * (WEIGHTS.k1 + 1)) / (frequency + norm);

/** What BM25 compares a frequency with. */
const normOf = (length: number, averageLength: number): number =>
  WEIGHTS.k1 * (1 - WEIGHTS.b + (WEIGHTS.b * length) / averageLength);

const ALL_SHARES = [...WEIGHTS.before, ...WEIGHTS.behind].reduce((sum, share) => sum + share, 0);

/**
 * The same of a piece with its surroundings: whatever stands beside it is taken for a piece of ordinary length, since those
 * without words of the question aren't read.
 */
export const normAround = (length: number, averageLength: number): number =>
  normOf((length + ALL_SHARES * averageLength) / (1 + ALL_SHARES), averageLength);

function* lengthNorms({ size, lengths }: GatheredUnits, averageLength: number, slicer: Slicer): Slices<Norms> {
  const [own, around] = [slicer.room.doubles(size), slicer.room.doubles(size)];
  yield* slicer.each(size, (from, to) => {
    for (let unit = from; unit < to; unit++) {
      const length = lengths[unit] as number;
      own[unit] = normOf(length, averageLength);
      around[unit] = normAround(length, averageLength);
    }
  });
  return { own, around };
}

function* fuseParts(
  { size, conversationOf, rests }: GatheredUnits,
  { own, around, whole }: Sums,
  slicer: Slicer,
): Slices<{ scores: Float64Array; most: Parts }> {
  const most = { own: greatest(own), around: greatest(around), whole: greatest(whole) };
  const scores = slicer.room.doubles(size);
  yield* slicer.each(size, (from, to) => {
    for (let unit = from; unit < to; unit++) {
      scores[unit] = scoreOf(
        own[unit] as number,
        around[unit] as number,
        whole[conversationOf[unit] as number] as number,
        most,
        rests[unit] as number,
      );
    }
  });
  return { scores, most };
}

/** What a piece scores by what its own words, those around it and those of its conversation add up to. */
export function scoreOf(own: number, around: number, whole: number, most: Parts, rest: number): number {
  let score =
    (WEIGHTS.own * own) / most.own +
    (WEIGHTS.surroundings * around) / most.around +
    (WEIGHTS.conversation * whole) / most.whole;
  if (roleOf(rest) === ASSISTANT) score *= WEIGHTS.assistant;
  if (asks(rest)) score *= WEIGHTS.question;
  return score;
}

function greatest(values: Float64Array): number {
  let most = 0;
  for (const value of values) if (value > most) most = value;
  return most > 0 ? most : 1;
}

/** The best, and all that score like the last of them; and the best of those that quote. */
function* bestOf(
  scores: Float64Array,
  quoting: ReadonlySet<number>,
  slicer: Slicer,
): Slices<{ unit: number; score: number }[]> {
  const [all, those] = [new Greatest(WEIGHTS.candidates), new Greatest(WEIGHTS.candidates)];
  yield* slicer.each(scores.length, (from, to) => {
    for (let unit = from; unit < to; unit++) all.add(scores[unit] as number);
  });
  for (const unit of quoting) those.add(scores[unit] as number);
  const [least, leastQuoting] = [all.least, those.least];
  const best: { unit: number; score: number }[] = [];
  yield* slicer.each(scores.length, (from, to) => {
    for (let unit = from; unit < to; unit++) {
      const score = scores[unit] as number;
      if (score >= least || (score >= leastQuoting && quoting.has(unit))) best.push({ unit, score });
    }
  });
  return best.sort((left, right) => right.score - left.score);
}
