import { localDate } from "../extract/clock-time.ts";
import { datesOf } from "../extract/dates-of.ts";
import { guessLanguages } from "../extract/language.ts";
import type { AskedPhrases, DateResolver } from "../extract/resolve-dates.ts";
import type { Engine } from "../memory/engine.ts";
import { askedBeside } from "./asks-of-time.ts";
import { daysOf, termsOfDate, termsOfWritten } from "./date-terms.ts";
import { type NamedTime, namedTimes } from "./named-times.ts";
import { daysMeant, periodOf, spanOf } from "./period-of.ts";
import { languagesOfTerms } from "./stop-words.ts";
import { extractTerms } from "./terms.ts";
import { writtenDates } from "./written-dates.ts";

/** The times that a question names. */
export interface QueryTimes {
  /** Terms of what was said then, or about then. */
  terms: string[];
  /** The question without phrases such as "yesterday", in a language that is known for sure: nobody says that who tells of then. */
  rest: string;
  /** From when to when its times reach, where what was is asked for: ISO 8601, the end exclusive. */
  period?: { from: string; to: string };
  /** What is taken out that may be said all the same: dates in digits, which people write in many ways. */
  digits: string;
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
  const { told, likely } = languagesOf(query);
  const languages = [...told, ...likely];
  const timesIn = (zone: string) => ({
    zone,
    written: writtenDates(query, { languages, zone }),
    asked: phrasesOf(datesOf({ dates }), query, { at, zone, told, likely }),
  });
  const first = timesIn(options.timeZone ?? "UTC");
  if (first.written.length === 0 && first.asked.phrases.length === 0) {
    return { terms: [], rest: query, digits: "", isOfTime: false, written: [] };
  }
  const own = await zoneOfAsker?.();
  const { zone, written, asked } = own === undefined || own === first.zone ? first : timesIn(own);
  const today = localDate(at, zone);
  const phrases = asked.phrases.map(({ index, phrase }) => ({ index, length: phrase.length }));
  const spoken = asked.language === undefined ? languages : [asked.language, ...languages];
  const times = namedTimes(query, { written, phrases: asked.phrases, languages: spoken, today });
  const { isOfTime, tense } = askedBeside(without(query, [...phrases, ...written]), spoken);
  const meant = times.filter(({ side }) => (side === "bare" ? tense === "past" : side !== "open" || tense !== "ahead"));
  const isToCome = tense === "ahead" && times.some((time) => reachesOn(time, today));
  const period = isToCome ? undefined : periodOf(meant, { at, zone, today });
  const isSure = written.every(({ isUnsure }) => isUnsure !== true);
  return {
    terms: [...new Set([...written.flatMap(termsOfWritten), ...meant.flatMap((time) => termsOf(time, today))])],
    rest: without(query, [
      ...times.filter(({ kind }) => kind === "relative" && asked.isLikely !== true),
      ...written.filter(({ isOfDigits }) => isOfDigits),
    ]),
    digits: written.flatMap((date) => (date.isOfDigits ? [partOf(query, date)] : [])).join(" "),
    ...(period === undefined ? {} : { period }),
    isOfTime: isOfTime && isSure && period !== undefined,
    written: written.flatMap((date) => ((date.day ?? date.year) === undefined ? [] : [partOf(query, date)])),
  };
}

/** More days have every number that a day of a month has. */
const MOST_DAYS = 31;

/** The languages that a question may be of, the likeliest first. */
interface Languages {
  /** By its script and its commonest words. */
  told: readonly string[];
  /** By its small words. */
  likely: readonly string[];
}

/** So much of a question, in UTF-16 code units, tells its language. */
const BEGINNING = 400;

function languagesOf(query: string): Languages {
  const told = guessLanguages(query);
  // Japanese may be written without a character of its own.
  const likely = [...(told[0] === "zh" ? ["ja"] : []), ...languagesOfTerms(extractTerms(query.slice(0, BEGINNING)))];
  return { told, likely: likely.filter((language) => !told.includes(language)) };
}

/**
 * A question of so few words may be of any language, whatever its small words say: "Was war gestern?" A longer one that tells no
 * language holds no phrase of one for sure.
 */
const FEW_WORDS = 4;

function phrasesOf(
  resolver: DateResolver,
  query: string,
  { at, zone, told, likely }: { at: string; zone: string } & Languages,
): AskedPhrases & { isLikely?: true } {
  const found = resolver.askedIn(query, { at, zone, languages: told });
  if (found.phrases.length > 0) return found;
  const isLong = (query.match(/\p{L}+/gu) ?? []).length > FEW_WORDS;
  const past = isLong ? found : resolver.pastAskedIn(query, { at, zone });
  if (past.phrases.length > 0) return past;
  return { ...resolver.askedIn(query, { at, zone, languages: likely }), isLikely: true };
}

const partOf = (query: string, { index, length }: { index: number; length: number }): string =>
  query.slice(index, index + length);

/** A question with a gap where some of its parts stand. */
function without(query: string, parts: readonly { index: number; length: number }[]): string {
  let rest = query;
  for (const { index, length } of parts) {
    rest = rest.slice(0, index) + " ".repeat(length) + rest.slice(index + length);
  }
  return rest;
}

/** Whether a time may be one that is to come, or lasts. */
const reachesOn = ({ side, date }: NamedTime, today: string): boolean =>
  side === "open" || side === "bare" || (side === "sure" && daysOf(date).behind > today);

/** Terms of the days that a phrase means; a date has those of what is written. What is bounded on one side has too many. */
function termsOf(time: NamedTime, today: string): string[] {
  const { date, relation, kind } = time;
  if (kind === "written") return [];
  if (relation === undefined) return termsOfDate(date);
  const { first, last, days } = spanOf(daysMeant(time, today));
  return days > 0 && days <= MOST_DAYS ? termsOfDate(`${first}/${last}`) : [];
}
