import { type CustomPart, type FilePart, imageType, type Json, type JsonObject, toBase64 } from "@throughline/core";
import type { FilePart as HostFilePart, ImagePart } from "ai";
import { toJson, unsupported } from "./json.ts";
import { readNative, writeNative } from "./native-form.ts";

/** Kind of the part that stands for a file known to a provider by its own id. */
export const FILE_REFERENCE = "ai-sdk.file-reference";

const fromBase64 = (text: string): Uint8Array => Uint8Array.from(atob(text), (unit) => unit.charCodeAt(0));

/** What a host's `data` holds: base64, an address, a text, or a provider's own reference. */
function readData(data: HostFilePart["data"] | ImagePart["image"]): {
  data?: string;
  url?: string;
  mediaType?: string;
  isText?: boolean;
  reference?: Json;
} {
  if (typeof data === "string") return data.startsWith("data:") || URL.canParse(data) ? readUrl(data) : { data };
  if (data instanceof Uint8Array) return { data: toBase64(data) };
  if (data instanceof ArrayBuffer) return { data: toBase64(new Uint8Array(data)) };
  if (data instanceof URL) return readUrl(data.href);
  if (typeof data !== "object" || data === null) throw unsupported("A file without data");
  if (!("type" in data)) return { reference: toJson(data, "A file's reference") };
  // A reference may have a provider of the name "type"; only the four tags are tagged data.
  const tagged = data as Exclude<HostFilePart["data"], string | Uint8Array | ArrayBuffer | URL> & { type: string };
  switch (tagged.type) {
    case "data":
      return readData((tagged as { data: HostFilePart["data"] }).data);
    case "url":
      return readUrl(String((tagged as { url: URL }).url));
    case "text":
      return { data: toBase64(new TextEncoder().encode((tagged as { text: string }).text)), isText: true };
    case "reference":
      return { reference: toJson((tagged as { reference: unknown }).reference, "A file's reference") };
    default:
      return { reference: toJson(data, "A file's reference") };
  }
}

function readUrl(url: string): { data?: string; url?: string; mediaType?: string } {
  const [, mediaType, data] = /^data:([^;,]+)(?:;[^;,]+)*;base64,(.*)$/s.exec(url) ?? [];
  return mediaType === undefined || data === undefined ? { url } : { data, mediaType };
}

/** A host's file or image part in the neutral form. */
export function fromHostFile(file: {
  data: HostFilePart["data"] | ImagePart["image"];
  mediaType?: string | undefined;
  filename?: string | undefined;
}): FilePart | CustomPart {
  const read = readData(file.data);
  const name = file.filename === undefined ? {} : { name: file.filename };
  if (read.reference !== undefined) {
    const value: JsonObject = { reference: read.reference, mediaType: file.mediaType ?? "image/*" };
    if (file.filename !== undefined) value.name = file.filename;
    return { type: "custom", kind: FILE_REFERENCE, value };
  }
  const mediaType = read.mediaType ?? file.mediaType ?? imageType(read.data ?? "") ?? "image/*";
  const part: FilePart = { type: "file", mediaType, ...name, ...writeNative(read.isText ? { as: "text" } : {}) };
  if (read.data !== undefined) part.data = read.data;
  if (read.url !== undefined) part.url = read.url;
  return part;
}

/** A neutral file's content as the host takes it; `null` where only an artifact's id is known. */
export function hostFileData(part: FilePart): HostFilePart["data"] | null {
  if (part.data !== undefined) {
    if (readNative(part).as === "text") return { type: "text", text: new TextDecoder().decode(fromBase64(part.data)) };
    return part.data;
  }
  if (part.url === undefined) return null;
  return URL.canParse(part.url) ? new URL(part.url) : part.url;
}
