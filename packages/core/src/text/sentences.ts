import { cutAtGrapheme } from "./graphemes.ts";
import type { TokenCounter } from "./tokens.ts";

/**
 * The beginning of a text that has at most `maxTokens`, cut behind a whole sentence where one fits, else behind a
 * grapheme.
 */
export function cutAtSentence(text: string, maxTokens: number, countTokens: TokenCounter): string {
  if (countTokens(text) <= maxTokens) return text;
  let end = 0;
  for (const { segment, index } of new Intl.Segmenter(undefined, { granularity: "sentence" }).segment(text)) {
    const next = index + segment.length;
    if (countTokens(text.slice(0, next)) > maxTokens) break;
    end = next;
  }
  if (end > 0) return text.slice(0, end).trimEnd();
  // One sentence that is too long by itself: the longest run of graphemes that fits, found by halving.
  let [low, high] = [0, text.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (countTokens(cutAtGrapheme(text, middle)) <= maxTokens) low = middle;
    else high = middle - 1;
  }
  return cutAtGrapheme(text, low);
}
