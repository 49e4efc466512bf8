import { estimateTokenCount } from "tokenx";

/** Counts the tokens of a text. */
export type TokenCounter = (text: string) => number;

/** A longer text is estimated by parts of it: all of a megabyte would take a quarter of a second. In UTF-16 code units. */
const LONGEST_WHOLE = 32_768;
/** As much of it is read then, from the beginning to the end. */
const PART_CHARS = 512;
const PARTS = LONGEST_WHOLE / PART_CHARS;

/** The estimator used unless the app brings a tokenizer. */
export const estimateTokens: TokenCounter = (text) =>
  text.length <= LONGEST_WHOLE ? estimateTokenCount(text) : estimateByParts(text);

function estimateByParts(text: string): number {
  let tokens = 0;
  for (let part = 0; part < PARTS; part++) {
    const start = Math.round((part * (text.length - PART_CHARS)) / (PARTS - 1));
    tokens += estimateTokenCount(text.slice(start, start + PART_CHARS));
  }
  return Math.ceil((tokens * text.length) / (PARTS * PART_CHARS));
}

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
