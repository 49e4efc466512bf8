import type { Period } from "./period-of.ts";
import type { WrittenDate } from "./written-dates.ts";

/** No text has such a term. */
const MARK = "\u0001";
const dayTerm = (day: number): string => `${MARK}d${day}`;
const monthTerm = (month: number): string => `${MARK}m${month}`;
const yearTerm = (year: number): string => `${MARK}y${year}`;

/** Whether a term stands for a time. */
export const isDateTerm = (term: string): boolean => term.startsWith(MARK);

/** Whether a term stands for a day of a month. */
export const isDayTerm = (term: string): boolean => term.startsWith(`${MARK}d`);

/** The term of what was said in the very days that a question names, which no document has. */
export const SAID_THEN = `${MARK}then`;

/** Terms that say when something was said. Years, months and days apart: "in May" names no year. Pure. */
export function dateTerms(at: string): string[] {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})/.exec(at) ?? [];
  return year === undefined ? [] : [yearTerm(Number(year)), monthTerm(Number(month)), dayTerm(Number(day))];
}

/** Terms of a date as it is written: of what is said of it. Pure. */
export const termsOfWritten = ({ year, month, day }: Pick<WrittenDate, "year" | "month" | "day">): string[] => [
  ...(year === undefined ? [] : [yearTerm(year)]),
  ...(month === undefined ? [] : [monthTerm(month)]),
  ...(day === undefined ? [] : [dayTerm(day)]),
];

/** The first day of a resolved phrase, and the first one behind it. Pure. */
export function daysOf(date: string): { first: string; behind: string } {
  const [from = "", to = from] = date.split("/");
  const start = startsAt(from, 0);
  return { first: dayAt(start), behind: dayAt(startsAt(to, 1)) };
}

/** When a day, month or year begins, or so many of them later. */
function startsAt(date: string, later: number): number {
  const [year = 0, month, day] = date.split("-").map(Number);
  if (month === undefined) return Date.UTC(year + later, 0);
  return day === undefined ? Date.UTC(year, month - 1 + later) : Date.UTC(year, month - 1, day + later);
}

const dayAt = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** The terms of all days of UTC that a period (ISO 8601, the end exclusive) has a part of. Pure. */
export function termsOfPeriod({ from, to }: Period): string[] {
  const terms = new Set<string>();
  const end = Date.parse(to);
  // After so many days each number of a day and a month was there.
  const most = Date.parse(from) + 366 * DAY;
  for (let at = Date.parse(from); at < Math.min(end, most); at += DAY) add(new Date(at).toISOString());
  add(new Date(end - 1).toISOString());
  return [...terms];

  function add(at: string): void {
    for (const term of dateTerms(at)) terms.add(term);
  }
}

const DAY = 86_400_000;

/** The terms of a resolved phrase: `2026-02-28`, `2026-02-16/2026-02-22`, `2026-02` or `2025`. Pure. */
export function termsOfDate(date: string): string[] {
  const [from = "", to = from] = date.split("/");
  const [year, month, day] = from.split("-").map(Number);
  if (day === undefined)
    return termsOfWritten({ ...(year === undefined ? {} : { year }), ...(month ? { month } : {}) });
  return termsOfPeriod({ from: `${from}T00:00:00.000Z`, to: `${daysOf(to).behind}T00:00:00.000Z` });
}
