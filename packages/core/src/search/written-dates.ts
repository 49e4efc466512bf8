import { plainDigits } from "../text/plain-digits.ts";
import { isMonth, monthNamed } from "./month-names.ts";

/** A date as it is written in a question; a day without its year, a year or a month alone, too. */
export interface WrittenDate {
  index: number;
  length: number;
  year?: number;
  /** 1 to 12. */
  month?: number;
  day?: number;
  /** In digits alone: of another form than who tells of that day would write. */
  isOfDigits?: true;
  /** Whether it is a date and which one can't be told: "08/05/2026" is two of these, and "1984" may be a book. */
  isUnsure?: true;
}

/** What is known of who asks. */
export interface Writer {
  /** Of the question. */
  languages: readonly string[];
  zone: string;
}

/** No question names more. */
const MOST_DATES = 16;

/** Dates in digits and in words, of all languages whose months are known, {@link MOST_DATES} of either at most. Pure. */
export function writtenDates(query: string, writer: Writer): WrittenDate[] {
  const text = plainDigits(query);
  const ofDigits = /\d/.test(text) ? datesInDigits(text, writer) : [];
  const ofHan = /[年년月월]/u.test(text) ? datesInHan(text) : [];
  const inDigits = [...ofDigits.map((date) => ({ ...date, isOfDigits: true as const })), ...ofHan].slice(0, MOST_DATES);
  const inWords = datesInWords(text, ({ index }) => inDigits.some((date) => covers(date, index)));
  return [...inDigits, ...inWords].filter(isThere).sort((left, right) => left.index - right.index);
}

const covers = ({ index, length }: WrittenDate, at: number): boolean => at >= index && at < index + length;

/** Whether there is such a date in some year. */
const isThere = ({ year = 2024, month, day = 1 }: WrittenDate): boolean =>
  month === undefined || (month >= 1 && month <= 12 && day >= 1 && day <= daysIn(year, month));

/** How many days a month has. */
export const daysIn = (year: number, month: number): number => new Date(Date.UTC(year, month, 0)).getUTCDate();

const YEAR = String.raw`(?:19|20)\d\d`;
/** No part of a longer number or name. Hebrew has a dash before a date, Chinese nothing. */
const ALONE = String.raw`(?<![a-z_\p{N}]|[a-z_\p{N}][.,:\/-])`;
const ENDS = String.raw`(?!\p{N}|(?!t\d)[a-z_]|[.,:\/-]\p{N})`;
/** `2026-05-08`, `2026/5/8` and `2026-05`. */
const YEAR_FIRST = new RegExp(`${ALONE}(${YEAR})(?:([-/.])(\\d\\d?)\\2(\\d\\d?)|-(\\d\\d))${ENDS}`, "giu");
/** `8.5.2026`, `08. 05. 2026` and `8.5.`. */
const WITH_DOTS = new RegExp(`${ALONE}(\\d\\d?)\\.\\s?(\\d\\d?)\\.(?:\\s?(${YEAR}))?${ENDS}`, "giu");
/** `8/5/2026` and `8-5-2026`. */
const YEAR_LAST = new RegExp(`${ALONE}(\\d\\d?)([-/])(\\d\\d?)\\2(${YEAR})${ENDS}`, "giu");

/** Where "3.5." is no date, but a number and the end of a sentence. */
const WITH_POINTS: ReadonlySet<string> = new Set(["en", "zh", "ja", "ko", "he", "hi", "th"]);

