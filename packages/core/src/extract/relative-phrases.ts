import { type LanguagePhrases, PHRASES_OF } from "./language-phrases.ts";

/** How far a phrase points from the day it is said on. */
export interface Offset {
  unit: "day" | "week" | "weekend" | "month" | "year" | "weekday";
  /**
   * For a weekend: none (`NaN`) for the last one that has begun. For a weekday: -1 the last one before the day, 0 the day itself or the next one, 1 the next one after it, -7 and 7 in the week before and after.
   */
  count: number;
  /** 0: Sunday. */
  weekday?: number;
}

/** How far numbers go in each unit. */
export const FURTHEST = { day: 60, week: 12, month: 24, year: 30 } as const;

export const UNITS = ["day", "week", "month", "year"] as const;

const ALL_DAYS = [0, 1, 2, 3, 4, 5, 6] as const;

/** Phrases of a language that point from the day they are said on, longest first, each with how far; `null` for what only looks like one. */
export function relativePhrases(language: string): Map<string, Offset | null> {
  const phrases = new Map<string, Offset | null>();
  const add = (phrase: string, offset: Offset | null): void => {
    const folded = foldPhrase(phrase);
    if (folded !== "" && !phrases.has(folded)) phrases.set(folded, offset);
  };
  const own: LanguagePhrases = PHRASES_OF[language] ?? {};
  for (const phrase of own.none ?? []) add(phrase, null);
  for (const unit of [...UNITS, "weekend"] as const) {
    for (const [phrase, count] of Object.entries(own[`${unit}s`] ?? {})) add(phrase, { unit, count });
  }
  const words = new Intl.RelativeTimeFormat(`${language}-u-nu-latn`, { numeric: "auto" });
  // One word for yesterday and tomorrow, as in Hindi, tells neither.
  const days = [-2, -1, 0, 1, 2].map((count) => ({ count, phrase: words.format(count, "day") }));
  for (const { count, phrase } of days) {
    if (days.filter((other) => other.phrase === phrase).length === 1) add(phrase, { unit: "day", count });
  }
  for (const unit of ["week", "month", "year"] as const) {
    for (const count of [-1, 0, 1]) add(words.format(count, unit), { unit, count });
  }
  addCounted(language, add);
  const weekdays = weekdayNames(language);
  for (const [pattern, count] of own.weekdays ?? []) {
    for (const [weekday, names] of weekdays.entries()) {
      for (const name of names) add(pattern.replace("#", name), { unit: "weekday", count, weekday });
    }
  }
  return new Map([...phrases].sort(([a], [b]) => b.length - a.length));
}

/** A phrase as it is looked up. Behind a word for two, the runtime's Hebrew has the number in brackets. */
export const foldPhrase = (phrase: string): string =>
  phrase
    .toLowerCase()
    .replaceAll("’", "'")
    .replace(/ \(\d\)$/, "")
    .trim();

/** The words of a language for a number, from 1. */
export const countWords = (language: string, count: number): string[] =>
  PHRASES_OF[language]?.numbers?.[count - 1]?.split("|") ?? [];

/** "3 days ago" and "in three weeks", in digits and words. */
function addCounted(language: string, add: (phrase: string, offset: Offset) => void): void {
  const more = PHRASES_OF[language]?.more ?? (() => []);
  const format = new Intl.RelativeTimeFormat(`${language}-u-nu-latn`, { numeric: "always" });
  for (const unit of UNITS) {
    for (let count = 1; count <= FURTHEST[unit]; count++) {
      const inWords = countWords(language, count);
      for (const signed of [-count, count]) {
        const phrase = format.format(signed, unit);
        const forms = [phrase, ...inWords.map((word) => phrase.replace(String(count), word).replace(/ {2,}/g, " "))];
        for (const form of forms) for (const each of [form, ...more(form)]) add(each, { unit, count: signed });
      }
    }
  }
}

/** The names of each weekday, Sunday first: what else it is called, and how it ends behind a preposition. */
export function weekdayNames(language: string): string[][] {
  const format = new Intl.DateTimeFormat(language, { weekday: "long", timeZone: "UTC" });
  return ALL_DAYS.map((weekday) => {
    // 4 January 1970 was a Sunday.
    const name = format.format(new Date(Date.UTC(1970, 0, 4 + weekday))).toLowerCase();
    return namesOf(language, weekday, name);
  });
}

/** As they stand behind "since", Sunday first. */
const RUSSIAN_OF = "воскресенья понедельника вторника среды четверга пятницы субботы".split(" ");
const POLISH_OF = "niedzieli poniedziałku wtorku środy czwartku piątku soboty".split(" ");

function namesOf(language: string, weekday: number, name: string): string[] {
  switch (language) {
    case "zh": {
      const day = name.at(-1) ?? "";
      const before = ["周", "週", "星期", "礼拜", "禮拜"];
      return before.flatMap((word) => [`${word}${day}`, ...(weekday === 0 ? [`${word}天`] : [])]);
    }
    case "pt":
      return [name, name.replace("-feira", "")];
    case "ru":
      return [name.replace(/а$/u, "у"), RUSSIAN_OF[weekday] ?? name];
    case "uk":
      return [name.replace(/а$/u, "у").replace(/я$/u, "ю").replaceAll("ʼ", "'")];
    case "pl":
      return [name.replace(/a$/u, "ę"), POLISH_OF[weekday] ?? name];
    case "tr":
      return [name, ...["den", "dan"].map((ending) => name + ending)];
    case "he":
      // Saturday has a name of its own.
      return [name, ...(weekday === 6 ? ["שבת"] : [])];
    default:
      return [name];
  }
}
