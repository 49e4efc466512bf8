import type { Fact } from "../contract/fact.ts";
import { quoteStands } from "../conversation/quote.ts";
import { hardTokens } from "../extract/hard-tokens.ts";
import { isNegated, meaningOf, sharedTerms } from "../text/words.ts";
import { isMonth, type Measure, measuresIn } from "./measures.ts";

/** What says that something isn't as it was, in the languages that write words apart. */
const CHANGE =
  /(?<![\p{L}])(?:now|nowadays|currently|recent(?:ly)?|latest|new|instead|no longer|anymore|chang\p{L}*|updat\p{L}*|mov(?:ed|ing)|reschedul\p{L}*|postpon\p{L}*|shift(?:ed|ing)?|exten(?:d|ded|ding|sion)|shorten\p{L}*|rais(?:ed|ing)|increas\p{L}*|decreas\p{L}*|reduc\p{L}*|lower(?:ed|ing)?|adjust\p{L}*|revis(?:ed|ing)|improv(?:ed|ing)|grown?|reached|switched|replaced|jetzt|nun|neu\p{L}*|inzwischen|geändert|verschoben|erhöht|gesenkt|statt(?:dessen)?|désormais|maintenant|nouve\p{L}*|changé\p{L}*|déplacé\p{L}*|augmenté\p{L}*|réduit\p{L}*|ahora|nuev\p{L}*|cambi\p{L}*|aument\p{L}*|reduj\p{L}*|reducid\p{L}*|agora|nov[oa]s?|mud(?:ou|ado|ada)|adiad\p{L}*|adesso|ora|nuov\p{L}*|spostat\p{L}*|nu|nieuw\p{L}*|gewijzigd|verplaatst|verhoogd|теперь|нов\p{L}*|изменил\p{L}*|перенес\p{L}*)(?![\p{L}])/iu;

/** Words of both that must be one, besides what changed. */
const MIN_SHARED = 2;
/**
 * Part of what the shorter one's words weigh that the other must have, for one to take the other's place. On BEAM's tuning
 * part other facts were taken for a change in 10 of 469 cases at 0.4, 5 at 0.6 and 1 at 0.75; a train's and a bus's ticket
 * are 0.75 alike.
 */
const MIN_PART = 0.8;

/** A fact as it is compared: its words besides numbers and words of change, and its quantities. */
export interface Statement {
  text: string;
  subject: readonly string[];
  measures: readonly Measure[];
  isNegated: boolean;
}

/** What a text is of: its words besides numbers, times and words of change. */
export const subjectOf = (text: string): string[] =>
  meaningOf(text).filter((term) => !/^[ap]m$|\d/.test(term) && !CHANGE.test(term) && !isMonth(term));

/** Whether a word says that something isn't as it was. */
export const isChangeWord = (word: string): boolean => CHANGE.test(word);

/** What a fact says, to be compared; `null` where it is no text with a number. */
export function statementOf({ value }: Pick<Fact, "value">): Statement | null {
  if (typeof value !== "string" || !/\p{N}/u.test(value)) return null;
  return { text: value, subject: subjectOf(value), measures: measuresIn(value), isNegated: isNegated(value) };
}

/** The names that a text has. Pure. */
export const namesIn = (text: string): string[] => hardTokens(text).filter((token) => !/^[ap]m$|\d/i.test(token));

/** Each names somebody or something that the other doesn't: two things that are alike. */
function nameOthers(a: string, b: string): boolean {
  const [names, others] = [namesIn(a), namesIn(b)];
  return names.some((name) => !quoteStands(name, b)) && others.some((name) => !quoteStands(name, a));
}

/** Whether a quantity of one is, by its kind, in the other too and differs. */
export function differs(a: readonly Measure[], b: readonly Measure[]): boolean {
  return a.some((left) => {
    const same = b.filter(({ kinds }) => sharedTerms(left.kinds, kinds) > 0);
    return same.length > 0 && !same.some(({ amount }) => amount === left.amount);
  });
}

/** How much a word tells about what a text is of: less, the more of these facts have it. Worked out when first asked. */
export function wordWeights(facts: readonly Pick<Fact, "value">[]): (term: string) => number {
  let counts: Map<string, number> | undefined;
  return (term) => {
    counts ??= countTerms(facts);
    return Math.log(1 + (facts.length + 1) / ((counts.get(term) ?? 0) + 0.5));
  };
}

function countTerms(facts: readonly Pick<Fact, "value">[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { value } of facts) {
    if (typeof value !== "string") continue;
    for (const term of meaningOf(value)) counts.set(term, (counts.get(term) ?? 0) + 1);
  }
  return counts;
}

/**
 * How alike two statements are that give different quantities of one kind, 0 … 1: the part of the shorter one's words, by
 * what they tell, that both have. 0 where no quantity differs. Pure.
 */
export function likenessOf(known: Statement, later: Statement, weigh: (term: string) => number): number {
  if (known.isNegated !== later.isNegated || !differs(later.measures, known.measures)) return 0;
  const sum = (terms: readonly string[]): number => terms.reduce((total, term) => total + weigh(term), 0);
  const shared = known.subject.filter((term) => sharedTerms([term], later.subject) > 0);
  if (shared.length < MIN_SHARED) return 0;
  return Math.min(1, sum(shared) / Math.min(sum(known.subject), sum(later.subject)));
}

/** Whether a statement says that something isn't as it was. Without that two like ones are two events ("ran 5 km", "ran 8 km"). */
export const saysChange = ({ text }: Pick<Statement, "text">): boolean => CHANGE.test(text);

/** Whether a statement that says a change says anew what a known one says, and of the same thing. Pure. */
export const isChangeOf = (known: Statement, later: Statement, weigh: (term: string) => number): boolean =>
  likenessOf(known, later, weigh) >= MIN_PART && !nameOthers(known.text, later.text);
