/** A cluster longer than this many code units is no character of any language; it may be split, but at a code point. */
export const MAX_GRAPHEME = 1_024;

/**
 * Code units that stand for themselves: whatever is before one, the graphemes after it can be told from it on. ASCII,
 * Latin, Greek, Cyrillic, Hebrew and Arabic letters, kana, Han, Hangul syllables.
 */
function standsAlone(unit: number): boolean {
  return (
    unit === 0x0a ||
    (unit >= 0x20 && unit <= 0x7e) ||
    (unit >= 0xc0 && unit <= 0x24f) ||
    (unit >= 0x391 && unit <= 0x481) ||
    (unit >= 0x5d0 && unit <= 0x5ea) ||
    (unit >= 0x620 && unit <= 0x64a) ||
    (unit >= 0x3041 && unit <= 0x3096) ||
    (unit >= 0x30a1 && unit <= 0x30fa) ||
    (unit >= 0x4e00 && unit <= 0x9fff) ||
    (unit >= 0xac00 && unit <= 0xd7a3)
  );
}

const isHigh = (unit: number): boolean => unit >= 0xd800 && unit <= 0xdbff;
const isLow = (unit: number): boolean => unit >= 0xdc00 && unit <= 0xdfff;

/** True where a cut at `at` would part the two halves of a code point. */
const splitsPair = (text: string, at: number): boolean => isHigh(text.charCodeAt(at - 1)) && isLow(text.charCodeAt(at));

/** Grapheme boundaries of `text` between `from` (itself one, or a unit that stands alone) and `to`, `from` left out. */
function* boundariesAfter(text: string, from: number, to: number): Generator<number> {
  // One code point behind the end tells whether the end is a boundary.
  const slice = text.slice(from, to + 2);
  for (const { index } of new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(slice)) {
    if (index > 0 && from + index <= to) yield from + index;
  }
  if (to >= text.length) yield text.length;
}

/** The nearest place at or before `at` from which graphemes can be told; at least `from`. */
function anchorBefore(text: string, at: number, from: number): number {
  let anchor = at;
  while (anchor > from && !standsAlone(text.charCodeAt(anchor))) anchor--;
  return anchor;
}

/** True where no grapheme of the text reaches over `at`. */
export function isGraphemeBoundary(text: string, at: number): boolean {
  if (at <= 0 || at >= text.length) return true;
  if (splitsPair(text, at)) return false;
  const anchor = anchorBefore(text, at - 1, 0);
  for (const boundary of boundariesAfter(text, anchor, at)) if (boundary === at) return true;
  return false;
}

/** The first grapheme boundary at or behind `at`. */
export function boundaryFrom(text: string, at: number): number {
  if (at <= 0) return 0;
  const longest = Math.min(text.length, at + MAX_GRAPHEME);
  for (const boundary of boundariesAfter(text, anchorBefore(text, at - 1, 0), longest)) {
    if (boundary >= at) return boundary;
  }
  return splitsPair(text, longest) ? longest + 1 : longest;
}

/**
 * Where to end a piece of text that begins at the boundary `from` and should have at most `size` code units: at the
 * last boundary that fits, or behind the first grapheme where that alone is larger.
 */
export function pieceEnd(text: string, from: number, size: number): number {
  const most = from + Math.max(1, size);
  if (most >= text.length) return text.length;
  for (let anchor = most - 1; ; anchor--) {
    anchor = anchorBefore(text, anchor, from);
    let last = 0;
    for (const boundary of boundariesAfter(text, anchor, most)) last = boundary;
    if (last > from) return last;
    if (anchor <= from) break;
  }
  const longest = Math.min(text.length, Math.max(most, from + MAX_GRAPHEME));
  for (const boundary of boundariesAfter(text, from, longest)) return boundary;
  return splitsPair(text, longest) ? longest + 1 : longest;
}
