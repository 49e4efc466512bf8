/** No text has such a term. */
const MARK = "\u0001";
const dayTerm = (day: number): string => `${MARK}d${day}`;
const monthTerm = (month: number): string => `${MARK}m${month}`;
const yearTerm = (year: number): string => `${MARK}y${year}`;

/** Whether a term stands for a time. */
export const isDateTerm = (term: string): boolean => term.startsWith(MARK);

/** Terms that say when something was said. Years, months and days apart: "in May" names no year. Pure. */
export function dateTerms(at: string): string[] {
  const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})/.exec(at) ?? [];
  return year === undefined ? [] : [yearTerm(Number(year)), monthTerm(Number(month)), dayTerm(Number(day))];
}

/** Names of the months, January first, of languages that write them out. */
const MONTHS: readonly (readonly string[])[] = [
  "january february march april may june july august september october november december",
  "jan feb mar apr may jun jul aug sept oct nov dec",
  "januar februar märz april mai juni juli august september oktober november dezember",
  "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
  "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre",
  "janeiro fevereiro março abril maio junho julho agosto setembro outubro novembro dezembro",
  "gennaio febbraio marzo aprile maggio giugno luglio agosto settembre ottobre novembre dicembre",
  "januari februari maart april mei juni juli augustus september oktober november december",
  "января февраля марта апреля мая июня июля августа сентября октября ноября декабря",
].map((names) => names.split(" "));

const MONTH_OF = new Map(MONTHS.flatMap((names) => names.map((name, index) => [name, index + 1] as const)));
/** Before or behind a month's name, or alone, these are other words. */
const AMBIGUOUS = new Set(["may", "march", "mars", "mar", "dec", "jan", "mai", "mei", "mayo", "marta", "август"]);
const WORDS = /[\p{L}\p{N}]+/gu;
const YEAR = /^(?:19|20)\d\d$/;
const IN_A_MONTH = new Set(
  "in of during since until from by on im seit en desde em desde in da nel in sinds в с".split(" "),
);

/** Terms of the dates that a question names: written out, in digits of ISO 8601, or in Chinese and Japanese. Pure. */
export function datesIn(query: string): string[] {
  const terms = new Set<string>();
  const words = [...query.toLowerCase().normalize("NFC").matchAll(WORDS)].map(([word]) => word);
  words.forEach((word, index) => {
    if (YEAR.test(word)) terms.add(yearTerm(Number(word)));
    const month = MONTH_OF.get(word);
    if (month === undefined) return;
    const day = dayBeside(words, index);
    const isNamed = !AMBIGUOUS.has(word) || day !== undefined || YEAR.test(words[index + 1] ?? "");
    if (!isNamed && !IN_A_MONTH.has(words[index - 1] ?? "")) return;
    terms.add(monthTerm(month));
    if (day !== undefined) terms.add(dayTerm(day));
  });
  for (const [, year, month, day] of query.matchAll(/\b(\d{4})-(\d{2})(?:-(\d{2}))?\b/g)) {
    terms.add(yearTerm(Number(year))).add(monthTerm(Number(month)));
    if (day !== undefined) terms.add(dayTerm(Number(day)));
  }
  for (const [, month, day] of query.normalize("NFKC").matchAll(/(\d{1,2})\s*月(?:\s*(\d{1,2})\s*[日号號])?/gu)) {
    terms.add(monthTerm(Number(month)));
    if (day !== undefined) terms.add(dayTerm(Number(day)));
  }
  return [...terms];
}

/** Between a day and its month only such words stand. */
const JOINT = /^(?:of|de|do|di|den|am|a|el|le)$/;
/** The day that a word names: `8` or `8th`. */
function dayOf(word = ""): number | undefined {
  const day = Number(/^(\d{1,2})(?:st|nd|rd|th)?$/.exec(word)?.[1]);
  return day >= 1 && day <= 31 ? day : undefined;
}

/** "8 May", "8th of May", "May 8": the day that stands beside a month. */
function dayBeside(words: readonly string[], index: number): number | undefined {
  let before = index - 1;
  while (before >= index - 3 && JOINT.test(words[before] ?? "")) before--;
  return dayOf(words[before]) ?? dayOf(words[index + 1]);
}

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
export function termsOfPeriod({ from, to }: { from: string; to: string }): string[] {
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
  const terms = year === undefined ? [] : [yearTerm(year)];
  if (month !== undefined) terms.push(monthTerm(month));
  if (day === undefined) return terms;
  for (let at = Date.parse(from); at <= Date.parse(to); at += DAY) terms.push(dayTerm(new Date(at).getUTCDate()));
  return [...new Set(terms)];
}
