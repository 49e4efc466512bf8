import { aboutTerms, countStems } from "./index-terms.ts";
import { languageTerms, questionLanguageTerms } from "./language-terms.ts";
import { languagesOfTerms } from "./stop-words.ts";
import { extractTerms } from "./terms.ts";

/** What a message is found by: its stemmed terms, and terms for other forms of its words; how long it is in words. Pure. */
export function messageTerms(text: string): { terms: Map<string, number>; length: number } {
  const all = extractTerms(text);
  const { terms, length } = countStems(all);
  for (const term of languageTerms(text, languagesOfTerms(all))) terms.set(term, (terms.get(term) ?? 0) + 1);
  return { terms, length };
}

/** What a question is asked by: the stemmed terms that it is about, and what finds other forms of its words. Pure. */
export function questionTerms(query: string): { terms: string[]; forms: string[] } {
  const all = extractTerms(query);
  return { terms: aboutTerms(all), forms: questionLanguageTerms(query, languagesOfTerms(all)) };
}
