import type { Fact } from "../contract/fact.ts";
import { indexTerms, queryTerms } from "../search/index-terms.ts";
import { postingsOf, rankPostings } from "../search/rank.ts";
import { likenessOf, statementOf, wordWeights } from "./later-word.ts";

/** Facts at the top that are compared with each other. */
const COMPARED = 20;
/**
 * Of an older fact's score that a newer one must have to stand ahead of it, and how like it must be. On BEAM's tuning part
 * the new value is first in 5 of 10 cases without, in 8 at 0.5, in 9 at 0.3 and at 0.2; likeness of 0.05 to 0.25 tells no
 * difference there (`bench/src/updates`).
 */
const MIN_SCORE = 0.3;
const MIN_LIKENESS = 0.1;

/** What a fact is found by. */
export const factText = (fact: Pick<Fact, "key" | "topic" | "tags" | "value">): string =>
  [
    fact.key?.replaceAll("_", " "),
    fact.topic,
    ...fact.tags,
    typeof fact.value === "string" ? fact.value : JSON.stringify(fact.value),
  ]
    .filter((text) => text !== undefined)
    .join(" ");

/**
 * Facts that share a word with the query, best first, with their scores: what says anew, with another quantity, what an older
 * one says stands ahead of that one. Ties keep the given order. Pure.
 */
export function rankFacts(facts: readonly Fact[], query: string): (Fact & { score: number })[] {
  const postings = postingsOf(
    queryTerms(query),
    facts.map((fact) => indexTerms(factText(fact))),
  );
  const ranked = rankPostings(postings)
    .sort((a, b) => b.score - a.score || a.document - b.document)
    .map(({ document, score }) => ({ ...(facts[document] as Fact), score }));
  return newerFirst(ranked, wordWeights(facts));
}

/** The best facts, in which one that says anew what an older one says stands ahead of that one. */
function newerFirst<Found extends Fact & { score: number }>(
  ranked: readonly Found[],
  weigh: (term: string) => number,
): Found[] {
  const list = ranked.slice(0, COMPARED).map((fact) => ({ fact, statement: statementOf(fact) }));
  for (let place = 1; place < list.length; place++) {
    const later = list[place];
    if (later === undefined || later.statement === null) continue;
    const { fact, statement } = later;
    const before = list
      .slice(0, place)
      .findIndex(
        ({ fact: known, statement: earlier }) =>
          earlier !== null &&
          known.createdAt < fact.createdAt &&
          fact.score >= known.score * MIN_SCORE &&
          likenessOf(earlier, statement, weigh) >= MIN_LIKENESS,
      );
    if (before >= 0) list.splice(before, 0, ...list.splice(place, 1));
  }
  return [...list.map(({ fact }) => fact), ...ranked.slice(COMPARED)];
}
