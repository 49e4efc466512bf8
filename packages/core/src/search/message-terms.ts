import { countStems } from "./index-terms.ts";
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

/** What finds other forms of a question's words, in the languages that it may be of. Pure. */
export const otherForms = (query: string): string[] =>
  questionLanguageTerms(query, languagesOfTerms(extractTerms(query)));
