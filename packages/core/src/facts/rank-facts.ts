import type { Fact } from "../contract/fact.ts";
import { queryTerms } from "../search/index-terms.ts";
import { type CountedText, postingsOf, rankInSlices } from "../search/rank.ts";
import type { Slices } from "../search/slices.ts";
import { asksEarlier } from "./change-words.ts";
import { newerFirst } from "./newer-first.ts";
import { indexTermsInParts } from "./terms-in-parts.ts";

/** A fact and how well it answers. */
export type RankedFact = Fact & { score: number };

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
 * one says stands ahead of that one. Ties keep the given order. In slices, since there may be a thousand long ones. Pure.
 */
export function* rankFacts(facts: readonly Fact[], query: string): Slices<RankedFact[]> {
  const asked = queryTerms(query);
  const texts: CountedText[] = [];
  for (const fact of facts) texts.push(yield* indexTermsInParts(factText(fact)));
  const postings = yield* postingsOf(asked, texts);
  const found = yield* rankInSlices(postings);
  const ranked = found
    .sort((a, b) => b.score - a.score || a.document - b.document)
    .map(({ document, score }) => ({ ...(facts[document] as Fact), score }));
  return yield* newerFirst(ranked, facts, {
    terms: new Map(postings.terms.map(({ documentFrequency }, index) => [asked[index] ?? "", documentFrequency])),
    isEarlier: asksEarlier(query),
  });
}
