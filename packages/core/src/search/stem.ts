import { stemmer } from "stemmer";

const ENGLISH_LETTERS = /^[a-z]{3,}$/;

/**
 * The stem of a term, alike in index and query. Words of plain Latin letters by Porter's rules, which leave most words of
 * other languages as they are or take their plural's `s`. Pure.
 */
export const stem = (term: string): string => (ENGLISH_LETTERS.test(term) ? stemmer(term) : term);
