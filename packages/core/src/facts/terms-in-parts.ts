import type { CountedText } from "../search/rank.ts";
import type { Slices } from "../search/slices.ts";
import { meaningOf } from "../text/words.ts";

/** Longer texts, in UTF-16 code units, are read part by part. */
const LONG_CHARS = 8_192;

/** How far before the end of a part a sentence's end is looked for. */
const LONGEST_SENTENCE = 1_024;
const SENTENCE_END = /[.!?。！？]\s|\n/gu;

/** A text in parts that end behind a sentence, or at least a space, where there is one. */
export function* partsOf(text: string): Generator<string, void, void> {
  let from = 0;
  do {
    const most = from + LONG_CHARS;
    const to = most < text.length ? endOfPart(text, from, most) : most;
    yield text.slice(from, to);
    from = to;
  } while (from < text.length);
}

function endOfPart(text: string, from: number, most: number): number {
  const near = most - LONGEST_SENTENCE;
  const sentence = [...text.slice(near, most).matchAll(SENTENCE_END)].at(-1);
  if (sentence !== undefined) return near + sentence.index + sentence[0].length;
  const space = text.lastIndexOf(" ", most - 1);
  return space > from ? space + 1 : most;
}

/** What counts the terms of a text, a part at a time. */
export function* countInParts(text: string, count: (part: string) => CountedText): Slices<CountedText> {
  const terms = new Map<string, number>();
  let length = 0;
  for (const part of partsOf(text)) {
    const read = count(part);
    length += read.length;
    for (const [term, count] of read.terms) terms.set(term, (terms.get(term) ?? 0) + count);
    yield;
  }
  return { terms, length };
}

/** `meaningOf` a text, a part at a time. */
export function* meaningInParts(text: string): Slices<ReadonlySet<string>> {
  const terms = new Set<string>();
  for (const part of partsOf(text)) {
    for (const term of meaningOf(part)) terms.add(term);
    yield;
  }
  return terms;
}
