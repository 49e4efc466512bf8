import { countStems } from "./index-terms.ts";
import { languageTerms, questionLanguageTerms } from "./language-terms.ts";
import { otherSpellings } from "./spellings.ts";
import { formerStem, stem } from "./stem.ts";
import { languagesOfTerms, withoutStopWords } from "./stop-words.ts";
import { extractTerms } from "./terms.ts";

/** What a message is found by: its stemmed terms, and terms for other forms of its words; how long it is in words. Pure. */
export function messageTerms(text: string): { terms: Map<string, number>; length: number } {
  const all = extractTerms(text);
  const { terms, length } = countStems(all);
  for (const term of languageTerms(text, languagesOfTerms(all))) terms.set(term, (terms.get(term) ?? 0) + 1);
  for (const term of otherSpellings(text)) if (!terms.has(term)) terms.set(term, 1);
  return { terms, length };
}

/** What a question is asked by. */
export interface QuestionTerms {
  /** The stemmed terms that it is about. */
  terms: string[];
  /** What finds other forms of its words. */
  forms: string[];
  /** Other spellings of its words, and what irregular forms were indexed as before they were led back to their words. */
  spellings: string[];
}

/** The terms of a question, each once in its list. Pure. */
export function questionTerms(query: string): QuestionTerms {
  const all = extractTerms(query);
  const about = withoutStopWords(all);
  const stems = about.map(stem);
  const own = new Set(stems);
  const former = about.flatMap((term, index) => formerStem(term, stems[index] ?? term) ?? []);
  return {
    terms: [...own],
    forms: questionLanguageTerms(query, languagesOfTerms(all)),
    spellings: [...otherSpellings(query), ...former].filter((term) => !own.has(term)),
  };
}
