import { isDateTerm } from "./date-terms.ts";
import { type GatheredUnits, gatherUnits, type UnitPostings } from "./gather-units.ts";
import { isLanguageTerm } from "./language-terms.ts";
import { type AskedWord, relevanceOf } from "./relevance.ts";
import { WEIGHTS } from "./weights.ts";

/** A piece of a message, and how well it answers. */
export interface RankedUnit {
  document: number;
  /** 0 and more; greater is better. */
  score: number;
  /** It holds terms of a quoted phrase, and its text all of them. */
  quotes: boolean;
}

export interface UnitRanking {
  /**
   * Best first, equals in no order; cut behind {@link WEIGHTS.candidates}, equals of the last one included. As many of those
   * whose text holds all terms of a quoted phrase stay, too.
   */
  units: RankedUnit[];
  /** How much of the question was said here, from 0 to 1. */
  relevance: number;
}

/** As many of the best (and their equals) are looked at for what they cover, whatever is asked for. */
const BEST = 10;

/**
 * Ranks the pieces that hold words of a question: by their own words, by those around them and by those of their whole
 * conversation, each brought to 0 … 1 and added up by weight; then by whose words they are. Every sum is in an order that the
 * store doesn't decide, so that all stores rank alike. Pure; the one place in which messages are scored.
 */
export function rankUnits(input: {
  documents: number;
  totalLength: number;
  terms: readonly UnitPostings[];
  /** The terms of each quoted phrase. */
  phrases?: readonly (readonly string[])[];
}): UnitRanking {
  const gathered = gatherUnits(input.terms);
  const { size } = gathered;
  if (size === 0) return { units: [], relevance: 0 };
  const averageLength = input.documents > 0 ? Math.max(1, input.totalLength / input.documents) : 1;
  const rarity = (frequency: number): number => Math.log(1 + (input.documents - frequency + 0.5) / (frequency + 0.5));
  const [own, around, whole] = [
    new Float64Array(size),
    new Float64Array(size),
    new Float64Array(gathered.conversations),
  ];
  const norms = lengthNorms(gathered, averageLength);
  const touched = new Uint32Array(size);
  const words: AskedWord[] = [];
  for (const [index, { term, documentFrequency }] of input.terms.entries()) {
    // A word that nobody said weighs as much as one that was said once.
    const weight = rarity(Math.max(1, documentFrequency));
    if (!isDateTerm(term) && !isLanguageTerm(term)) words.push({ weight, isKnown: documentFrequency > 0 });
    const { frequencies, held } = gathered.terms[index] as GatheredUnits["terms"][number];
    if (held.length === 0) continue;
    addConversations(whole, gathered, { frequencies, held, weight });
    for (const unit of held) {
      own[unit] = (own[unit] as number) + saturated(frequencies[unit] as number, norms.own[unit] as number, weight);
    }
    for (const unit of touchedBy(gathered, held, touched, index + 1)) {
      const spread = (frequencies[unit] as number) + spreadTo(gathered, frequencies, unit);
      around[unit] = (around[unit] as number) + saturated(spread, norms.around[unit] as number, weight);
    }
  }
  const scores = fuseParts(gathered, own, around, whole);
  const quoting = quotingUnits(input.terms, gathered, input.phrases ?? []);
  const units = bestOf(gathered, scores, quoting);
  const best = units.filter(({ score }) => score >= (units[BEST - 1]?.score ?? 0));
  return {
    units: units.map(({ unit, score }) => ({
      document: gathered.documents[unit] as number,
      score,
      quotes: quoting.has(unit),
    })),
    relevance: relevanceOf(words, {
      around: best.map(({ unit }) => around[unit] as number),
      conversation: best.map(({ unit }) => whole[gathered.conversationOf[unit] as number] as number),
    }),
  };
}

/** The pieces that hold a term or stand next to one that does, each once; `touched` says which terms were there last. */
function touchedBy({ near }: GatheredUnits, held: readonly number[], touched: Uint32Array, term: number): number[] {
  const found: number[] = [];
  const touch = (unit: number): void => {
    if (touched[unit] === term) return;
    touched[unit] = term;
    found.push(unit);
  };
  for (const unit of held) {
    touch(unit);
    for (let at = near.from[unit] as number; at < (near.from[unit + 1] as number); at++)
      touch(near.units[at] as number);
  }
  return found;
}

/** How much of a term stands around a piece, in the order of the pieces. */
function spreadTo({ near }: GatheredUnits, frequencies: Float64Array, unit: number): number {
  let sum = 0;
  for (let at = near.from[unit] as number; at < (near.from[unit + 1] as number); at++) {
    sum += (near.shares[at] as number) * (frequencies[near.units[at] as number] as number);
  }
  return sum;
}

const saturated = (frequency: number, norm: number, weight: number): number =>
  (weight * frequency * (WEIGHTS.k1 + 1)) / (frequency + norm);

