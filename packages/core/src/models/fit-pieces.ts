import { cutAtGrapheme } from "../text/graphemes.ts";
import { estimateTokens } from "../text/tokens.ts";
import { SHORTENING_ORDER, type SummaryPiece } from "./summary-pieces.ts";

/** Tool noise is never given in full: what matters of it, the assistant said. In UTF-16 code units. */
const MAX_TOOL_CHARS = 1_500;
/** What is left of a piece at least while pieces of other kinds can still be shortened, in UTF-16 code units. */
const FLOOR_CHARS = { "tool-result": 120, "tool-call": 60, system: 120, assistant: 300, user: 600 };
const MARK = " […] ";
/** Tokens that tags, names and dates cost beside a piece's text. */
const OVERHEAD_TOKENS = 12;

const tokensOf = (pieces: readonly SummaryPiece[]): number =>
  pieces.reduce((sum, { text }) => sum + estimateTokens(text) + OVERHEAD_TOKENS, 0);

/** A text of at most `maxChars`: its beginning and its end, no grapheme split, with a mark between. */
export function shorten(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const room = maxChars - MARK.length;
  if (room < 16) return cutAtGrapheme(text, Math.max(1, maxChars));
  const head = cutAtGrapheme(text, Math.ceil(room * 0.7));
  return head + MARK + endAtGrapheme(text, room - head.length);
}

/** The last `maxChars` of a text, beginning with a whole grapheme. */
function endAtGrapheme(text: string, maxChars: number): string {
  const from = text.length - maxChars;
  const before = cutAtGrapheme(text, from);
  if (before.length === from) return text.slice(from);
  const grapheme = new Intl.Segmenter("en", { granularity: "grapheme" })
    .segment(text.slice(before.length, from + 64))
    [Symbol.iterator]()
    .next().value;
  return text.slice(before.length + (grapheme?.segment.length ?? 0));
}

/** Tool calls and results shortened to what a summary may need of them. */
export const withoutToolNoise = (pieces: readonly SummaryPiece[]): SummaryPiece[] =>
  pieces.map((piece) =>
    piece.who.role.startsWith("tool-") ? { ...piece, text: shorten(piece.text, MAX_TOOL_CHARS) } : piece,
  );

/**
 * Parts pieces into batches of at most `maxTokens` each, in order. A piece that is too large for a batch of its own is
 * shortened.
 */
export function batchPieces(pieces: readonly SummaryPiece[], maxTokens: number): SummaryPiece[][] {
  const batches: SummaryPiece[][] = [];
  let batch: SummaryPiece[] = [];
  let room = maxTokens;
  for (const whole of pieces) {
    const [piece = whole] = fitPieces([whole], maxTokens);
    const cost = tokensOf([piece]);
    if (cost > room && batch.length > 0) {
      batches.push(batch);
      batch = [];
      room = maxTokens;
    }
    batch.push(piece);
    room -= cost;
  }
  return batch.length === 0 ? batches : [...batches, batch];
}

/**
 * Pieces shortened to `maxTokens` in all: long tool results first, then tool calls, the assistant, the user, each kind
 * only as far as needed and its longest first. Only when every kind is at its floor are all cut alike.
 */
export function fitPieces(pieces: readonly SummaryPiece[], maxTokens: number): SummaryPiece[] {
  let fitted = [...pieces];
  for (const role of SHORTENING_ORDER) {
    if (tokensOf(fitted) <= maxTokens) return fitted;
    fitted = lower(fitted, maxTokens, FLOOR_CHARS[role], (piece) => piece.who.role === role);
  }
  return tokensOf(fitted) <= maxTokens ? fitted : lower(fitted, maxTokens, 1, () => true);
}

/** Cuts the chosen pieces to the highest common length that fits, or to the floor. */
function lower(
  pieces: readonly SummaryPiece[],
  maxTokens: number,
  floor: number,
  isChosen: (piece: SummaryPiece) => boolean,
): SummaryPiece[] {
  const cutTo = (chars: number): SummaryPiece[] =>
    pieces.map((piece) => (isChosen(piece) ? { ...piece, text: shorten(piece.text, chars) } : piece));
  let low = floor;
  let high = Math.max(floor, ...pieces.filter(isChosen).map(({ text }) => text.length));
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (tokensOf(cutTo(middle)) <= maxTokens) low = middle;
    else high = middle - 1;
  }
  return cutTo(low);
}
