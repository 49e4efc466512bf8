import type { Fact } from "../contract/fact.ts";
import { quoteStands } from "../conversation/quote.ts";
import { hardTokens } from "../extract/hard-tokens.ts";
import { atOnce, type Slices } from "../search/slices.ts";
import { WEIGHTS } from "../search/weights.ts";
import { isNegated, meaningOf, sharedTerms } from "../text/words.ts";
import { isChangeWord, saysChange } from "./change-words.ts";
import { type FactWords, factMeaningOf } from "./fact-words.ts";
import { isMonth, type Measure, measuresIn } from "./measures.ts";

/** A fact as it is compared: its words besides numbers and words of change, and its quantities. */
export interface Statement {
  text: string;
  subject: readonly string[];
  measures: readonly Measure[];
  isNegated: boolean;
}

/** What a text is of: its words besides numbers, times and words of change. */
export const subjectOf = (text: string): string[] =>
  meaningOf(text).filter((term) => !/^[ap]m$|\d/.test(term) && !isChangeWord(term) && !isMonth(term));

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

/** The quantities of one that are, by their kind, in the other too and differ. Pure. */
export const differing = (a: readonly Measure[], b: readonly Measure[]): Measure[] =>
  a.filter((left) => {
    const same = b.filter(({ kinds }) => sharedTerms(left.kinds, kinds) > 0);
    return same.length > 0 && !same.some(({ amount }) => amount === left.amount);
  });

/** How much a word tells about what a text is of: less, the more of some facts have it. */
export class WordWeights {
  readonly #facts: readonly Pick<Fact, "value">[];
  readonly #known: FactWords;
  #counts: Map<string, number> | undefined;

  /** `known`: the words of facts that were looked at before. */
  constructor(facts: readonly Pick<Fact, "value">[], known: FactWords = new Map()) {
    this.#facts = facts;
    this.#known = known;
  }

  /** The words are counted when this is first asked, in slices. */
  *weights(): Slices<(term: string) => number> {
    const counts = this.#counts ?? (yield* countTerms(this.#facts, this.#known));
    this.#counts = counts;
    return (term) => Math.log(1 + (this.#facts.length + 1) / ((counts.get(term) ?? 0) + 0.5));
  }
}

/** The same at once; the words are counted when a word's weight is first asked for. */
export function wordWeights(facts: readonly Pick<Fact, "value">[]): (term: string) => number {
  let weigh: ((term: string) => number) | undefined;
  return (term) => {
    weigh ??= atOnce(new WordWeights(facts).weights());
    return weigh(term);
  };
}

function* countTerms(facts: readonly Pick<Fact, "value">[], known: FactWords): Slices<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const { value } of facts) {
    if (typeof value !== "string") continue;
    for (const term of yield* factMeaningOf(known, value)) counts.set(term, (counts.get(term) ?? 0) + 1);
  }
  return counts;
}

/** The part of each one's words, by what they tell, that the other has too, and how many those are. Pure. */
export function sharesOf(
  a: readonly string[],
  b: readonly string[],
  weigh: (term: string) => number,
): { ofA: number; ofB: number; shared: number } {
  const sum = (terms: readonly string[]): number => terms.reduce((total, term) => total + weigh(term), 0);
  const shared = a.filter((term) => sharedTerms([term], b) > 0);
  const part = (terms: readonly string[]): number => (terms.length === 0 ? 0 : Math.min(1, sum(shared) / sum(terms)));
  return { ofA: part(a), ofB: part(b), shared: shared.length };
}

/**
 * Whether a statement that says a change gives another quantity of what a known one says: what has words beside those
 * of the other may be of a part of it, or of somebody else ("Tom", "Tom's sister"). Pure.
 */
export const isChangeOf = (known: Statement, later: Statement, weigh: (term: string) => number): boolean =>
  known.isNegated === later.isNegated &&
  differing(later.measures, known.measures).length > 0 &&
  isSaidAnew(known, later, weigh) &&
  saysChange(later, known) &&
  !nameOthers(known.text, later.text);

function isSaidAnew(known: Statement, later: Statement, weigh: (term: string) => number): boolean {
  const { ofA, ofB, shared } = sharesOf(known.subject, later.subject, weigh);
  return shared >= WEIGHTS.replaced.shared && Math.min(ofA, ofB) >= WEIGHTS.replaced.part;
}
