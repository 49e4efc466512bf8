import { cutAtSentence } from "../text/sentences.ts";
import { estimateTokens } from "../text/tokens.ts";

/** An answer that was cut off is a summary only if whole sentences are at least this share of it. */
const MIN_WHOLE = 0.5;

/** Ends of sentences, with what may close after them. */
const SENTENCE_END = /[.!?…。．！？؟۔।॥։።]["'”’»)\]）」』]*$/u;

/**
 * A model's answer as a summary of at most `maxTokens`; a longer one is cut after a sentence. An answer that the
 * provider cut off loses its broken last sentence. `null` where no usable part of it is whole: then it is a failure.
 * The instructions ask for the most important first, so what a cut loses is the least of it.
 */
export function finishSummary(answer: string, maxTokens: number, isTruncated: boolean): string | null {
  const text = answer.trim();
  if (!isTruncated) return cutAtSentence(text, maxTokens, estimateTokens);
  const whole = wholeSentences(text);
  if (whole === "" || whole.length < text.length * MIN_WHOLE) return null;
  return cutAtSentence(whole, maxTokens, estimateTokens);
}

/** A text without its last sentence, unless that has an end. */
function wholeSentences(text: string): string {
  if (SENTENCE_END.test(text)) return text;
  const sentences = [...new Intl.Segmenter("en", { granularity: "sentence" }).segment(text)];
  return text.slice(0, sentences.at(-1)?.index ?? 0).trimEnd();
}
