import { stem } from "./stem.ts";
import { withoutStopWords } from "./stop-words.ts";
import { extractTerms } from "./terms.ts";

/** The stemmed terms of a text with how often each stands there, and how many there are in all. Pure. */
export function indexTerms(text: string): { terms: Map<string, number>; length: number } {
  const terms = new Map<string, number>();
  const all = extractTerms(text);
  for (const term of all) {
    const stemmed = stem(term);
    terms.set(stemmed, (terms.get(stemmed) ?? 0) + 1);
  }
  return { terms, length: withoutStopWords(all).length };
}

/** The stemmed terms that a question is about, each once. Pure. */
export const queryTerms = (query: string): string[] => [...new Set(withoutStopWords(extractTerms(query)).map(stem))];
