import { cutAtGrapheme } from "../text/graphemes.ts";
import { estimateTokens } from "../text/tokens.ts";

/** A cut keeps at least this share of what there was room for, or it is no summary. */
const MIN_KEPT = 0.5;

/** Ends of sentences, with what may close after them. */
const SENTENCE_END = /[.!?…。．！？؟۔।॥።։។။]["'”’»)\]）」』]*$/u;

/**
 * A model's answer as a summary of at most `maxTokens`. A longer one is cut after a sentence. One that the provider
 * cut off loses its broken last sentence. `null` where a cut-off answer keeps no usable part: then it is a failure.
 */
export function finishSummary(answer: string, maxTokens: number, isTruncated: boolean): string | null {
  const text = answer.trim();
  if (!isTruncated && estimateTokens(text) <= maxTokens) return text;
  const wanted = Math.min(estimateTokens(text), maxTokens) * MIN_KEPT;
  const cut = wholeSentences(text, maxTokens, isTruncated);
  if (cut !== "" && estimateTokens(cut) >= wanted) return cut;
  return isTruncated ? null : wholeWords(text, maxTokens);
}

/** The sentences from the beginning that fit. The last of a text that was cut off counts if it has an end. */
function wholeSentences(text: string, maxTokens: number, isTruncated: boolean): string {
  let end = 0;
  for (const { segment } of new Intl.Segmenter("en", { granularity: "sentence" }).segment(text)) {
    const next = end + segment.length;
    const isBroken = isTruncated && next === text.length && !SENTENCE_END.test(segment.trim());
    if (isBroken || estimateTokens(text.slice(0, next).trim()) > maxTokens) break;
    end = next;
  }
  return text.slice(0, end).trim();
}

/** A text without sentence ends, such as Thai, cut before a word that doesn't fit. */
function wholeWords(text: string, maxTokens: number): string {
  let cut = cutAtGrapheme(text, Math.floor((text.length * maxTokens) / estimateTokens(text)));
  while (cut !== "" && estimateTokens(`${cut}…`) > maxTokens) cut = cutAtGrapheme(cut, Math.floor(cut.length * 0.95));
  const space = cut.lastIndexOf(" ");
  return `${space > cut.length * MIN_KEPT ? cut.slice(0, space) : cut}…`;
}
