/** What is asked by, in UTF-16 code units: to take a pasted document of a megabyte apart takes over a second. */
export const MOST_ASKED = 8_192;
/** No word is longer than this where it is cut. */
const LONGEST_WORD = 64;

/**
 * What a question is asked by: all of it, or of one that is longer than {@link MOST_ASKED} its beginning and its end, where people ask
 * when they paste something. Pure.
 */
export function askedPart(question: string): string {
  if (question.length <= MOST_ASKED) return question;
  const half = MOST_ASKED / 2;
  const start = question.slice(0, half - 1);
  const end = question.slice(-half);
  const afterStart = start.slice(-LONGEST_WORD).search(/\s\S*$/u);
  const beforeEnd = end.slice(0, LONGEST_WORD).search(/\s/u);
  // Without a gap there may be half a character.
  const cut = afterStart < 0 ? start.toWellFormed() : start.slice(0, afterStart - LONGEST_WORD);
  return `${cut}\n${beforeEnd < 0 ? end.toWellFormed() : end.slice(beforeEnd + 1)}`;
}
