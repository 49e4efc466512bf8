import { stemmer } from "stemmer";
import { commonStem, regularWord } from "./irregular-forms.ts";

const ENGLISH_LETTERS = /^[a-z]{3,}$/;

/**
 * The stem of a term, alike in index and query. Words of plain Latin letters by Porter's rules, which leave most words of
 * other languages as they are or take their plural's `s`; irregular forms and British spellings have the stem of their word.
 * Pure.
 */
export const stem = (term: string): string =>
  ENGLISH_LETTERS.test(term) ? commonStem(stemmer(regularWord(term))) : term;

/** By Porter's rules alone, as messages were indexed that no irregular forms were known of. Pure. */
export const stemByRules = (term: string): string => (ENGLISH_LETTERS.test(term) ? stemmer(term) : term);
