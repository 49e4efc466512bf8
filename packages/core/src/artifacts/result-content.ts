import type { FilePart, Part, ToolResultPart } from "../contract/message.ts";
import { base64Length, fromBase64 } from "./base64.ts";
import { outputParts } from "./tool-output.ts";

/** What an artifact holds. */
export type Content =
  | { kind: "text" | "json"; mediaType: string; name?: string | undefined; text: string }
  | { kind: "binary"; mediaType: string; name?: string | undefined; bytes: Uint8Array };

/** A part of a result, or all of its output, that is to leave the prompt. */
export interface Piece {
  /** Position in the list of parts; `null`: the whole output. */
  at: number | null;
  content: Content;
}

const TEXTUAL = /^text\/|[/+](?:json|xml|yaml|x-yaml|javascript|typescript|toml|csv|sql)(?:;|$)/;

/** How many times longer than compact an indented JSON may be. Deep nesting is mostly indentation. */
const MAX_INDENTED = 3;

/** JSON with one member a line, so that its pages and line numbers say something. */
export function readableJson(value: unknown): string {
  const compact = JSON.stringify(value);
  const indented = JSON.stringify(value, null, 2);
  return indented.length > compact.length * MAX_INDENTED ? compact : indented;
}

/** The characters of a content in the prompt. */
export const contentLength = (content: Content): number =>
  content.kind === "binary" ? base64Length(content.bytes.length) : content.text.length;

/** The base64 of a file that is in the message itself. */
function inlineData(file: FilePart): string | undefined {
  if (file.data !== undefined) return file.data;
  return /^data:[^,]*;base64,(.*)$/s.exec(file.url ?? "")?.[1];
}

function fileContent(file: FilePart): Content | null {
  const data = inlineData(file);
  if (data === undefined) return null;
  const { mediaType, name } = file;
  const bytes = fromBase64(data);
  // What isn't base64 is kept as it was given.
  if (bytes === null) return { kind: "text", mediaType: "text/plain", name, text: data };
  if (TEXTUAL.test(mediaType)) {
    try {
      const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
      return { kind: "text", mediaType, name, text };
    } catch {
      // A text file in another encoding is bytes like any other.
    }
  }
  return { kind: "binary", mediaType, name, bytes };
}

function partContent(part: Part): Content | null {
  switch (part.type) {
    case "text":
    case "reasoning":
      return { kind: "text", mediaType: "text/plain", text: part.text };
    case "file":
      return fileContent(part);
    case "custom":
      return { kind: "json", mediaType: "application/json", text: readableJson(part.value) };
    default:
      return null;
  }
}

const partLength = (part: Part): number => {
  if (part.type === "text" || part.type === "reasoning") return part.text.length;
  if (part.type === "file") return inlineData(part)?.length ?? 0;
  return JSON.stringify(part).length;
};

/** Characters of the prompt that a result takes. */
export function resultLength(part: ToolResultPart): number {
  const parts = outputParts(part);
  if (parts) return parts.reduce((sum, inner) => sum + partLength(inner), 0);
  return typeof part.output === "string" ? part.output.length : JSON.stringify(part.output).length;
}

const isMedia = (part: Part): boolean =>
  part.type === "file" && /^(?:image|audio|video)\/|^application\/pdf$/.test(part.mediaType);

/**
 * What has to leave a result so that at most `maxChars` of it stay, previews of `previewChars` each not counted; empty
 * where it is not larger. Of several parts the largest go first; many small ones go together. `keepMedia` leaves in
 * what models look at: images, sound, video, PDF. Pure.
 */
export function oversizePieces(
  part: ToolResultPart,
  limits: { maxChars: number; previewChars: number; keepMedia?: boolean | undefined },
): Piece[] {
  const { maxChars, previewChars, keepMedia = false } = limits;
  const parts = outputParts(part);
  if (parts === null) {
    const { output } = part;
    if (resultLength(part) <= maxChars) return [];
    return [
      typeof output === "string"
        ? { at: null, content: { kind: "text", mediaType: "text/plain", text: output } }
        : { at: null, content: { kind: "json", mediaType: "application/json", text: readableJson(output) } },
    ];
  }
  const counted = parts
    .map((inner, at) => ({ inner, at, length: keepMedia && isMedia(inner) ? 0 : partLength(inner) }))
    .sort((a, b) => b.length - a.length || a.at - b.at);
  let left = counted.reduce((sum, { length }) => sum + length, 0);
  const pieces: Piece[] = [];
  for (const { inner, at, length } of counted) {
    if (left <= maxChars || length <= previewChars * 2) break;
    const content = partContent(inner);
    if (content === null) continue;
    pieces.push({ at, content });
    left -= length;
  }
  // Media that must stay can't be part of a text.
  if (left <= maxChars || (keepMedia && parts.some(isMedia))) return pieces.sort((a, b) => (a.at ?? 0) - (b.at ?? 0));
  return [{ at: null, content: { kind: "json", mediaType: "application/json", text: readableJson(parts) } }];
}
