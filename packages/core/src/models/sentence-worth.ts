import { extractTerms } from "../search/terms.ts";
import type { SummarySentence } from "./summary-sentences.ts";

/** What a sentence tells: its terms with their weights, and a factor for the kind of sentence it is. */
export interface SentenceWorth {
  terms: readonly (readonly [term: string, weight: number])[];
  factor: number;
}

/** Terms that agree this far count as one: a stemmer for any language that has endings. */
const STEM_CHARS = 8;

/** Short words of alphabets with spaces are mostly grammar (Zipf's law of abbreviation). Index: length. */
const LENGTH_WEIGHTS = [0, 0.1, 0.1, 0.25];
const ALPHABET = /^[\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}]/u;
/** A single character of a script without spaces says less than the pair it is part of. */
const SINGLE_WEIGHT = 0.3;

const NAME_WEIGHT = 1.7;
const NUMBER_WEIGHT = 1.3;
/** For a term taken up again within a few sentences, as a topic is and a figure of speech is not. */
const TOPIC_WEIGHT = 1.2;
const TOPIC_SENTENCES = { from: 2, to: 6 };

const QUESTION_FACTOR = 0.7;
/** A note in brackets, for example what a photo shows. */
const ASIDE_FACTOR = 0.7;
/** Fewer terms than this are a greeting or an exclamation more often than news. */
const SHORT_TERMS = 4;
const SHORT_FACTOR = 0.6;
const ASSISTANT_FACTOR = 0.8;

const isQuestion = (text: string): boolean => /[?？؟]["'”’)\]]*$/u.test(text);

/**
 * Weighs sentences against each other. A term weighs more the fewer sentences hold it (inverse document frequency,
 * scaled to at most 1), more if it is a name or has a digit, less if it is a short word. No word list is used.
 */
export function weighSentences(sentences: readonly SummarySentence[]): SentenceWorth[] {
  const termsOf = sentences.map(({ text }) => {
    const terms = new Map<string, string>();
    for (const term of extractTerms(text)) terms.set(term.slice(0, STEM_CHARS), term);
    return terms;
  });
  const frequency = new Map<string, number>();
  for (const terms of termsOf) for (const stem of terms.keys()) frequency.set(stem, (frequency.get(stem) ?? 0) + 1);
  const scale = Math.log(1 + sentences.length);
  return sentences.map((sentence, index) => {
    const names = namesIn(sentence.text);
    const terms = [...(termsOf[index] ?? [])].map(([stem, term]) => {
      const count = frequency.get(stem) ?? 1;
      const isTopic = count >= TOPIC_SENTENCES.from && count <= TOPIC_SENTENCES.to;
      const rarity = Math.log(1 + sentences.length / count) / scale;
      return [
        stem,
        rarity * shapeWeight(term) * (names.has(stem) ? NAME_WEIGHT : 1) * (isTopic ? TOPIC_WEIGHT : 1),
      ] as const;
    });
    return { terms, factor: kindFactor(sentence, terms.length) };
  });
}

function shapeWeight(term: string): number {
  if (/\p{N}/u.test(term)) return NUMBER_WEIGHT;
  if (ALPHABET.test(term)) return LENGTH_WEIGHTS[term.length] ?? 1;
  return [...term].length === 1 ? SINGLE_WEIGHT : 1;
}

function kindFactor({ text, isAssistant }: SummarySentence, terms: number): number {
  return (
    (isQuestion(text) ? QUESTION_FACTOR : 1) *
    (/^[[(【（]/u.test(text) ? ASIDE_FACTOR : 1) *
    (terms < SHORT_TERMS ? SHORT_FACTOR : 1) *
    (isAssistant ? ASSISTANT_FACTOR : 1)
  );
}

/** Stems of the capitalised words inside a sentence; the first word is capitalised anyway. */
function namesIn(text: string): Set<string> {
  const words = text.match(/[\p{L}\p{N}'’]+/gu) ?? [];
  const capitals = words.slice(1).filter((word) => /^\p{Lu}/u.test(word) && word.length > 1);
  return new Set(capitals.flatMap((word) => extractTerms(word)).map((term) => term.slice(0, STEM_CHARS)));
}
