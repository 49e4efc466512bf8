import { guessLanguages, WORD_LANGUAGES } from "../extract/language.ts";
import type { AskedPhrase, AskedPhrases, DateResolver } from "../extract/resolve-dates.ts";
import { tellingLanguages } from "../extract/telling-words.ts";
import { askedBeside } from "./asks-of-time.ts";
import { languagesOfTerms } from "./stop-words.ts";
import { extractTerms } from "./terms.ts";
import { without } from "./without.ts";

/** The languages that a question may be of, the likeliest first. */
export interface Languages {
  /** By its script and its commonest words. */
  told: readonly string[];
  /** By its small words. */
  likely: readonly string[];
}

/** So much of a question, in UTF-16 code units, tells its language. */
const BEGINNING = 160;

export function languagesOf(query: string): Languages {
  const told = guessLanguages(query);
  const [script] = told;
  // Japanese and Ukrainian may be written without a character of their own.
  if (script === "zh") return { told, likely: ["zh", "ja"] };
  if (script === "ru") return { told, likely: ["ru", "uk"] };
  return { told, likely: languagesOfTerms(extractTerms(query.slice(0, BEGINNING))) };
}

/**
 * A question of so few words may be of any language, whatever its small words say: "Was war gestern?" A longer one that tells no
 * language holds no phrase of one for sure.
 */
const FEW_WORDS = 4;
/** A question of nothing but a time has no more words than these. */
const MOST_WORDS = 12;

/** The phrases of a question, in the likeliest language that has any. `isLikely`: in one that is not told for sure. */
export function phrasesOf(
  resolver: DateResolver,
  query: string,
  { at, zone, told, likely }: { at: string; zone: string } & Languages,
): AskedPhrases & { isLikely?: true } {
  const telling = tellingLanguages(query);
  if (telling.size === 0) return { phrases: [] };
  const tellingOf = (languages: readonly string[]) => languages.filter((language) => telling.has(language));
  const found = resolver.askedIn(query, { at, zone, languages: tellingOf(told) });
  if (found.phrases.length > 0) return found;
  const words = (query.match(/\p{L}+/gu) ?? []).length;
  const past =
    words > FEW_WORDS ? found : resolver.pastAskedIn(query, { at, zone, languages: tellingOf(WORD_LANGUAGES) });
  if (past.phrases.length > 0) return past;
  const asked = resolver.askedIn(query, {
    at,
    zone,
    languages: tellingOf(likely).filter((language) => !told.includes(language)),
  });
  if (asked.phrases.length > 0) return { ...asked, isLikely: true };
  if (words <= FEW_WORDS || words > MOST_WORDS) return asked;
  // In another language only if each word of it is one that a time is asked for with.
  for (const language of tellingOf(WORD_LANGUAGES)) {
    const other = resolver.askedIn(query, { at, zone, languages: [language] });
    if (other.phrases.length > 0 && askedBeside(without(query, other.phrases.map(placeOf)), [language]).isOfTime)
      return other;
  }
  return asked;
}

/** Where a phrase stands. */
export const placeOf = ({ index, phrase }: AskedPhrase): { index: number; length: number } => ({
  index,
  length: phrase.length,
});
