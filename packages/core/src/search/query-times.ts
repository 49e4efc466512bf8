import { startOfDay } from "../extract/clock-time.ts";
import { datesOf } from "../extract/dates-of.ts";
import { guessLanguages } from "../extract/language.ts";
import type { DateResolver, ResolvedPhrase } from "../extract/resolve-dates.ts";
import type { Engine } from "../memory/engine.ts";
import { datesIn, daysOf, termsOfDate } from "./date-terms.ts";

/** The times that a question names. */
export interface QueryTimes {
  /** Terms of what was said then, or about then. */
  terms: string[];
  /** The question without the phrases. */
  rest: string;
  /** From when to when its phrases reach, all together, where that has begun: ISO 8601, the end exclusive. */
  period?: { from: string; to: string };
}

/**
 * The times that a question names, as terms: dates, and phrases such as "last week", resolved against now in the time zone of
 * whoever asks, which is looked up only where there is a phrase.
 */
export async function queryTimes(
  { dates, options, now }: Pick<Engine, "dates" | "options" | "now">,
  query: string,
  zoneOfAsker?: () => Promise<string>,
): Promise<QueryTimes> {
  const at = now();
  let zone = options.timeZone ?? "UTC";
  let phrases = phrasesOf(datesOf({ dates }), query, { at, zone });
  if (phrases.length > 0 && zoneOfAsker !== undefined) {
    const own = await zoneOfAsker();
    if (own !== zone) phrases = phrasesOf(datesOf({ dates }), query, { at, zone: own });
    zone = own;
  }
  let rest = query;
  for (const { index, phrase } of phrases.toSorted((left, right) => right.index - left.index)) {
    rest = `${rest.slice(0, index)} ${rest.slice(index + phrase.length)}`;
  }
  const terms = [...new Set([...datesIn(query), ...phrases.flatMap(({ date }) => termsOfDate(date))])];
  const days = phrases.map(({ date }) => daysOf(date));
  const [first] = days.map((day) => day.first).sort();
  const behind = days
    .map((day) => day.behind)
    .sort()
    .at(-1);
  if (first === undefined || behind === undefined) return { terms, rest };
  const from = startOfDay(first, zone);
  return from > at ? { terms, rest } : { terms, rest, period: { from, to: startOfDay(behind, zone) } };
}

/**
 * A question of so few words may be of any language, whatever its small words say: "Was war gestern?" A longer one that tells no
 * language holds no phrase of one for sure.
 */
const FEW_WORDS = 4;

function phrasesOf(resolver: DateResolver, query: string, said: { at: string; zone: string }): ResolvedPhrase[] {
  const languages = guessLanguages(query);
  const found = languages.length === 0 ? [] : resolver.phrasesIn(query, { ...said, languages });
  const isLong = (query.match(/\p{L}+/gu) ?? []).length > FEW_WORDS;
  return found.length > 0 || isLong ? found : resolver.pastPhrasesIn(query, said);
}
