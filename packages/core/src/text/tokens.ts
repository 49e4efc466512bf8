import { estimateTokenCount } from "tokenx";
import { cutAtGrapheme } from "./graphemes.ts";

/** Counts the tokens of a text. */
export type TokenCounter = (text: string) => number;

/** A longer text is estimated by parts of it: all of a megabyte would take a quarter of a second. In UTF-16 code units. */
const LONGEST_WHOLE = 32_768;
/** As much of it is read then, from the beginning to the end. */
const PART_CHARS = 512;
const PARTS = LONGEST_WHOLE / PART_CHARS;
/** In UTF-16 code units. */
const LONGEST_EMOJI = 48;

/** The estimator used unless the app brings a tokenizer. */
export const estimateTokens: TokenCounter = (text) =>
  text.length <= LONGEST_WHOLE ? estimateTokenCount(text) : estimateByParts(text);

function estimateByParts(text: string): number {
  let tokens = 0;
  let read = 0;
  for (let part = 0; part < PARTS; part++) {
    const piece = pieceAt(text, Math.round((part * (text.length - PART_CHARS)) / (PARTS - 1)));
    tokens += estimateTokenCount(piece);
    read += piece.length;
  }
  return Math.ceil((tokens * text.length) / read);
}

/** Some {@link PART_CHARS} of a text from near a place on. A half of an emoji at either end would be counted in another way. */
function pieceAt(text: string, start: number): string {
  const before = Math.max(0, start - LONGEST_EMOJI);
  const around = text.slice(before, start + PART_CHARS + LONGEST_EMOJI);
  const from = cutAtGrapheme(around, start - before).length;
  return cutAtGrapheme(around.slice(from), PART_CHARS);
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
