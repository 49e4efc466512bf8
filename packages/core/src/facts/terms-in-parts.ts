import type { CountedText } from "../search/rank.ts";
import type { Slices } from "../search/slices.ts";
import { meaningOf } from "../text/words.ts";

/** Longer texts, in UTF-16 code units, are read part by part. */
const LONG_CHARS = 8_192;

/** A text in parts that end behind a space, where there is one. */
export function* partsOf(text: string): Generator<string, void, void> {
  let from = 0;
  do {
    const most = from + LONG_CHARS;
    const space = most < text.length ? text.lastIndexOf(" ", most - 1) : -1;
    const to = space > from ? space + 1 : most;
    yield text.slice(from, to);
    from = to;
  } while (from < text.length);
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