/** What BM25 compares frequencies with, for a piece and for it with its surroundings. */
function lengthNorms(gathered: GatheredUnits, averageLength: number): { own: Float64Array; around: Float64Array } {
  const { size, lengths } = gathered;
  const norm = (length: number): number => WEIGHTS.k1 * (1 - WEIGHTS.b + (WEIGHTS.b * length) / averageLength);
  const shares = [...WEIGHTS.before, ...WEIGHTS.behind].reduce((sum, share) => sum + share, 0);
  const [own, around] = [new Float64Array(size), new Float64Array(size)];
  for (let unit = 0; unit < size; unit++) {
    const length = lengths[unit] as number;
    own[unit] = norm(length);
    // Whatever stands beside it is taken for a piece of ordinary length: those without words of the question aren't read.
    around[unit] = norm((length + shares * averageLength) / (1 + shares));
  }
  return { own, around };
}

/** Adds to each conversation what a term says for it. */
function addConversations(
  whole: Float64Array,
  { conversationOf, conversations }: GatheredUnits,
  { frequencies, held, weight }: { frequencies: Float64Array; held: readonly number[]; weight: number },
): void {
  const counts = new Float64Array(conversations);
  for (const unit of held) {
    const conversation = conversationOf[unit] as number;
    counts[conversation] = (counts[conversation] as number) + (frequencies[unit] as number);
  }
  for (let index = 0; index < conversations; index++) {
    const count = counts[index] as number;
    if (count > 0) whole[index] = (whole[index] as number) + saturated(count, WEIGHTS.k1, weight);
  }
}

function fuseParts(
  { size, conversationOf, places }: GatheredUnits,
  own: Float64Array,
  around: Float64Array,
  whole: Float64Array,
): Float64Array {
  const [mostOwn, mostAround, mostWhole] = [greatest(own), greatest(around), greatest(whole)];
  const scores = new Float64Array(size);
  for (let unit = 0; unit < size; unit++) {
    const place = places[unit];
    let score =
      (WEIGHTS.own * (own[unit] as number)) / mostOwn +
      (WEIGHTS.surroundings * (around[unit] as number)) / mostAround +
      (WEIGHTS.conversation * (whole[conversationOf[unit] as number] as number)) / mostWhole;
    if (place?.role === "assistant") score *= WEIGHTS.assistant;
    if (place?.asks) score *= WEIGHTS.question;
    scores[unit] = score;
  }
  return scores;
}

function greatest(values: Float64Array): number {
  let most = 0;
  for (const value of values) if (value > most) most = value;
  return most > 0 ? most : 1;
}

/** The pieces that hold terms of a phrase, where all of its terms stand in one text: it may go on in the next piece. */
function quotingUnits(
  terms: readonly UnitPostings[],
  gathered: GatheredUnits,
  phrases: readonly (readonly string[])[],
): Set<number> {
  const quoting = new Set<number>();
  if (phrases.length === 0) return quoting;
  const holders = new Map(terms.map(({ term }, index) => [term, gathered.terms[index]?.held ?? []]));
  const textOf = textNumbers(gathered);
  for (const phrase of phrases) {
    const held = phrase.map((term) => holders.get(term) ?? []);
    const [rarest, ...others] = held
      .map((units) => new Set(units.map((unit) => textOf[unit])))
      .sort((left, right) => left.size - right.size);
    const texts = new Set([...(rarest ?? [])].filter((text) => others.every((some) => some.has(text))));
    for (const unit of held.flat()) if (texts.has(textOf[unit])) quoting.add(unit);
  }
  return quoting;
}

/** A number for each piece, the same for those of one text: what one role says in one turn. */
function textNumbers({ size, places, conversationOf }: GatheredUnits): Uint32Array {
  const numbers = new Uint32Array(size);
  for (let unit = 1; unit < size; unit++) {
    const [before, place] = [places[unit - 1], places[unit]];
    const isNext =
      conversationOf[unit] === conversationOf[unit - 1] && before?.seq === place?.seq && before?.role === place?.role;
    numbers[unit] = (numbers[unit - 1] as number) + (isNext ? 0 : 1);
  }
  return numbers;
}

/** The best, and all that score like the last of them; and the best of those that quote. */
function bestOf(
  { size }: GatheredUnits,
  scores: Float64Array,
  quoting: ReadonlySet<number>,
): { unit: number; score: number }[] {
  const leastOf = (sorted: Float64Array): number => sorted[Math.max(0, sorted.length - WEIGHTS.candidates)] ?? 0;
  const least = leastOf(Float64Array.from(scores).sort());
  const leastQuoting = leastOf(Float64Array.from(quoting, (unit) => scores[unit] as number).sort());
  const best: { unit: number; score: number }[] = [];
  for (let unit = 0; unit < size; unit++) {
    const score = scores[unit] as number;
    if (score >= least || (score >= leastQuoting && quoting.has(unit))) best.push({ unit, score });
  }
  return best.sort((left, right) => right.score - left.score);
}
