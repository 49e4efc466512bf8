import type { Json } from "../contract/json.ts";
import { plainDigits } from "../text/plain-digits.ts";
import { type LocalDay, localDay } from "./clock-time.ts";
import { dateOf } from "./date-of.ts";
import { type FoundPhrase, PhraseFinder } from "./find-phrases.ts";
import { guessLanguages, WORD_LANGUAGES } from "./language.ts";
import { type OpenOffset, openPhrases, type Side } from "./open-phrases.ts";
import { relativePhrases } from "./relative-phrases.ts";
import { tellingLanguages } from "./telling-words.ts";

/** A phrase such as "yesterday", and the day, week, month or year that it means. */
export interface ResolvedPhrase {
  phrase: string;
  /** Where it stands in the text. */
  index: number;
  /** `2026-02-28`, `2026-02-16/2026-02-22`, `2026-02` or `2025`. */
  date: string;
}

/** The same in a question, which may mean what was or what is to come. */
export interface AskedPhrase extends ResolvedPhrase {
  side: Side;
}

/** The phrases of a question, and the language that they are of. */
export interface AskedPhrases {
  language?: string;
  phrases: AskedPhrase[];
}

/** Says "yesterday" in one language and "here" in others. */
const AMBIGUOUS: ReadonlySet<string> = new Set(["hier"]);

const squeeze = (text: string): string => text.toLowerCase().replace(/\s+/g, " ");

type Found = FoundPhrase<OpenOffset | null>;

