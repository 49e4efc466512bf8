import { messageTerms } from "../search/message-terms.ts";
import type { CountedText } from "../search/rank.ts";
import type { Slices } from "../search/slices.ts";
import { countInParts, meaningInParts } from "./terms-in-parts.ts";

/** Texts that are kept: two subjects' facts, of those that are read for one question. */
const MOST_TEXTS = 2_000;
/** Longest text that is kept, in UTF-16 code units. */
const LONGEST = 400;

/** What a text was taken apart to, as far as that was asked. */
export interface Words {
  terms?: CountedText;
  meaning?: ReadonlySet<string>;
}

/**
 * The words of facts, by their texts. Every question is held against up to a thousand facts, and taking those apart takes
 * longer than ranking them: they are kept until something is erased, those kept first going first.
 */
export type FactWords = Map<string, Words>;

/** What a text is found by; in slices. */
export function* factTermsOf(known: FactWords, text: string): Slices<CountedText> {
  const words = wordsOf(known, text);
  words.terms ??= yield* countInParts(text, messageTerms);
  return words.terms;
}

/** Which terms of a text carry meaning; in slices. */
export function* factMeaningOf(known: FactWords, text: string): Slices<ReadonlySet<string>> {
  const words = wordsOf(known, text);
  words.meaning ??= yield* meaningInParts(text);
  return words.meaning;
}

function wordsOf(known: FactWords, text: string): Words {
  const found = known.get(text);
  if (found !== undefined) return found;
  const words: Words = {};
  if (text.length > LONGEST) return words;
  known.set(text, words);
  const [oldest] = known.keys();
  if (known.size > MOST_TEXTS && oldest !== undefined) known.delete(oldest);
  return words;
}