function datesInDigits(text: string, writer: Writer): WrittenDate[] {
  const dates: WrittenDate[] = [];
  for (const { 0: found, 1: year, 3: month, 4: day, 5: only, index } of text.matchAll(YEAR_FIRST)) {
    const known = { index, length: found.length, year: Number(year), month: Number(month ?? only) };
    dates.push(day === undefined ? known : { ...known, day: Number(day) });
  }
  const isNumber = WITH_POINTS.has(writer.languages[0] ?? "");
  for (const { 0: found, 1: day, 2: month, 3: year, index } of text.matchAll(WITH_DOTS)) {
    if (year === undefined && isNumber) continue;
    const known = { index, length: found.length, month: Number(month), day: Number(day) };
    dates.push(year === undefined ? known : { ...known, year: Number(year) });
  }
  for (const { 0: found, 1: one, 3: other, 4: year, index } of text.matchAll(YEAR_LAST)) {
    const known = { index, length: found.length, year: Number(year) };
    const [first, second] = [Number(one), Number(other)];
    const monthFirst = { ...known, month: first, day: second };
    const dayFirst = { ...known, month: second, day: first };
    const either = [monthFirst, dayFirst].filter(isThere);
    if (either.length < 2 || first === second) dates.push(...either.slice(0, 1));
    else {
      const order = orderOf(writer);
      if (order === undefined) dates.push(...either.map((date) => ({ ...date, isUnsure: true as const })));
      else dates.push(order === "month" ? monthFirst : dayFirst);
    }
  }
  return dates;
}

/** Where the day comes first, whatever language is written, and where it does in English. */
const DAY_FIRST = /^(?:Europe|Africa|Australia|Atlantic)\/|^Pacific\/Auckland$/;
const DAY_FIRST_IN_ENGLISH =
  /^Asia\/(?:Kolkata|Calcutta|Singapore|Hong_Kong|Dubai|Karachi|Dhaka|Colombo|Kuala_Lumpur)$/;

/** Which of two numbers before a year comes first; `undefined` where it can't be told. */
function orderOf({ languages: [language], zone }: Writer): "day" | "month" | undefined {
  if (DAY_FIRST.test(zone)) return "day";
  if (language !== "en") return language === undefined ? undefined : "day";
  return DAY_FIRST_IN_ENGLISH.test(zone) ? "day" : "month";
}

const HAN = "[一二三四五六七八九十]{1,3}";
/** `2026年5月8日`, `5月8号`, `五月八日`, `2026년 5월 8일`, and each without its day or year. */
const IN_HAN = new RegExp(
  `(?<![\\p{N}${HAN.slice(1, -6)}])(?:(${YEAR})\\s*[年년]\\s*)?(\\d\\d?|${HAN})\\s*[月월](?:\\s*(\\d\\d?|${HAN})\\s*[日号號일])?`,
  "gu",
);
const YEAR_IN_HAN = new RegExp(`(?<!\\p{N})(${YEAR})\\s*[年년](?!\\s*[\\d一二三四五六七八九十前间間后後전후])`, "gu");

function datesInHan(text: string): WrittenDate[] {
  const dates = [...text.matchAll(IN_HAN)].map(({ 0: found, 1: year, 2: month = "", 3: day, index }) => ({
    index,
    length: found.length,
    month: numberIn(month),
    ...(year === undefined ? {} : { year: Number(year) }),
    ...(day === undefined ? {} : { day: numberIn(day) }),
  }));
  const years = [...text.matchAll(YEAR_IN_HAN)].map(({ 0: found, 1: year, index }) => ({
    index,
    length: found.length,
    year: Number(year),
  }));
  return [...dates, ...years];
}

/** 1 to 99, in digits or as Chinese and Japanese write it: `二十八`. */
function numberIn(text: string): number {
  if (/^\d/.test(text)) return Number(text);
  const [tens = "", ones] = text.includes("十") ? text.split("十") : ["零", text];
  const digit = (character = ""): number => "零一二三四五六七八九".indexOf(character);
  return (tens === "" ? 1 : digit(tens)) * 10 + (ones ? digit(ones) : 0);
}

const BEYOND_ASCII = /[^\p{ASCII}]/u;
const plainWord = (word: string): string =>
  BEYOND_ASCII.test(word) ? word.toLowerCase().normalize("NFC") : word.toLowerCase();

interface Word {
  word: string;
  index: number;
  length: number;
}

