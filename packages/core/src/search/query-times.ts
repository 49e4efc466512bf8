import { guessLanguages } from "../extract/language.ts";
import type { Engine } from "../memory/engine.ts";
import { datesIn, termsOfDate } from "./date-terms.ts";

/**
 * The times that a question names, as terms: dates, and phrases such as "last week", resolved against now in the people's
 * time zone. `rest` is the question without the phrases.
 */
export async function queryTimes(
  { dates, options, now }: Pick<Engine, "dates" | "options" | "now">,
  query: string,
): Promise<{ terms: string[]; rest: string }> {
  const languages = guessLanguages(query);
  const zone = options.timeZone ?? "UTC";
  // A few words that tell no language hold no phrase of one for sure; and each language takes a while to prepare.
  const phrases =
    languages.length === 0 ? [] : (await loadDates())({ dates }).phrasesIn(query, { at: now(), zone, languages });
  let rest = query;
  for (const { index, phrase } of phrases.toSorted((left, right) => right.index - left.index)) {
    rest = `${rest.slice(0, index)} ${rest.slice(index + phrase.length)}`;
  }
  return { terms: [...new Set([...datesIn(query), ...phrases.flatMap(({ date }) => termsOfDate(date))])], rest };
}

/** Loaded with the first question that may hold one. */
const loadDates = async () => (await import("../extract/dates-of.ts")).datesOf;
