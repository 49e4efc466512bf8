import type { Fact } from "../contract/fact.ts";
import { indexTerms, queryTerms } from "../search/index-terms.ts";
import { postingsOf, rankPostings } from "../search/rank.ts";
import { asksEarlier } from "./change-words.ts";
import { newerFirst } from "./newer-first.ts";

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
 * Facts that share a word with the query, best first, with their scores: what says anew, with another value, what an older
 * one says stands ahead of that one. Ties keep the given order. Pure.
 */
export function rankFacts(facts: readonly Fact[], query: string): (Fact & { score: number })[] {
  const asked = queryTerms(query);
  const postings = postingsOf(
    asked,
    facts.map((fact) => indexTerms(factText(fact))),
  );
  const ranked = rankPostings(postings)
    .sort((a, b) => b.score - a.score || a.document - b.document)
    .map(({ document, score }) => ({ ...(facts[document] as Fact), score }));
  return newerFirst(ranked, facts, {
    terms: new Map(postings.terms.map(({ documentFrequency }, index) => [asked[index] ?? "", documentFrequency])),
    isEarlier: asksEarlier(query),
  });
}
