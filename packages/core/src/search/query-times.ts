import { localDate } from "../extract/clock-time.ts";
import { datesOf } from "../extract/dates-of.ts";
import { WORD_LANGUAGES } from "../extract/language.ts";
import type { Engine } from "../memory/engine.ts";
import { languagesOf, phrasesOf, placeOf } from "./asked-phrases.ts";
import { type Asked, askedBeside } from "./asks-of-time.ts";
import { daysOf, termsOfDate, termsOfWritten } from "./date-terms.ts";
import { type NamedTime, namedTimes } from "./named-times.ts";
import { clausesOfTimes } from "./perfect-tense.ts";
import { daysMeant, type Period, periodOf, spanOf } from "./period-of.ts";
import { withoutPhrases } from "./phrases.ts";
import { without } from "./without.ts";
import { writtenDates } from "./written-dates.ts";

/** The times that a question names. */
export interface QueryTimes {
  /** Terms of what was said then, or about then. */
  terms: string[];
  /** The question without phrases such as "yesterday", in a language that is known for sure: nobody says that who tells of then. */
  rest: string;
  /** From when to when its times reach, where what was is asked for. */
  period?: Period;
  /**
   * What of it is taken out and may be said all the same: a date in digits, which is written in many ways, and "next week", where it
   * is to come.
   */
  besides: string;
  /** It asks for nothing but what there was then. */
  isOfTime: boolean;
  /** Its dates, as they are written: those that say more than a month. */
  written: string[];
}

/**
 * The times that a question names: dates, and phrases such as "last week", resolved against now in the time zone of whoever
 * asks, which is looked up only where there is a time.
 */
export async function queryTimes(
  { dates, options, now }: Pick<Engine, "dates" | "options" | "now">,
  query: string,
  zoneOfAsker?: () => Promise<string>,
): Promise<QueryTimes> {
  const at = now();
  // What is quoted is looked for as it is written.
  const open = withoutPhrases(query);
  const known = languagesOf(open);
  const languages = [...known.likely, ...known.told];
  const timesIn = (zone: string) => ({
    zone,
    written: writtenDates(open, { languages, zone }),
    asked: phrasesOf(datesOf({ dates }), open, { at, zone, ...known }),
  });
  const first = timesIn(options.timeZone ?? "UTC");
  if (first.written.length === 0 && first.asked.phrases.length === 0) {
    return { terms: [], rest: query, besides: "", isOfTime: false, written: [] };
  }
  const own = await zoneOfAsker?.();
  const { zone, written, asked } = own === undefined || own === first.zone ? first : timesIn(own);
  const today = localDate(at, zone);
  const phrases = asked.phrases.map(placeOf);
  const spoken = asked.language === undefined ? languages : [asked.language, ...languages];
  const times = namedTimes(open, {
    written,
    phrases: asked.phrases,
    languages: asked.language === undefined ? languages.slice(0, known.likely.length || undefined) : [asked.language],
    today,
  });
  const places = [...phrases, ...written];
  const { isOfTime, tense } = askedBeside(
    without(open, places),
    [...spoken, ...WORD_LANGUAGES],
    clausesOfTimes(open, places),
  );
  // In Spanish a weekday has its article; without it "Domingo", a word of Portuguese as well, is somebody.
  const isName = asked.language === "es" || (asked.language === "pt" && !known.told.includes("pt"));
  const meant = times.filter(({ side }) =>
    side === "bare" ? tense === "past" && !isName : side !== "open" || tense !== "ahead",
  );
  const isToCome = tense === "ahead" && times.some((time) => reachesOn(time, today));
  const period = isToCome ? undefined : periodOf(meant, { at, zone, today });
  const isSure = written.every(({ isUnsure }) => isUnsure !== true);
  const told = times.filter(({ kind }) => kind === "relative" && asked.isLikely !== true);
  const toCome = told.filter((time) => isAhead(time, tense, today));
  const ofDigits = written.filter(({ isOfDigits }) => isOfDigits);
  const said = meant.filter((time) => !isAhead(time, tense, today));
  return {
    terms: [...new Set([...written.flatMap(termsOfWritten), ...said.flatMap((time) => termsOf(time, today))])],
    rest: without(query, [...told, ...ofDigits]),
    besides: [...toCome, ...ofDigits].map((part) => partOf(query, part)).join(" "),
    ...(period === undefined ? {} : { period }),
    isOfTime: isOfTime && isSure && period !== undefined,
    written: written.flatMap((date) => ((date.day ?? date.year) === undefined ? [] : [partOf(query, date)])),
  };
}

/** More days have every number that a day of a month has. */
const MOST_DAYS = 31;

const partOf = (query: string, { index, length }: { index: number; length: number }): string =>
  query.slice(index, index + length);

/** Whether a time may be one that is to come, or lasts. */
const reachesOn = ({ side, date }: NamedTime, today: string): boolean =>
  side === "open" || side === "bare" || (side === "sure" && daysOf(date).behind > today);

/** Whether it is asked for as one that is to come: nothing was said then, but something of it. */
const isAhead = (time: NamedTime, tense: Asked["tense"], today: string): boolean =>
  (time.kind === "relative" && daysOf(time.date).first > today) || (tense === "ahead" && reachesOn(time, today));

/** Terms of the days that a phrase means; a date has those of what is written. What is bounded on one side has too many. */
function termsOf(time: NamedTime, today: string): string[] {
  const { date, relation, kind } = time;
  if (kind === "written") return [];
  if (relation === undefined) return termsOfDate(date);
  const { first, last, days } = spanOf(daysMeant(time, today));
  return days > 0 && days <= MOST_DAYS ? termsOfDate(`${first}/${last}`) : [];
}
