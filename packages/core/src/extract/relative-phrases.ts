import { type LanguagePhrases, PHRASES_OF } from "./language-phrases.ts";

/** How far a phrase points from the day it is said on. */
export interface Offset {
  unit: "day" | "week" | "weekend" | "month" | "year" | "weekday";
  /** For a weekday: -1 the last one before the day, 0 the day itself or the next one, 1 the next one after it, -7 and 7 in the week before and after. */
  count: number;
  /** 0: Sunday. */
  weekday?: number;
}

/** How far numbers go in each unit. */
const FURTHEST = { day: 60, week: 12, month: 24, year: 30 } as const;

const ALL_DAYS = [0, 1, 2, 3, 4, 5, 6] as const;

/** Phrases of a language that point from the day they are said on, longest first, each with how far; `null` for what only looks like one. */
export function relativePhrases(language: string): Map<string, Offset | null> {
  const phrases = new Map<string, Offset | null>();
  const add = (phrase: string, offset: Offset | null): void => {
    const folded = phrase.toLowerCase().replaceAll("’", "'").trim();
    if (folded !== "" && !phrases.has(folded)) phrases.set(folded, offset);
  };
  const own: LanguagePhrases = PHRASES_OF[language] ?? {};
  for (const phrase of own.none ?? []) add(phrase, null);
  for (const [phrase, count] of Object.entries(own.days ?? {})) add(phrase, { unit: "day", count });
  for (const [phrase, count] of Object.entries(own.weeks ?? {})) add(phrase, { unit: "week", count });
  for (const [phrase, count] of Object.entries(own.weekends ?? {})) add(phrase, { unit: "weekend", count });
  const words = new Intl.RelativeTimeFormat(`${language}-u-nu-latn`, { numeric: "auto" });
  // One word for yesterday and tomorrow, as in Hindi, tells neither.
  const days = [-2, -1, 0, 1, 2].map((count) => ({ count, phrase: words.format(count, "day") }));
  for (const { count, phrase } of days) {
    if (days.filter((other) => other.phrase === phrase).length === 1) add(phrase, { unit: "day", count });
  }
  for (const unit of ["week", "month", "year"] as const) {
    for (const count of [-1, 1]) add(words.format(count, unit), { unit, count });
  }
  addCounted(language, own, add);
  const weekdays = weekdayNames(language);
  for (const [pattern, count] of own.weekdays ?? []) {
    for (const [weekday, names] of weekdays.entries()) {
      for (const name of names) add(pattern.replace("#", name), { unit: "weekday", count, weekday });
    }
  }
  return new Map([...phrases].sort(([a], [b]) => b.length - a.length));
}

/** "3 days ago" and "in three weeks", in digits and words. */
function addCounted(
  language: string,
  { numbers = [], more = () => [] }: LanguagePhrases,
  add: (phrase: string, offset: Offset) => void,
): void {
  const format = new Intl.RelativeTimeFormat(`${language}-u-nu-latn`, { numeric: "always" });
  for (const unit of ["day", "week", "month", "year"] as const) {
    for (let count = 1; count <= FURTHEST[unit]; count++) {
      const inWords = numbers[count - 1]?.split("|") ?? [];
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

function namesOf(language: string, weekday: number, name: string): string[] {
  switch (language) {
    case "zh": {
      const day = name.at(-1) ?? "";
      return [`周${day}`, `星期${day}`, `礼拜${day}`, ...(weekday === 0 ? ["周天", "星期天"] : [])];
    }
    case "pt":
      return [name, name.replace("-feira", "")];
    case "ru":
      return [name.replace(/а$/u, "у")];
    case "pl":
      return [name.replace(/a$/u, "ę")];
    default:
      return [name];
  }
}
