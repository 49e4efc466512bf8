import { type FilePart, imageType, toBase64 } from "@throughline/core";

/** A file as the host names it: inline, by address, or by an id of the provider. */
export type FileSource =
  | string
  | { url: string; filename?: string | undefined }
  | { id: string; filename?: string | undefined }
  | { fileId: string }
  | { data: string | Uint8Array; mediaType?: string | undefined; filename?: string | undefined };

/** Which of these forms it was. */
type SourceForm = "data-url" | "base64" | "text-url" | "object-url" | "object-data";

const dataUrl = /^data:([^;,]+);base64,(.*)$/s;

/** The media type of base64, as far as its first bytes tell. */
const typeOf = (data: string, otherwise: string): string =>
  otherwise.startsWith("image/") ? (imageType(data) ?? otherwise) : otherwise;

/** A host's file in the neutral form; `null` where only the provider's own id is known. */
export function readSource(source: FileSource, otherwise: string): { part: FilePart; form: SourceForm } | null {
  if (typeof source === "string") {
    const [, mediaType, data] = dataUrl.exec(source) ?? [];
    if (mediaType !== undefined && data !== undefined) {
      return { part: { type: "file", mediaType, data }, form: "data-url" };
    }
    if (URL.canParse(source)) return { part: { type: "file", mediaType: otherwise, url: source }, form: "text-url" };
    return { part: { type: "file", mediaType: typeOf(source, otherwise), data: source }, form: "base64" };
  }
  const name = "filename" in source && source.filename !== undefined ? { name: source.filename } : {};
  if ("url" in source) {
    return { part: { type: "file", mediaType: otherwise, url: source.url, ...name }, form: "object-url" };
  }
  if (!("data" in source)) return null;
  const data = typeof source.data === "string" ? source.data : toBase64(source.data);
  const mediaType = source.mediaType ?? typeOf(data, otherwise);
  return { part: { type: "file", mediaType, data, ...name }, form: "object-data" };
}

/** A neutral file as the host takes it inline or by address; `null` where only an artifact's id is known. */
export function writeSource(part: FilePart, form?: string): FileSource | null {
  const named = part.name === undefined ? {} : { filename: part.name };
  if (part.data !== undefined) {
    if (form === "base64") return part.data;
    if (form === "object-data") return { data: part.data, mediaType: part.mediaType, ...named };
    return `data:${part.mediaType};base64,${part.data}`;
  }
  if (part.url === undefined) return null;
  return form === "object-url" ? { url: part.url, ...named } : part.url;
}

/** What is shown in place of a file whose content is kept elsewhere, or that its reader can't take. */
export const fileNote = (part: { mediaType: string; name?: string; artifact?: string }): string =>
  `[file ${part.name ?? part.mediaType}${part.artifact === undefined ? "" : `, artifact ${part.artifact}`}]`;
