import type { Fact } from "../contract/fact.ts";
import { questionTerms } from "../search/message-terms.ts";
import { type CountedText, postingsOf, rankInSlices } from "../search/rank.ts";
import type { Slices } from "../search/slices.ts";
import { asksEarlier } from "./change-words.ts";
import { type FactWords, factTermsOf } from "./fact-words.ts";
import { newerFirst } from "./newer-first.ts";
import { partsOf } from "./terms-in-parts.ts";

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
 * Facts that share a word with the query, in some form or spelling as messages do, best first, with their scores: what says
 * anew, with another value, what an older one says stands ahead of that one. Ties keep the given order. In slices, since there
 * may be a thousand long ones. Pure but for what it adds to `known`.
 */
export function* rankFacts(
  facts: readonly Fact[],
  query: string,
  /** Of facts that were ranked before. */
  known: FactWords = new Map(),
): Slices<RankedFact[]> {
  // A long text isn't taken apart for nothing.
  if (facts.length === 0) return [];
  const { own, others, isEarlier } = yield* wordsAsked(query);
  const asked = [...new Set([...own, ...others])];
  const texts: CountedText[] = [];
  for (const fact of facts) texts.push(yield* factTermsOf(known, factText(fact)));
  const postings = yield* postingsOf(asked, texts);
  const found = yield* rankInSlices(postings);
  const ranked = found
    .sort((a, b) => b.score - a.score || a.document - b.document)
    .map(({ document, score }) => ({ ...(facts[document] as Fact), score }));
  const frequencies = new Map(own.map((term, index) => [term, postings.terms[index]?.documentFrequency ?? 0]));
  return yield* newerFirst(ranked, facts, { terms: frequencies, isEarlier }, known);
}

/** The stemmed terms of a question, and what finds other forms and spellings of its words; of a long one a part at a time. */
function* wordsAsked(query: string): Slices<{ own: string[]; others: string[]; isEarlier: boolean }> {
  const [own, others] = [new Set<string>(), new Set<string>()];
  let isEarlier = false;
  for (const part of partsOf(query)) {
    const { terms, forms, spellings } = questionTerms(part);
    for (const term of terms) own.add(term);
    for (const term of [...forms, ...spellings]) others.add(term);
    isEarlier ||= asksEarlier(part);
    yield;
  }
  return { own: [...own], others: [...others], isEarlier };
}
