import { QUOTED } from "./phrases.ts";
import { without } from "./without.ts";

/** What is asked by, in UTF-16 code units: to take a pasted document of a megabyte apart takes over a second. */
export const MOST_ASKED = 8_192;
/** No word is longer than this where it is cut. */
const LONGEST_WORD = 64;
/** Blanks, and what is not seen at all, such as zero-width spaces. */
const GAP = /[\s\p{Cf}]{2,}/gu;

/**
 * What a question is asked by: all of it, or of one that is longer than {@link MOST_ASKED} its beginning and its end, where people ask
 * when they paste something. Pure.
 */
export function askedPart(question: string): string {
  if (question.length <= MOST_ASKED) return question;
  const whole = question.replace(GAP, " ").trim();
  if (whole.length <= MOST_ASKED) return whole;
  const half = MOST_ASKED / 2;
  const start = whole.slice(0, half - 1);
  const end = whole.slice(-half);
  const afterStart = start.slice(-LONGEST_WORD).search(/\s\S*$/u);
  const beforeEnd = end.slice(0, LONGEST_WORD).search(/\s/u);
  // Without a gap there may be half a character.
  const first = afterStart < 0 ? start.toWellFormed() : start.slice(0, afterStart - LONGEST_WORD);
  const last = beforeEnd < 0 ? end.toWellFormed() : end.slice(beforeEnd + 1);
  const [to, from] = [first.length, whole.length - last.length];
  const cut = [...whole.matchAll(QUOTED)].map(({ 0: { length }, index }) => ({ index, end: index + length }));
  const opening = cut.find(({ index, end }) => index < to && end > to)?.index;
  const closing = cut.find(({ index, end }) => index < from && end > from)?.end;
  return [
    without(first, opening === undefined ? [] : [{ index: opening, length: 1 }]),
    // A mark that is cut would quote all up to the next one.
    without(last, closing === undefined ? [] : [{ index: closing - 1 - from, length: 1 }]),
  ].join("\n");
}
