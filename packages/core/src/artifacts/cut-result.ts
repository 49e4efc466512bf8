import type { Message, ToolResultPart } from "../contract/message.ts";
import { previewChars, previewOf, withPreviews } from "./preview.ts";
import { oversizePieces } from "./result-content.ts";

/** Which results are cut. */
export interface CutOptions {
  /** Leave in what models look at: images, sound, video, PDF. @default false */
  keepMedia?: boolean | undefined;
}

/** A result of more than `maxChars` characters cut with a mark; any other as it is, the same object. Pure. */
export function cutResult(part: ToolResultPart, maxChars: number, options: CutOptions = {}): ToolResultPart {
  const chars = previewChars(maxChars);
  const pieces = oversizePieces(part, { maxChars, previewChars: chars, keepMedia: options.keepMedia });
  if (pieces.length === 0) return part;
  return withPreviews(
    part,
    pieces.map((piece) => ({ piece, text: previewOf(piece.content, { kept: false }, chars) })),
  );
}

/**
 * Messages with results of more than `maxChars` characters cut. For history that was recorded without artifacts: while
 * the store could not take them, or by an import. Pure; a message that needs no change comes back as it is.
 */
export function cutResults(messages: readonly Message[], maxChars: number, options: CutOptions = {}): Message[] {
  return messages.map((message) => {
    let changed = false;
    const parts = message.parts.map((part) => {
      if (part.type !== "tool-result") return part;
      const cut = cutResult(part, maxChars, options);
      changed ||= cut !== part;
      return cut;
    });
    if (!changed) return message;
    // A host's own form would bring back what was cut.
    const { native: _native, ...rest } = message;
    return { ...rest, parts };
  });
}
