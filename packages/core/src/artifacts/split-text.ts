import { isGraphemeBoundary, pieceEnd } from "./grapheme-boundary.ts";

/** The text in pieces of about `size` code units, together the text exactly, no grapheme split between two. Pure. */
export function splitText(text: string, size: number): string[] {
  const pieces: string[] = [];
  for (let from = 0; from < text.length; ) {
    const end = pieceEnd(text, from, size);
    pieces.push(text.slice(from, end));
    from = end;
  }
  return pieces;
}

/** What becomes of the pieces of a text that was changed. */
export interface Resplit {
  /** How many pieces at the beginning and at the end stay as they are. */
  before: number;
  after: number;
  /** The new pieces between them. */
  pieces: string[];
}

/**
 * Splits a changed text anew where it changed, and only there, into pieces of up to one and a half times `size`. All
 * pieces together are the new text exactly, and no grapheme is split between two, also where the change joins what were
 * two graphemes. Pure.
 */
export function resplit(old: readonly string[], text: string, size: number): Resplit {
  let before = 0;
  let start = 0;
  for (const piece of old) {
    if (!text.startsWith(piece, start) || start + piece.length > text.length) break;
    start += piece.length;
    before++;
  }
  let after = 0;
  let end = text.length;
  for (let index = old.length - 1; index >= before; index--) {
    const piece = old[index] ?? "";
    if (end - piece.length < start || !text.startsWith(piece, end - piece.length)) break;
    end -= piece.length;
    after++;
  }
  while (before > 0 && !isGraphemeBoundary(text, start)) start -= old[--before]?.length ?? 0;
  while (after > 0 && !isGraphemeBoundary(text, end)) end += old[old.length - after--]?.length ?? 0;
  const changed = text.slice(start, end);
  // As many pieces as there were, about: a page that grew by a word must not leave a page of one word behind it.
  const count = Math.max(1, Math.round(changed.length / size));
  return { before, after, pieces: splitText(changed, Math.ceil(changed.length / count)) };
}
