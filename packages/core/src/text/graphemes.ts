/**
 * The first `maxChars` UTF-16 code units of a text, cut before the grapheme that would not fit, so that no emoji,
 * accent or surrogate pair is split.
 */
export function cutAtGrapheme(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  // A grapheme longer than this is no word of any language; looking further back would only cost time.
  const from = Math.max(0, maxChars - 64);
  const segments = new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(text.slice(from, maxChars + 64));
  let end = from;
  for (const segment of segments) {
    const next = from + segment.index + segment.segment.length;
    if (next > maxChars) break;
    end = next;
  }
  return text.slice(0, end);
}
