import { PHRASES_OF } from "./language-phrases.ts";
import { openTellers } from "./open-phrases.ts";
import { UNITS, weekdayNames } from "./relative-phrases.ts";

/** How far back and ahead, in each form that a unit's name has: some languages have one of their own from five on. */
const COUNTS = [-5, -2, -1, 0, 1, 2, 5] as const;
const SHORT = 3;
/** Scripts that write words apart, with nothing of another word on them. */
const APART = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Devanagari}]/u;

/**
 * Finds words of a language of which each phrase that points at a day has one: what has none of them need not be looked
 * through, nor the language be prepared for it. Pure.
 */
export function tellingWords(language: string): RegExp {
  const own = PHRASES_OF[language] ?? {};
  const phrases = [...UNITS, "weekend" as const].flatMap((unit) => Object.keys(own[`${unit}s`] ?? {}));
  for (const numeric of ["auto", "always"] as const) {
    const format = new Intl.RelativeTimeFormat(`${language}-u-nu-latn`, { numeric });
    for (const unit of UNITS) for (const count of COUNTS) phrases.push(format.format(count, unit));
  }
  for (const phrase of [...phrases]) phrases.push(...(own.more?.(phrase) ?? []));
  phrases.push(...weekdayNames(language).flat(), ...openTellers(language));
  const words = [...new Set(phrases.map(longestWord).filter((word) => word !== ""))];
  // Of a long one another form counts as well: "torsdag", "i torsdags". Short ones begin too many other words.
  const forms = words.map((word) =>
    APART.test(word) ? `(?<!\\p{L})${word}${word.length > SHORT ? "" : "(?!\\p{L})"}` : word,
  );
  return new RegExp(`(?:${forms.join("|")})`, "iu");
}

const longestWord = (phrase: string): string =>
  (phrase.toLowerCase().match(/[\p{L}\p{M}]+/gu) ?? []).reduce<string>(
    (longest, word) => (word.length > longest.length ? word : longest),
    "",
  );
