import { ASKING_PIECES, ASKING_WORDS, type AskingWords } from "./asking-words.ts";
import { isPerfect } from "./perfect-tense.ts";
import { areSmallWords, isSmallWord } from "./stop-words.ts";
import { extractTerms, foldText } from "./terms.ts";

/** What a question asks for, without the times that it names. */
export interface Asked {
  /** Nothing but what there was, or will be, then. */
  isOfTime: boolean;
  /** What was, what is (or is to come), or neither, as far as it can be told. */
  tense: "past" | "ahead" | "none";
}

/** Tells what is asked by the words beside a time, in the first of some languages that has them all, else in the first. Pure. */
export function askedBeside(rest: string, languages: readonly string[], clauses: readonly string[] = []): Asked {
  // Parts of "avons-nous" are words, the whole is none.
  const terms = foldText(rest).match(/[\p{L}\p{M}\p{N}]+/gu) ?? [];
  const asked = languages.flatMap((language) => askedIn(rest, terms, language, clauses) ?? []);
  const best = asked.find(({ isOfTime }) => isOfTime) ?? asked[0] ?? { isOfTime: false, tense: "none" };
  return best.isOfTime || !areSmallWords(extractTerms(rest)) ? best : { ...best, isOfTime: true };
}

function askedIn(
  rest: string,
  terms: readonly string[],
  language: string,
  clauses: readonly string[],
): Asked | undefined {
  const pieces = ASKING_PIECES[language];
  if (pieces !== undefined) {
    const isOfTime = !/[\p{L}\p{N}]/u.test(rest.replace(pieces.pieces, ""));
    const says = (of: "past" | "now" | "ahead"): boolean => pieces[of].test(rest);
    return { isOfTime, tense: tenseOf(says) };
  }
  const words = ASKING_WORDS[language];
  if (words === undefined) return undefined;
  const all = new Set(terms);
  const says = (of: "past" | "now" | "ahead"): boolean =>
    words[of].some((word) => word.split("+").every((part) => all.has(part))) ||
    (of === "past" && clauses.some((clause) => isPerfect(clause, language)));
  const isOfTime = terms.every((term) => isSmallWord(term, language) || isAsking(term, words));
  return { isOfTime, tense: tenseOf(says) };
}

/** "What did I say I will do" is of neither for sure: what is to come counts. */
function tenseOf(says: (of: "past" | "now" | "ahead") => boolean): Asked["tense"] {
  if (says("ahead")) return "ahead";
  if (says("past")) return "past";
  return says("now") ? "ahead" : "none";
}

const isAsking = (term: string, { past, now, ahead, other }: AskingWords): boolean =>
  [past, now, ahead, other].some((words) =>
    words.some((word) => word === term || (word.includes("+") && word.split("+").includes(term))),
  );
