import { stemmer } from "stemmer";
import { commonStem, isCommonStem, regularWord } from "./irregular-forms.ts";

const ENGLISH_LETTERS = /^[a-z]{3,}$/;

/**
 * The stem of a term, alike in index and query. Words of plain Latin letters by Porter's rules, which leave most words of
 * other languages as they are or take their plural's `s`; irregular forms and British spellings have the stem of their word.
 * Pure.
 */
export const stem = (term: string): string =>
  ENGLISH_LETTERS.test(term) ? commonStem(stemmer(regularWord(term))) : term;

/**
 * What a term with this stem was indexed as by Porter's rules alone, before irregular forms were known of; `undefined` where that
 * is its stem, as of most. Pure.
 */
export function formerStem(term: string, stemmed: string): string | undefined {
  if (regularWord(term) === term && !isCommonStem(stemmed)) return undefined;
  const former = stemmer(term);
  return former === stemmed ? undefined : former;
}