/** Words, and what no date reaches over: the end of a sentence or a line, quotation marks and brackets. */
const WORDS_AND_ENDS = /[\p{L}\p{M}\p{N}]+|[!?:;()\n"“”„«»]|\.(?=\s)/gu;
/** A dot behind these is no end: "8. Mai", "Jan. 5". */
const WITH_DOT = /\p{N}$|^(?:jan|feb|mar|apr|jun|jul|aug|sept?|o[ck]t|nov|de[cz]|г|р|r)$/u;

function wordsOf(text: string): Word[] {
  const words: Word[] = [];
  for (const { 0: found, index } of text.matchAll(WORDS_AND_ENDS)) {
    if (found === "." && WITH_DOT.test(words.at(-1)?.word ?? "")) continue;
    const isWord = /^[\p{L}\p{M}\p{N}]/u.test(found);
    words.push({ word: isWord ? plainWord(found) : "", index, length: found.length });
  }
  return words;
}

/** Between a day, its month and its year only such words stand. */
const JOINT = /^(?:of|the|in|de|del|do|di|den|am|a|el|le|à|год|года|году)$/;
/** What some languages write behind a year. */
const YEAR_WORD = /^(?:г|год|года|году|р|року|рік|roku|r|yılı|yılında)$/;
const ONLY_YEAR = new RegExp(`^${YEAR}$`);
/** Words before a year that tell that it is one. */
const IN_A_YEAR: ReadonlySet<string> = new Set(
  "in during since until from year im jahr jahre seit en année año desde em ano nel nell anno sinds jaar år w roku в с рік في عام سنة yılında".split(
    " ",
  ),
);
/** The same of words that bound years. */
const BOUNDS_A_YEAR: ReadonlySet<string> = new Set(
  (
    "between before after until till zwischen vor nach bis entre avant après antes después hasta até depois após " +
    "tra fra prima dopo fino tussen voor na tot mellan före efter między przed po do между до после"
  ).split(" "),
);

/** Between a month and what tells that it is one: "antes de abril". */
const OF = /^(?:de|d|di|del)$/;
/** Between two months. */
const AND =
  /^(?:to|until|till|and|or|bis|und|oder|à|et|ou|a|y|o|e|até|tot|en|of|och|eller|do|i|lub|по|до|и|или|ile|ve|veya)$/;
/** Between the first and the last of some days of one month: "3 to 7 May". */
const TO = /^(?:to|through|and|bis|und|bis zum|à|au|et|al|a|y|até|e|tot|en|till|och|do|i|по|до|и|ile)$/;

function datesInWords(text: string, isTaken: (word: Word) => boolean): WrittenDate[] {
  const words = wordsOf(text);
  const at = (place: number): string => {
    const word = words[place];
    return word === undefined || isTaken(word) ? "" : word.word;
  };
  const used = new Set<number>();
  const dates: WrittenDate[] = [];
  const add = ({ from, to, ...date }: Placed): void => {
    for (let each = from; each <= to; each++) used.add(each);
    // Both are places of words.
    const [first, last] = [words[from] as Word, words[to] as Word];
    dates.push({ index: first.index, length: last.index + last.length - first.index, ...date });
  };
  for (let place = 0; place < words.length && dates.length < MOST_DATES; place++) {
    const month = monthNamed(at(place));
    if (month === undefined) continue;
    const date = around(at, place, month);
    if (date.day === undefined && date.year === undefined) {
      const isNamed = isMonth(at(place), at(OF.test(at(place - 1)) ? place - 2 : place - 1), at(place + 1));
      if (isNamed === false) continue;
      add(isNamed || isBeside(at, place) ? date : { ...date, isUnsure: true });
      continue;
    }
    const far = otherDay(at, place, date, (one, other) => isDash(text, words[one], words[other]));
    if (far === undefined) {
      add(date);
      continue;
    }
    const isYear = ONLY_YEAR.test(at(far + 1));
    const { month: _month, day: _day, ...same } = date;
    const year = isYear ? { year: Number(at(far + 1)) } : date.year === undefined ? {} : { year: date.year };
    add({ ...date, ...year });
    add({ ...same, ...year, month, day: dayOf(at(far)) as number, from: far, to: isYear ? far + 1 : far });
  }
  for (const [place, word] of words.entries()) {
    if (dates.length >= MOST_DATES) break;
    if (used.has(place) || !ONLY_YEAR.test(at(place))) continue;
    const before = at(OF.test(at(place - 1)) ? place - 2 : place - 1);
    const last = dates.at(-1);
    const isBesideOne = AND.test(at(place - 1)) && last?.isUnsure !== true && String(last?.year) === at(place - 2);
    const isSure =
      IN_A_YEAR.has(at(place - 1)) || IN_A_YEAR.has(at(place + 1)) || BOUNDS_A_YEAR.has(before) || isBesideOne;
    const { index, length } = word;
    dates.push({ index, length, year: Number(word.word), ...(isSure ? {} : { isUnsure: true as const }) });
  }
  return dates;
}

/** A date, and which words it is. */
interface Placed extends Pick<WrittenDate, "year" | "month" | "day" | "isUnsure"> {
  from: number;
  to: number;
}

/** Where the first of some days stands of which a date is the last, or the other way round: "3 to 7 May", "May 3-7". */
function otherDay(
  at: (place: number) => string,
  place: number,
  { from, day }: Placed,
  isDash: (one: number, other: number) => boolean,
): number | undefined {
  if (day === undefined) return undefined;
  const step = dayOf(at(from)) === undefined ? 1 : -1;
  const near = step < 0 ? from : place + 1;
  const next = near + step;
  const far = TO.test(at(next)) ? next + step : next;
  if (dayOf(at(far)) === undefined || (far === next && !isDash(Math.min(near, far), Math.max(near, far))))
    return undefined;
  // "May 3 to 7 June" has two months.
  return step > 0 && monthNamed(at(far + 1)) !== undefined ? undefined : far;
}

/** Whether a month stands beside another one: "from April to June", "in April or May". */
const isBeside = (at: (place: number) => string, place: number): boolean =>
  [-1, 1].some((step) => AND.test(at(place + step)) && monthNamed(at(place + 2 * step)) !== undefined);

/** Whether nothing but a dash stands between two words. */
const isDash = (text: string, one: Word | undefined, other: Word | undefined): boolean =>
  one !== undefined &&
  other !== undefined &&
  /^[.\s]*[-–—][.\s]*$/.test(text.slice(one.index + one.length, other.index));

/** The day and the year that stand beside a month: "8 May", "8th of May", "May 8, 2026". */
function around(at: (place: number) => string, place: number, month: number): Placed {
  let [from, to] = [place, place];
  let before = place - 1;
  while (before >= place - 3 && JOINT.test(at(before))) before--;
  let day = dayOf(at(before));
  if (day !== undefined) from = before;
  else {
    const behind = JOINT.test(at(place + 1)) ? place + 2 : place + 1;
    day = dayOf(at(behind));
    if (day !== undefined) to = behind;
  }
  const found: Placed = { from, to, month, ...(day ? { day } : {}) };
  let next = to + 1;
  while (next <= to + 2 && JOINT.test(at(next))) next++;
  if (ONLY_YEAR.test(at(next))) {
    return { ...found, year: Number(at(next)), to: YEAR_WORD.test(at(next + 1)) ? next + 1 : next };
  }
  if (ONLY_YEAR.test(at(from - 1))) return { ...found, year: Number(at(from - 1)), from: from - 1 };
  return found;
}

/** The day that a word names: `8`, `8th`, `1er`, `8η`. */
function dayOf(word: string): number | undefined {
  const day = Number(/^(\d{1,2})(?:st|nd|rd|th|er|ª|º|o|e|η|го)?$/u.exec(word)?.[1]);
  return day >= 1 && day <= 31 ? day : undefined;
}
