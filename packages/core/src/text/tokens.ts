import { estimateTokenCount } from "tokenx";

/** Counts the tokens of a text. */
export type TokenCounter = (text: string) => number;

/** The estimator used unless the app brings a tokenizer. */
export const estimateTokens: TokenCounter = (text) => estimateTokenCount(text);

/**
 * A very cheap count, within a factor of {@link ROUGH_FACTOR} of {@link estimateTokens} on prose and code of any
 * script. Stored with every turn, so that a store can cut its reads; what a model is shown is counted properly.
 */
export function roughTokens(text: string): number {
  let wide = 0;
  for (let index = 0; index < text.length; index++) {
    if (text.charCodeAt(index) > 0x2e7f) wide++;
  }
  return Math.ceil((text.length - wide) / 4 + wide * 0.8);
}

/** How far off a rough count may be, either way. */
export const ROUGH_FACTOR = 2;
