import { PHRASES_OF } from "./language-phrases.ts";
import { weekdayNames } from "./relative-phrases.ts";

/** How far back, in each form that a unit's name has: some languages have one of their own from five on. */
const COUNTS = [-5, -2, -1, 0] as const;
const SHORT = 3;
const UNITS = ["day", "week", "month", "year"] as const;

/**
 * Finds words of a language of which each phrase that points back at a day has one: what has none of them need not be looked
 * through, nor the language be prepared for it. Pure.
 */
export function tellingWords(language: string): RegExp {
  const { days, weeks, weekends } = PHRASES_OF[language] ?? {};
  const phrases = [days, weeks, weekends].flatMap((own) => Object.keys(own ?? {}));
  for (const numeric of ["auto", "always"] as const) {
    const format = new Intl.RelativeTimeFormat(`${language}-u-nu-latn`, { numeric });
    for (const unit of UNITS) for (const count of COUNTS) phrases.push(format.format(count, unit));
  }
  phrases.push(...weekdayNames(language).flat());
  const words = [...new Set(phrases.map(longestWord).filter((word) => word !== ""))];
  // Of a long one another form counts as well: "torsdag", "i torsdags". Short ones begin too many other words.
  const forms = words.map((word) => (word.length > SHORT ? word : `${word}(?!\\p{L})`));
  return new RegExp(`(?<!\\p{L})(?:${forms.join("|")})`, "iu");
}

const longestWord = (phrase: string): string =>
  (phrase.toLowerCase().match(/\p{L}+/gu) ?? []).reduce<string>(
    (longest, word) => (word.length > longest.length ? word : longest),
    "",
  );
