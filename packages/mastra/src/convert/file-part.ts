import type { FilePart } from "@throughline/core";
import { writeNative } from "./native-form.ts";

const dataUrl = /^data:([^;,]+);base64,(.*)$/s;

/** A host's file, whose content is a data URL, base64 or an address. */
export function fromFileData(data: string, mediaType: string): FilePart {
  const [, type, content] = dataUrl.exec(data) ?? [];
  if (type !== undefined && content !== undefined) {
    const form = type === mediaType ? {} : { as: `data:${type}` };
    return { type: "file", mediaType, data: content, ...writeNative(form) };
  }
  if (URL.canParse(data)) return { type: "file", mediaType, url: data };
  return { type: "file", mediaType, data, ...writeNative({ as: "base64" }) };
}

/** What {@link fromFileData} read, as the host takes it; `null` where only an artifact's id is known. */
export function toFileData(part: FilePart, as: string | undefined): string | null {
  if (part.data === undefined) return part.url ?? null;
  if (as === "base64") return part.data;
  return `data:${as?.startsWith("data:") ? as.slice("data:".length) : part.mediaType};base64,${part.data}`;
}

/** What is shown in place of a file whose content is kept elsewhere. */
export const fileNote = (part: { mediaType: string; name?: string; artifact?: string }): string =>
  `[file ${part.name ?? part.mediaType}${part.artifact === undefined ? "" : `, artifact ${part.artifact}`}]`;