/** In German a noun within a sentence is a part of the day: "am frühen Morgen", "gestern Morgen". */
const isMorning = (text: string, { index, length }: Found): boolean =>
  text.slice(index, index + length) === "Morgen" &&
  /[\p{L}\p{N}]["'’»)]*\s*$/u.test(text.slice(Math.max(0, index - 8), index));

const isNone = ({ meaning }: Found): boolean => meaning === null;
const covers = ({ index, length }: Found, at: number): boolean => at >= index && at < index + length;

type Finders = Map<string, PhraseFinder<OpenOffset | null>>;

/** A language's finder, made when it is first asked for. */
function finderOf(
  made: Finders,
  language: string,
  phrasesOf: (language: string) => Map<string, OpenOffset | null>,
): PhraseFinder<OpenOffset | null> {
  const finder = made.get(language) ?? new PhraseFinder(phrasesOf(language));
  made.set(language, finder);
  return finder;
}

/** The day on which something was said. Asking the calendar of a zone takes long beside most texts, which hold no phrase. */
function lazyDay({ at, zone }: { at: string; zone: string }): () => LocalDay {
  let known: LocalDay | undefined;
  return () => {
    known ??= localDay(at, zone);
    return known;
  };
}

/** The first of several readings with more than a weekday's name in it, else the first with that: many languages share one. */
function firstReading(readings: readonly (() => AskedPhrases)[]): AskedPhrases {
  let other: AskedPhrases = { phrases: [] };
  for (const read of readings) {
    const found = read();
    if (found.phrases.some(({ side }) => side !== "bare")) return found;
    if (other.phrases.length === 0) other = found;
  }
  return other;
}

/** Resolves phrases of many texts; each language is prepared once, when it is first met. */
export class DateResolver {
  readonly #relative: Finders = new Map();
  readonly #open: Finders = new Map();

  /** The relative phrases of a text, resolved against the day on which it was said. */
  phrasesIn(text: string, said: { at: string; zone: string; languages?: readonly string[] }): ResolvedPhrase[] {
    const telling = tellingLanguages(text);
    if (telling.size === 0) return [];
    const languages = said.languages ?? guessLanguages(text);
    const day = lazyDay(said);
    const isTold = languages.length > 0;
    const likely = (isTold ? languages : WORD_LANGUAGES).filter((language) => telling.has(language));
    // A few words can't tell their language; the phrase itself can, unless it is another word elsewhere: "am Morgen" holds no Dutch "morgen".
    const others = isTold ? [] : likely.flatMap((language) => this.#found(text, language).filter(isNone));
    const isSure = ({ phrase, index }: ResolvedPhrase): boolean =>
      isTold || !(AMBIGUOUS.has(squeeze(phrase)) || others.some((other) => covers(other, index)));
    for (const language of likely) {
      const sure = this.#meant(text, this.#found(text, language), day).filter(isSure);
      if (sure.length > 0) return sure.map(({ phrase, index, date }) => ({ phrase, index, date }));
    }
    return [];
  }

  /**
   * The phrases of a question in the first of some languages that has any, with those that may mean what was or what is to come.
   * `languages`: of those of {@link tellingLanguages}, so that none is prepared in vain.
   */
  askedIn(text: string, said: { at: string; zone: string; languages: readonly string[] }): AskedPhrases {
    const day = lazyDay(said);
    return firstReading(
      said.languages.map((language) => () => ({ language, phrases: this.#asked(text, language, day) })),
    );
  }

  /**
   * The same of a few words that tell no language, up to the day itself. What points ahead may be another word ("morgen",
   * "mañana").
   */
  pastAskedIn(text: string, said: { at: string; zone: string; languages: readonly string[] }): AskedPhrases {
    const day = lazyDay(said);
    return firstReading(
      said.languages.map((language) => () => {
        const phrases = this.#asked(text, language, day);
        const isPast = ({ phrase, date }: AskedPhrase): boolean => {
          const today = dateOf(day(), { unit: "day", count: 0 });
          return !AMBIGUOUS.has(squeeze(phrase)) && date.slice(0, today.length) <= today;
        };
        return { language, phrases: phrases.filter(isPast) };
      }),
    );
  }

  #asked(text: string, language: string, day: () => LocalDay): AskedPhrase[] {
    // Where both stand in one place, what is open counts: "this Sunday" was, or is to come.
    const open = finderOf(this.#open, language, openPhrases).find(plainDigits(text));
    const found = this.#meant(text, [...open, ...this.#found(text, language)], day).sort(
      (left, right) => left.index - right.index || right.phrase.length - left.phrase.length,
    );
    let end = 0;
    return found.filter(({ index, phrase }) => {
      if (index < end) return false;
      end = index + phrase.length;
      return true;
    });
  }

  /** The relative phrases of a language in a text, with what only looks like one. */
  #found(text: string, language: string): Found[] {
    return finderOf(this.#relative, language, relativePhrases)
      .find(plainDigits(text))
      .filter((found) => !isMorning(text, found));
  }

  #meant(text: string, found: readonly Found[], day: () => LocalDay): AskedPhrase[] {
    return found.flatMap(({ index, length, meaning }) => {
      if (meaning === null) return [];
      const phrase = text.slice(index, index + length);
      return [{ phrase, index, date: dateOf(day(), meaning), side: meaning.side ?? "sure" }];
    });
  }
}

const MONTHS = "jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec";
const WRITTEN = new RegExp(
  `\\d{4}-\\d{2}-\\d{2}|(?:${MONTHS})[a-z]*\\.? \\d{1,2}(?:st|nd|rd|th)?,? \\d{4}|\\d{1,2}(?:st|nd|rd|th)? (?:of )?(?:${MONTHS})[a-z]*\\.?,? \\d{4}`,
  "gi",
);

/** A written date as ISO 8601; `null` for what is none. */
function dayOf(written: string): string | null {
  if (/^\d{4}-/.test(written)) return written;
  const date = new Date(
    `${written
      .replace(/(\d)(?:st|nd|rd|th)/i, "$1")
      .replace(/ of /i, " ")
      .replace(".", "")} UTC`,
  );
  return Number.isNaN(date.getTime()) ? null : date.toISOString().slice(0, 10);
}

/**
 * A text in which a date that nobody said is the one that the quote's phrase means: models resolve "yesterday" against
 * the wrong day. Only where there is one date and one phrase, so that it is certain which means which. Pure.
 */
export function mendDates(value: Json, said: string, phrases: readonly ResolvedPhrase[]): Json {
  const [phrase] = phrases;
  if (typeof value !== "string" || phrase === undefined || phrases.length > 1) return value;
  if (!/^\d{4}-\d{2}-\d{2}$/.test(phrase.date)) return value;
  const written = [...value.matchAll(WRITTEN)].filter(([text]) => !said.includes(text));
  const [only] = written;
  if (only === undefined || written.length > 1 || dayOf(only[0]) === null) return value;
  const kept = value.includes(phrase.phrase) ? "" : ` ("${phrase.phrase}")`;
  return value.slice(0, only.index) + phrase.date + kept + value.slice(only.index + only[0].length);
}

/** A text with what each phrase means beside it: "started yesterday (2026-02-28)". Pure. */
export function annotateDates(value: string, phrases: readonly ResolvedPhrase[]): string {
  let text = value;
  for (const { phrase, index, date } of phrases.toReversed()) {
    const end = index + phrase.length;
    if (!value.includes(date)) text = `${text.slice(0, end)} (${date})${text.slice(end)}`;
  }
  return text;
}
