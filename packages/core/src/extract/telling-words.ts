import { PHRASES_OF } from "./language-phrases.ts";
import { ALL_DAYS, weekdayNames } from "./relative-phrases.ts";

/** How far back, in each form that a unit's name has: some languages have one of their own from five on. */
const COUNTS = [-5, -2, -1, 0] as const;
const UNITS = ["day", "week", "month", "year"] as const;

/**
 * Words of a language of which each phrase that points back at a day has one: what has none of them need not be looked through,
 * nor the language be prepared for it. Pure.
 */
export function tellingWords(language: string): string[] {
  const { days, weeks, weekends } = PHRASES_OF[language] ?? {};
  const phrases = [days, weeks, weekends].flatMap((own) => Object.keys(own ?? {}));
  for (const numeric of ["auto", "always"] as const) {
    const format = new Intl.RelativeTimeFormat(`${language}-u-nu-latn`, { numeric });
    for (const unit of UNITS) for (const count of COUNTS) phrases.push(format.format(count, unit));
  }
  for (const weekday of ALL_DAYS) phrases.push(...weekdayNames(language, weekday));
  return [...new Set(phrases.map(longestWord).filter((word) => word !== ""))];
}

const longestWord = (phrase: string): string =>
  (phrase.toLowerCase().match(/\p{L}+/gu) ?? []).reduce<string>(
    (longest, word) => (word.length > longest.length ? word : longest),
    "",
  );
