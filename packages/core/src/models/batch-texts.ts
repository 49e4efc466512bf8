import { cutAtGrapheme } from "../text/graphemes.ts";
import { estimateTokens } from "../text/tokens.ts";

/** Tokens of one request; OpenAI takes 300,000 by its own count. */
const MAX_REQUEST_TOKENS = 150_000;

/**
 * Texts with their prefix in batches for an embedding model, in order. Blank texts become a space, as providers turn
 * empty ones down; long ones are cut.
 */
export function batchTexts(
  texts: readonly string[],
  prefix: string,
  limits: { size: number; textTokens: number },
): string[][] {
  const batches: string[][] = [];
  let tokens = 0;
  for (const whole of texts) {
    const text = cutToTokens(`${prefix}${whole.trim() === "" ? " " : whole.toWellFormed()}`, limits.textTokens);
    const cost = estimateTokens(text);
    const batch = batches.at(-1);
    if (batch && batch.length < limits.size && tokens + cost <= MAX_REQUEST_TOKENS) {
      batch.push(text);
      tokens += cost;
    } else {
      batches.push([text]);
      tokens = cost;
    }
  }
  return batches;
}

function cutToTokens(text: string, maxTokens: number): string {
  let cut = text;
  for (let tokens = estimateTokens(cut); tokens > maxTokens; tokens = estimateTokens(cut)) {
    // At least one less each time, so that the loop ends.
    cut = cutAtGrapheme(cut, Math.min(cut.length - 1, Math.floor((cut.length * maxTokens) / tokens)));
  }
  return cut;
}
