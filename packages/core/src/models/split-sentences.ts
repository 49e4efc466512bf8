/** Longest piece that counts as one sentence, in UTF-16 code units; code and lists have no full stops. */
const MAX_SENTENCE_CHARS = 400;

/**
 * The sentences of a text in order, trimmed, none empty. Line breaks end a sentence too. Works for every script that
 * `Intl.Segmenter` knows. A piece of more than 400 characters without an end is parted at a space.
 */
export function splitSentences(text: string): string[] {
  // A fixed locale: the same text parts alike on every machine.
  const segmenter = new Intl.Segmenter("en", { granularity: "sentence" });
  const sentences: string[] = [];
  for (const line of text.split(/[\r\n\u2028\u2029]+/)) {
    for (const { segment } of segmenter.segment(line)) {
      let rest = segment.replace(/\s+/g, " ").trim();
      while (rest.length > MAX_SENTENCE_CHARS) {
        const space = rest.lastIndexOf(" ", MAX_SENTENCE_CHARS);
        if (space < MAX_SENTENCE_CHARS / 2) break;
        sentences.push(rest.slice(0, space));
        rest = rest.slice(space + 1);
      }
      if (rest !== "") sentences.push(rest);
    }
  }
  return sentences;
}
