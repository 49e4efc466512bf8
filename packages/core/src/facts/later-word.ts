import type { Fact } from "../contract/fact.ts";
import { isNegated, meaningOf, sharedTerms } from "../text/words.ts";
import { type Measure, measuresIn } from "./measures.ts";

/** What says that something isn't as it was, in the languages that write words apart. */
const CHANGE =
  /(?<![\p{L}])(?:now|nowadays|currently|recent(?:ly)?|latest|new|instead|no longer|anymore|chang\p{L}*|updat\p{L}*|mov(?:ed|ing)|reschedul\p{L}*|postpon\p{L}*|shift(?:ed|ing)?|exten(?:d|ded|ding|sion)|shorten\p{L}*|rais(?:ed|ing)|increas\p{L}*|decreas\p{L}*|reduc\p{L}*|lower(?:ed|ing)?|adjust\p{L}*|revis(?:ed|ing)|improv(?:ed|ing)|grown?|reached|switched|replaced|jetzt|nun|neu\p{L}*|inzwischen|geändert|verschoben|erhöht|gesenkt|statt(?:dessen)?|désormais|maintenant|nouve\p{L}*|changé\p{L}*|déplacé\p{L}*|augmenté\p{L}*|réduit\p{L}*|ahora|nuev\p{L}*|cambi\p{L}*|aument\p{L}*|reduj\p{L}*|reducid\p{L}*|agora|nov[oa]s?|mud(?:ou|ado|ada)|adiad\p{L}*|adesso|ora|nuov\p{L}*|spostat\p{L}*|nu|nieuw\p{L}*|gewijzigd|verplaatst|verhoogd|теперь|нов\p{L}*|изменил\p{L}*|перенес\p{L}*)(?![\p{L}])/iu;

/** Words of both that must be one, besides what changed. */
const MIN_SHARED = 2;
/** Part of what the shorter one's words weigh that the other has. */
const MIN_PART = 0.75;

const textOf = ({ value }: Pick<Fact, "value">): string => (typeof value === "string" ? value : "");

const subjectOf = (text: string): string[] => meaningOf(text).filter((term) => !/\d/.test(term) && !CHANGE.test(term));

/** Whether one of the quantities of two texts is of one kind and differs. */
function differs(a: readonly Measure[], b: readonly Measure[]): boolean {
  return a.some((left) => {
    const same = b.filter(({ kinds }) => sharedTerms(left.kinds, kinds) > 0);
    return same.length > 0 && !same.some(({ amount }) => amount === left.amount);
  });
}

/** How much a word tells about what a text is of: less, the more of the other facts have it. */
export function wordWeights(facts: readonly Pick<Fact, "value">[]): (term: string) => number {
  const counts = new Map<string, number>();
  for (const fact of facts) for (const term of meaningOf(textOf(fact))) counts.set(term, (counts.get(term) ?? 0) + 1);
  return (term) => Math.log(1 + (facts.length + 1) / ((counts.get(term) ?? 0) + 0.5));
}

/**
 * How sure it is that a fact speaks of what a known one speaks of and gives another quantity of it, 0 … 1: the part of the
 * shorter one's words, by what they tell, that both have. 0 where no quantity of one kind differs. Pure.
 */
export function likenessOf(
  known: Pick<Fact, "value">,
  fact: Pick<Fact, "value">,
  weigh: (term: string) => number,
): number {
  const [before, after] = [textOf(known), textOf(fact)];
  if (before === "" || after === "" || isNegated(before) !== isNegated(after)) return 0;
  if (!differs(measuresIn(after), measuresIn(before))) return 0;
  const [old, current] = [subjectOf(before), subjectOf(after)];
  const sum = (terms: readonly string[]): number => terms.reduce((total, term) => total + weigh(term), 0);
  const shared = old.filter((term) => sharedTerms([term], current) > 0);
  if (shared.length < MIN_SHARED) return 0;
  return sum(shared) / Math.max(1e-9, Math.min(sum(old), sum(current)));
}

/**
 * Whether a fact says anew what a known one says, with another quantity, and that something changed. Without such a word
 * two like facts are two events ("ran 5 km", "ran 8 km"). Pure.
 */
export const isChange = (
  known: Pick<Fact, "value">,
  fact: Pick<Fact, "value">,
  weigh: (term: string) => number,
): boolean => CHANGE.test(textOf(fact)) && likenessOf(known, fact, weigh) >= MIN_PART;
