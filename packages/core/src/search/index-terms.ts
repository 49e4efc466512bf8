import { stem } from "./stem.ts";
import { withoutStopWords } from "./stop-words.ts";
import { extractTerms } from "./terms.ts";

/** The stemmed terms of a text with how often each stands there, and how many that say what it is about. Pure. */
export function indexTerms(text: string): { terms: Map<string, number>; length: number } {
  return countStems(extractTerms(text));
}

/** The same of terms that were extracted, before they are stemmed. Pure. */
export function countStems(all: readonly string[]): { terms: Map<string, number>; length: number } {
  const counts = new Map<string, number>();
  for (const term of all) counts.set(term, (counts.get(term) ?? 0) + 1);
  const terms = new Map<string, number>();
  for (const [term, count] of counts) {
    const stemmed = stem(term);
    terms.set(stemmed, (terms.get(stemmed) ?? 0) + count);
  }
  return { terms, length: withoutStopWords(all).length };
}

/** The stemmed terms that a question is about, each once. Pure. */
export const queryTerms = (query: string): string[] => aboutTerms(extractTerms(query));

/** The same of terms that were extracted. Pure. */
export const aboutTerms = (all: readonly string[]): string[] => [...new Set(withoutStopWords(all).map(stem))];

/** The stemmed terms of a quoted phrase, each once: all of them, as the phrase stands. Pure. */
export const phraseTerms = (phrase: string): string[] => [...new Set(extractTerms(phrase).map(stem))];
