import { datesOf } from "../extract/dates-of.ts";
import { guessLanguages } from "../extract/language.ts";
import type { DateResolver, ResolvedPhrase } from "../extract/resolve-dates.ts";
import type { Engine } from "../memory/engine.ts";
import { datesIn, termsOfDate } from "./date-terms.ts";

/**
 * The times that a question names, as terms: dates, and phrases such as "last week", resolved against now in the time zone of
 * whoever asks, which is looked up only where there is a phrase. `rest` is the question without the phrases.
 */
export async function queryTimes(
  { dates, options, now }: Pick<Engine, "dates" | "options" | "now">,
  query: string,
  zoneOfAsker?: () => Promise<string>,
): Promise<{ terms: string[]; rest: string }> {
  const at = now();
  const zone = options.timeZone ?? "UTC";
  let phrases = phrasesOf(datesOf({ dates }), query, { at, zone });
  if (phrases.length > 0 && zoneOfAsker !== undefined) {
    const own = await zoneOfAsker();
    if (own !== zone) phrases = phrasesOf(datesOf({ dates }), query, { at, zone: own });
  }
  let rest = query;
  for (const { index, phrase } of phrases.toSorted((left, right) => right.index - left.index)) {
    rest = `${rest.slice(0, index)} ${rest.slice(index + phrase.length)}`;
  }
  return { terms: [...new Set([...datesIn(query), ...phrases.flatMap(({ date }) => termsOfDate(date))])], rest };
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
