import { cutAtGrapheme } from "../text/graphemes.ts";
import { WEIGHTS } from "./weights.ts";

/** The most pieces of one text: a longer one has longer pieces. */
const MOST = 48;
const SENTENCE_END = /(?<=[.!?…]\s)|(?<=[。！？\n])/u;

/**
 * A long text in pieces of about one length, cut behind sentences where that is possible: what one sentence of a long answer
 * says isn't drowned by the others. All pieces together are the text.
 */
export function piecesOf(text: string): string[] {
  const wanted = Math.max(WEIGHTS.pieceChars, Math.ceil(text.length / MOST));
  if (text.length <= 1.5 * wanted) return [text];
  const pieces: string[] = [];
  let piece = "";
  for (const sentence of text.split(SENTENCE_END)) {
    if (piece !== "" && piece.length + sentence.length > wanted) {
      pieces.push(piece);
      piece = "";
    }
    piece += sentence;
    while (piece.length > 2 * wanted) {
      const head = headOf(piece, wanted);
      pieces.push(head);
      piece = piece.slice(head.length);
    }
  }
  if (piece !== "") pieces.push(piece);
  return pieces;
}

/** The beginning of a text without sentences: up to a space, else to a grapheme. */
function headOf(text: string, chars: number): string {
  const space = text.lastIndexOf(" ", chars);
  if (space > chars / 2) return text.slice(0, space + 1);
  const head = cutAtGrapheme(text, chars);
  return head === "" ? text.slice(0, chars) : head;
}
