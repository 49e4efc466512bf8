import type { Side } from "../extract/open-phrases.ts";
import type { AskedPhrase } from "../extract/resolve-dates.ts";
import { isBetween, relationAt, type TimeRelation } from "./time-relations.ts";
import { daysIn, type WrittenDate } from "./written-dates.ts";

/** A time that a question names, and what it means. */
export interface NamedTime {
  /** Where it stands. */
  index: number;
  length: number;
  /** `2026-05-08`, `2026-05-04/2026-05-10`, `2026-05` or `2026`. */
  date: string;
  side: Side;
  /** `relative`: a phrase such as "yesterday", which whoever tells of that day doesn't say. `nearest`: a weekday or weekend. */
  kind: "relative" | "nearest" | "written";
  /** It bounds what is meant. */
  relation?: TimeRelation;
}

interface Named {
  written: readonly WrittenDate[];
  phrases: readonly AskedPhrase[];
  /** Of the question, the likeliest first. */
  languages: readonly string[];
  /** Today's date. */
  today: string;
}

/** The times of a question, in their order; those without a year are the last that have begun. Pure. */
export function namedTimes(query: string, { written, phrases, languages, today }: Named): NamedTime[] {
  const dates = written.filter(({ isUnsure, month }) => isUnsure !== true || month === undefined);
  const isDay = dates.some(({ day }) => day !== undefined);
  // "On Sunday, 3 May" is one day, and "the last week of August" none of now.
  const relative = phrases.filter(
    (phrase) =>
      (!isDay || phrase.side === "sure" || phrase.side === "back") &&
      !dates.some((date) => isPart(query, phrase, date)),
  );
  const ofPhrases = relative.map(({ phrase, index, date, side }): NamedTime => {
    const kind = side === "sure" || side === "back" ? "relative" : "nearest";
    return { index, length: phrase.length, date, side, kind };
  });
  const { year, times } = yearBeside(dates, ofPhrases);
  const ofDates = times.dates.map((date): NamedTime => {
    const { index, length } = date;
    const known = date.year ?? (date.month === undefined ? undefined : year);
    const side = known === undefined ? "open" : "sure";
    return { index, length, date: meantBy({ ...date, year: known }, today), side, kind: "written" };
  });
  const all = [...times.phrases, ...ofDates].sort((left, right) => left.index - right.index);
  const related = withRelations(query, all, languages);
  return isBetween(query) || related.some(({ relation }) => relation === "until") ? inOrder(related) : related;
}

/** Whether a phrase means a part of a date: "the last week of August". */
const isPart = (query: string, { phrase, index }: AskedPhrase, date: WrittenDate): boolean =>
  /^\s*(?:of|in|von|im|de|del|do|di|van|i|w|в)\s+(?:the\s+)?$/u.test(query.slice(index + phrase.length, date.index));

/** "In May last year", "in 2025 … in May": a year that is named by itself is that of the dates without one. */
function yearBeside(
  dates: readonly WrittenDate[],
  phrases: readonly NamedTime[],
): { year?: number; times: { dates: WrittenDate[]; phrases: NamedTime[] } } {
  const sure = dates.filter(({ isUnsure }) => isUnsure !== true);
  const years = [
    ...dates.filter(({ month }) => month === undefined).map(({ year }) => year),
    ...phrases.filter(({ date }) => /^\d{4}$/.test(date)).map(({ date }) => Number(date)),
  ];
  const [year] = years;
  if (years.length !== 1 || year === undefined || !dates.some((date) => date.month && date.year === undefined)) {
    return { times: { dates: sure, phrases: [...phrases] } };
  }
  return {
    year,
    times: {
      dates: sure.filter(({ month }) => month !== undefined),
      phrases: phrases.filter(({ date }) => !/^\d{4}$/.test(date)),
    },
  };
}

/** A written date as ISO 8601; without a year the last one that has begun. */
function meantBy(
  { year, month, day }: Omit<WrittenDate, "year"> & { year: number | undefined },
  today: string,
): string {
  if (month === undefined) return String(year);
  const inYear = (of: number): string =>
    `${of}-${two(month)}${day === undefined ? "" : `-${two(Math.min(day, daysIn(of, month)))}`}`;
  if (year !== undefined) return inYear(year);
  const thisYear = Number(today.slice(0, 4));
  let last = inYear(thisYear) <= today ? thisYear : thisYear - 1;
  // 29 February isn't in each.
  while (day !== undefined && day > daysIn(last, month)) last--;
  return inYear(last);
}

const two = (number: number): string => String(number).padStart(2, "0");

function withRelations(query: string, times: readonly NamedTime[], languages: readonly string[]): NamedTime[] {
  const relations = times.map((time) => relationAt(query, time, languages));
  const isFrom = relations.some((relation) => relation === "from" || relation === "since");
  const isTo = relations.some((relation) => relation === "to" || relation === "until");
  return times.flatMap((time, index) => {
    const found = relations[index];
    // What is told about a day may be told on any; "about last week" more likely asks for what was said then.
    if (found === "about") return time.kind === "written" || time.side === "bare" ? [] : [time];
    const relation =
      found === "from" ? (isTo ? "since" : undefined) : found === "to" ? (isFrom ? "until" : undefined) : found;
    if (relation === undefined) return [time];
    // What has been since then is behind, and a weekday's name behind such a word is one.
    const side = relation === "since" && !isTo ? "back" : time.side === "bare" ? "open" : time.side;
    return [{ ...time, relation, side }];
  });
}

/** Of two weekdays the first is the earlier one: between Monday and Wednesday, on a Tuesday. */
function inOrder(times: readonly NamedTime[]): NamedTime[] {
  const isDay = (time: NamedTime | undefined): time is NamedTime =>
    time?.kind === "nearest" && /^\d{4}-\d\d-\d\d$/.test(time.date);
  return times.map((time, index) => {
    const next = times[index + 1];
    if (!isDay(time) || !isDay(next) || next.date > time.date) return time;
    return { ...time, date: new Date(Date.parse(time.date) - 7 * 86_400_000).toISOString().slice(0, 10) };
  });
}
