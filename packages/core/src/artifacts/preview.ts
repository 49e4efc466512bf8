import type { ToolResultPart } from "../contract/message.ts";
import { cutAtGrapheme } from "../text/graphemes.ts";
import { boundaryFrom, pieceEnd } from "./grapheme-boundary.ts";
import { type Content, contentLength, type Piece } from "./result-content.ts";
import { outputParts, withParts, withText } from "./tool-output.ts";

/** Characters of a content that its preview shows: its beginning, and a third of it its end. */
export const PREVIEW_CHARS = 2_000;

/** Where the whole of a previewed content is. */
export type Whereabouts =
  /** Kept, and the model has tools to read it. */
  | { kept: true; id: string; pages: number; tools: true }
  /** Kept, and the model has none. */
  | { kept: true; id: string; tools: false }
  /** Not kept: the store could not take it. */
  | { kept: false };

/** What is left in the prompt of `limit` characters at most: previews never make a result longer. */
export const previewChars = (offloadChars: number): number => Math.min(PREVIEW_CHARS, Math.floor(offloadChars / 2));

function markOf(content: Content, where: Whereabouts): string {
  const what =
    content.kind === "binary"
      ? `${content.bytes.length} bytes of ${content.mediaType.slice(0, 100)}`
      : `${contentLength(content)} characters`;
  const name = content.name === undefined ? "" : ` (${cutAtGrapheme(content.name, 100)})`;
  if (!where.kept) return `[Cut here: ${what}${name}.`;
  // The id comes first: what is left of this line in a stub must hold it.
  if (!where.tools) return `[Cut here, the whole is kept as artifact "${where.id}": ${what}${name}.`;
  return `[Kept as artifact "${where.id}": ${what}${name}. Read it with get_artifact, ${where.pages} page${
    where.pages === 1 ? "" : "s"
  }; change it with patch_artifact.`;
}

/** The beginning of a text, ended at a line where one ends in its second half. */
function beginningOf(text: string, chars: number): string {
  const cut = text.slice(0, pieceEnd(text, 0, chars));
  const line = cut.lastIndexOf("\n");
  return line >= chars / 2 ? cut.slice(0, line) : cut;
}

/** The end of a text, begun at a line where one begins in its first half. */
function endOf(text: string, chars: number): string {
  const from = text.length - chars;
  const line = text.indexOf("\n", from);
  return text.slice(line >= 0 && line < from + chars / 2 ? line + 1 : boundaryFrom(text, from));
}

/** What stands in the prompt for a content: where it is, how it begins and how it ends. Pure. */
export function previewOf(content: Content, where: Whereabouts, chars: number): string {
  const mark = markOf(content, where);
  if (content.kind === "binary") return `${mark}]`;
  if (content.text.length <= chars) return `${mark} All of it:]\n${content.text}`;
  const tail = Math.floor(chars / 3);
  const beginning = beginningOf(content.text, chars - tail);
  const end = endOf(content.text, tail);
  const left = content.text.length - beginning.length - end.length;
  return `${mark} Beginning and end:]\n${beginning}\n[… ${left} characters left out …]\n${end}`;
}

/** The result with previews in place of its pieces. Pure. */
export function withPreviews(
  part: ToolResultPart,
  previews: readonly { piece: Piece; text: string }[],
): ToolResultPart {
  const whole = previews.find(({ piece }) => piece.at === null);
  if (whole) return withText(part, whole.text);
  const byPlace = new Map(previews.map(({ piece, text }) => [piece.at, text]));
  const parts = outputParts(part) ?? [];
  return withParts(
    part,
    parts.map((inner, at) => {
      const text = byPlace.get(at);
      return text === undefined ? inner : { type: "text", text };
    }),
  );
}
