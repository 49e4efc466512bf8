import { stemmer as stemArabic } from "@orama/stemmers/arabic";
import { stemmer as stemDutch } from "@orama/stemmers/dutch";
import { stemmer as stemFrench } from "@orama/stemmers/french";
import { stemmer as stemGerman } from "@orama/stemmers/german";
import { stemmer as stemGreek } from "@orama/stemmers/greek";
import { stemmer as stemHindi } from "@orama/stemmers/indian";
import { stemmer as stemItalian } from "@orama/stemmers/italian";
import { stemmer as stemPortuguese } from "@orama/stemmers/portuguese";
import { stemmer as stemRussian } from "@orama/stemmers/russian";
import { stemmer as stemSpanish } from "@orama/stemmers/spanish";
import { stemmer as stemSwedish } from "@orama/stemmers/swedish";
import { stemmer as stemTurkish } from "@orama/stemmers/turkish";
import { isSmallWord } from "./stop-words.ts";
import { foldText, MAX_TERM_CHARS } from "./terms.ts";

type Stemmer = (word: string) => string;

/** Languages of Latin letters, which a text is told by its small words. English has its stems in the place of its words. */
const LATIN: ReadonlyMap<string, Stemmer> = new Map([
  ["de", stemGerman],
  ["fr", stemFrench],
  ["es", stemSpanish],
  ["pt", stemPortuguese],
  ["it", stemItalian],
  ["nl", stemDutch],
  ["sv", stemSwedish],
  ["tr", stemTurkish],
]);

/** The stemmer of each other script: of its most written language, for all that are written in it. */
const SCRIPTS: readonly (readonly [script: RegExp, language: string, stem: Stemmer])[] = [
  [/^\p{Script=Cyrillic}/u, "ru", stemRussian],
  // Its rules are for words without accents.
  [/^\p{Script=Greek}/u, "el", (word) => stemGreek(foldText(word))],
  [/^\p{Script=Arabic}/u, "ar", stemArabic],
  [/^\p{Script=Devanagari}/u, "hi", stemHindi],
];

/** No text has such a term; a language's stems are apart from words, and from another language's. */
const MARK = "\u0002";
/** Parts of identifiers with digits are no words. */
const WORD = /(?<![\p{L}\p{M}\p{N}_])\p{L}[\p{L}\p{M}]+(?![\p{L}\p{M}\p{N}_])/gu;
const LATIN_WORD = /^\p{Script=Latin}/u;
const BEYOND_LATIN = /[^\p{Script=Latin}\p{Script=Common}\p{Script=Inherited}]/u;
/** Shorter words of Latin letters have no endings to speak of. */
const MIN_LETTERS = 3;
/** A question of so few words may be of any language, whatever its small words say. */
const FEW_WORDS = 4;
/** Its words are stems already; where a text may be English as well as another, it is taken for English. */
const ENGLISH = "en";

/** Whether a term stands for all forms of a word. */
export const isLanguageTerm = (term: string): boolean => term.startsWith(MARK);

/**
 * Terms for the stems of a text's words, beside the words themselves: what has another ending is found by them, and nothing is
 * lost where a language was told wrongly. Of Latin letters by the languages that the text's small words are of, of other
 * scripts word by word. Pure.
 */
export function languageTerms(text: string, languages: readonly string[]): string[] {
  const latin = languages.includes(ENGLISH) ? [] : languages.filter((language) => LATIN.has(language));
  return latin.length === 0 && !BEYOND_LATIN.test(text) ? [] : termsOf(wordsOf(text), latin);
}

function termsOf(words: readonly string[], latin: readonly string[]): string[] {
  return words.flatMap((word) => (LATIN_WORD.test(word) ? latinTerms(word, latin) : termOfScript(word)));
}

/** The same of a question, whose few words seldom tell their language for sure: then of all. Each once. Pure. */
export function questionLanguageTerms(text: string, languages: readonly string[]): string[] {
  if (languages.includes(ENGLISH)) return [...new Set(languageTerms(text, languages))];
  const words = wordsOf(text);
  const latin = words.length <= FEW_WORDS ? [...LATIN.keys()] : languages.filter((language) => LATIN.has(language));
  return [...new Set(termsOf(words, latin))];
}

/** A stemmer's time may grow with the square of a word's length. */
const wordsOf = (text: string): string[] =>
  (text.toWellFormed().normalize("NFKC").toLowerCase().match(WORD) ?? []).map((word) =>
    word.length > MAX_TERM_CHARS ? word.slice(0, MAX_TERM_CHARS).toWellFormed() : word,
  );

function latinTerms(word: string, languages: readonly string[]): string[] {
  if (languages.length === 0 || word.length < MIN_LETTERS) return [];
  const folded = foldText(word);
  return languages.flatMap((language) => termOf({ word, folded }, language, LATIN.get(language)));
}

function termOfScript(word: string): string[] {
  const [, language, stem] = SCRIPTS.find(([script]) => script.test(word)) ?? [];
  return language === undefined ? [] : termOf({ word, folded: foldText(word) }, language, stem);
}

/**
 * Accents decide about endings, and are left out after that: not everybody writes them. Small words have no such term, nor
 * has what is all ending: it would find every other such word. Of a longer word its beginning is all that counts, as of terms.
 */
function termOf(
  { word, folded }: { word: string; folded: string },
  language: string,
  stem: Stemmer | undefined,
): string[] {
  if (stem === undefined || isSmallWord(folded, language)) return [];
  const stemmed = foldText(stem(word)).slice(0, MAX_TERM_CHARS).toWellFormed();
  return stemmed === "" ? [] : [`${MARK}${language}${stemmed}`];
}
