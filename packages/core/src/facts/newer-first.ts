import type { Fact } from "../contract/fact.ts";
import { quoteStands } from "../conversation/quote.ts";
import { WEIGHTS } from "../search/weights.ts";
import { isNegated, meaningOf, sharedTerms } from "../text/words.ts";
import { isContrasted } from "./contrast.ts";
import { differs, isChangeWord, namesIn, saysChange, subjectOf, wordWeights } from "./later-word.ts";
import { isMonth, type Measure, measuresIn } from "./measures.ts";
import { weekdayOf, weekdaysIn, withDigits } from "./number-words.ts";

/** A fact as recall compares it: its words besides values and words of change, its values and its names. */
interface Said {
  text: string;
  subject: readonly string[];
  values: readonly Measure[];
  names: readonly string[];
  isNegated: boolean;
}

/** What a text says, numbers in words and days of the week among its values. */
function saidIn({ value }: Pick<Fact, "value">): Said | null {
  if (typeof value !== "string") return null;
  const text = withDigits(value);
  const weekdays = weekdaysIn(text).map((day): Measure => ({ kinds: ["weekday"], amount: String(day) }));
  const values = [...measuresIn(text, true), ...weekdays];
  const names = namesIn(text).filter((name) => weekdayOf(name) === undefined && !isMonth(name) && !isChangeWord(name));
  if (values.length === 0 && names.length === 0) return null;
  const days = new Set(
    meaningOf((text.match(/[\p{L}-]+/gu) ?? []).filter((word) => weekdayOf(word) !== undefined).join(" ")),
  );
  const subject = subjectOf(text).filter((term) => !days.has(term));
  return { text, subject, values, names, isNegated: isNegated(value) };
}

/** How far one says, with another value, what an older one says, 0 … 1. */
function likeness(known: Said, later: Said, weigh: (term: string) => number): number {
  if (known.isNegated !== later.isNegated) return 0;
  return differs(later.values, known.values) ? sharedPart(known, later, weigh) : isOtherName(known, later) ? 1 : 0;
}

/** The part of the shorter one's words, by what they tell, that both have. */
function sharedPart(known: Said, later: Said, weigh: (term: string) => number): number {
  const shared = known.subject.filter((term) => sharedTerms([term], later.subject) > 0);
  // One word is enough where the older one has no other and the newer one says that something changed.
  if (shared.length === 0 || (shared.length === 1 && !(known.subject.length === 1 && saysChange(later)))) return 0;
  const sum = (terms: readonly string[]): number => terms.reduce((total, term) => total + weigh(term), 0);
  return sum(shared) / Math.min(sum(known.subject), sum(later.subject));
}

/** One name in the place of another, in the same words: "works at Siemens", "now works at Bosch". */
function isOtherName(known: Said, later: Said): boolean {
  const [[before, ...more], [after, ...others]] = [ownNames(known, later), ownNames(later, known)];
  if (before === undefined || after === undefined || more.length > 0 || others.length > 0) return false;
  const without = ({ subject }: Said, name: string): string[] => {
    const terms = new Set(meaningOf(name));
    return subject.filter((term) => !terms.has(term));
  };
  const [words, same] = [without(known, before), without(later, after)];
  return (
    words.length > 0 &&
    sharedTerms(words, same) === words.length &&
    sharedTerms(same, words) === same.length &&
    wordBefore(known.text, before) === wordBefore(later.text, after)
  );
}

/** What is nearly the same needs no score of its own. */
const isReady = (alike: number, score: number): boolean =>
  alike >= WEIGHTS.anew.surely || (alike >= WEIGHTS.anew.likeness && score >= WEIGHTS.anew.score);

const ownNames = ({ names }: Said, { text }: Said): string[] => names.filter((name) => !quoteStands(name, text));

const wordBefore = (text: string, name: string): string =>
  /([\p{L}\p{M}]+)[^\p{L}]*$/u.exec(text.slice(0, text.indexOf(name)))?.[1]?.toLowerCase() ?? "";

/**
 * The facts in their order, but of the best ones one that says with another value what an older one says stands ahead of
 * it, unless the question asks for what only the older one names. `facts` are those that tell how rare a word is; `asked` are
 * the question's stemmed terms. Pure.
 */
export function newerFirst<Found extends Fact & { score: number }>(
  ranked: readonly Found[],
  facts: readonly Fact[],
  asked: readonly string[],
): Found[] {
  const weigh = wordWeights(facts);
  const terms = new Set(asked);
  const list = ranked.slice(0, WEIGHTS.anew.compared).map((fact) => ({ fact, said: saidIn(fact) }));
  for (let place = 1; place < list.length; place++) {
    const later = list[place];
    if (later === undefined || later.said === null) continue;
    const { fact, said } = later;
    const before = list
      .slice(0, place)
      .findIndex(
        ({ fact: known, said: earlier }) =>
          earlier !== null &&
          known.createdAt < fact.createdAt &&
          isReady(likeness(earlier, said, weigh), fact.score / known.score) &&
          !isContrasted(earlier.text, said.text, terms),
      );
    if (before >= 0) list.splice(before, 0, ...list.splice(place, 1));
  }
  return [...list.map(({ fact }) => fact), ...ranked.slice(WEIGHTS.anew.compared)];
}
