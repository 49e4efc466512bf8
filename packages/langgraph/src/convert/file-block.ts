import { type FilePart, type JsonObject, toBase64 } from "@throughline/core";
import { fromBase64, readDataUrl } from "./base64.ts";
import { definedJson } from "./json.ts";
import { readNative, writeNative } from "./native-form.ts";

/** A content block as any package of LangChain may write it. */
export type HostBlock = { type: string; [member: string]: unknown };

const isText = (value: unknown): value is string => typeof value === "string";

/** A file part, and in `native` how the host wrote it. */
function filePart(
  content: { data?: string; url?: string },
  mediaType: string,
  as: string,
  rest: object,
  name?: unknown,
): FilePart {
  return {
    type: "file",
    mediaType,
    ...content,
    ...(isText(name) ? { name } : {}),
    ...writeNative({ as, rest: definedJson(rest, "A file") }),
  };
}

/** What stands where only the kind of file is known. */
const GENERIC: { [type: string]: string } = { image: "image/*", audio: "audio/*", video: "video/*" };
const genericType = (type: string): string => GENERIC[type] ?? "application/octet-stream";

/** Readers of each way to write a file, tried in order; `null` where it is another way. */
const READERS: readonly ((block: HostBlock) => FilePart | null)[] = [
  // { type: "image_url", image_url: "https://…" | { url, detail } }
  ({ type, image_url: image, ...rest }) => {
    if (type !== "image_url") return null;
    const { url, ...more } = isText(image) ? { url: image } : { ...(image as { url?: unknown } | undefined) };
    if (!isText(url)) return null;
    const { mediaType = "image/*", data } = readDataUrl(url) ?? {};
    const as = isText(image) ? "image_url" : "image_url.object";
    return filePart(data === undefined ? { url } : { data }, mediaType, as, { ...rest, more });
  },
  // { type: "input_audio", input_audio: { data, format } }
  ({ type, input_audio: audio, ...rest }) => {
    const { data, format, ...more } = { ...(audio as { data?: unknown; format?: unknown } | undefined) };
    if (type !== "input_audio" || !isText(data) || !isText(format)) return null;
    return filePart({ data }, `audio/${format}`, "input_audio", { ...rest, more });
  },
  // OpenAI's { type: "file", file: { file_data: "data:…", filename } }
  ({ type, file, ...rest }) => {
    const { file_data: url, filename, ...more } = { ...(file as { file_data?: unknown; filename?: unknown }) };
    const read = type === "file" && isText(url) ? readDataUrl(url) : null;
    return read && filePart({ data: read.data }, read.mediaType, "file_data", { ...rest, more }, filename);
  },
  // { type: "image" | "audio" | "file", source_type: "base64" | "url", mime_type, data | url }
  ({ type, source_type: source, mime_type: mime, data, url, ...rest }) => {
    const name = (rest.metadata as { filename?: unknown } | undefined)?.filename;
    const mediaType = isText(mime) ? mime : genericType(type);
    const more = isText(mime) ? rest : { ...rest, untyped: true };
    if (source === "base64" && isText(data)) return filePart({ data }, mediaType, `${type}.base64`, more, name);
    return source === "url" && isText(url) ? filePart({ url }, mediaType, `${type}.url`, more, name) : null;
  },
  // { type: "text-plain", text }
  ({ type, text, mimeType, ...rest }) => {
    if (type !== "text-plain" || !isText(text)) return null;
    const data = toBase64(new TextEncoder().encode(text));
    const more = isText(mimeType) ? rest : { ...rest, untyped: true };
    return filePart({ data }, isText(mimeType) ? mimeType : "text/plain", "text-plain", more, rest.title);
  },
  // { type: "image" | "audio" | "video" | "file", mimeType, data | url }
  ({ type, mimeType, data, url, ...rest }) => {
    if (!["image", "audio", "video", "file"].includes(type) || rest.source_type !== undefined) return null;
    const name = (rest.metadata as { filename?: unknown } | undefined)?.filename;
    const mediaType = isText(mimeType) ? mimeType : genericType(type);
    const more = isText(mimeType) ? rest : { ...rest, untyped: true };
    if (data instanceof Uint8Array) return filePart({ data: toBase64(data) }, mediaType, `${type}.bytes`, more, name);
    if (isText(data)) return filePart({ data }, mediaType, `${type}.data`, more, name);
    return isText(url) ? filePart({ url }, mediaType, `${type}.address`, more, name) : null;
  },
];

/** A file that the host's block holds; `null` where it holds none that the neutral form knows. */
export function fromFileBlock(block: HostBlock): FilePart | null {
  for (const read of READERS) {
    const part = read(block);
    if (part !== null) return part;
  }
  return null;
}

/** A file as the host wrote it; `null` where it came from elsewhere, or its content is kept as an artifact by now. */
export function exactFileBlock(part: FilePart): HostBlock | null {
  const { as, rest = {} } = readNative(part);
  const { data, url, mediaType } = part;
  const { more, untyped, ...members } = rest as JsonObject & { more?: JsonObject };
  if (as === undefined || (data === undefined && url === undefined)) return null;
  const mime = untyped === true ? {} : { mimeType: mediaType };
  const mimeOld = untyped === true ? {} : { mime_type: mediaType };
  const dataUrl = `data:${mediaType};base64,${data}`;
  const [type = "", form] = as.split(".");
  if (type === "image_url") {
    const address = data === undefined ? url : dataUrl;
    return { type, image_url: form === "object" ? { url: address, ...more } : address, ...members };
  }
  if (as === "input_audio") {
    return { type: as, input_audio: { data, format: mediaType.slice("audio/".length), ...more }, ...members };
  }
  if (as === "file_data") {
    const name = part.name === undefined ? {} : { filename: part.name };
    return { type: "file", file: { file_data: dataUrl, ...name, ...more }, ...members };
  }
  if (as === "text-plain") {
    return { type: as, text: new TextDecoder().decode(fromBase64(data ?? "")), ...mime, ...members };
  }
  if (form === "base64") return { type, source_type: form, ...mimeOld, data, ...members };
  if (form === "url") return { type, source_type: form, ...mimeOld, url, ...members };
  if (form === "bytes") return { type, ...mime, data: fromBase64(data ?? ""), ...members };
  return { type, ...mime, ...(data === undefined ? { url } : { data }), ...members };
}

/** What is shown in place of a file whose content is kept elsewhere. */
export const fileNote = (part: FilePart): string =>
  `[file ${part.name ?? part.mediaType}${part.artifact === undefined ? "" : `, artifact ${part.artifact}`}]`;

/** A file in the form that most of LangChain's model packages take. */
export function portableFileBlock(part: FilePart): HostBlock {
  const { data, url, mediaType, name } = part;
  if (data === undefined && url === undefined) return { type: "text", text: fileNote(part) };
  if (mediaType.startsWith("image/")) {
    return { type: "image_url", image_url: { url: data === undefined ? url : `data:${mediaType};base64,${data}` } };
  }
  // OpenAI takes no file without a name.
  const metadata = { metadata: { filename: name ?? "file" } };
  const type = mediaType.startsWith("audio/") ? "audio" : "file";
  if (data === undefined) return { type, source_type: "url", mime_type: mediaType, url, ...metadata };
  return { type, source_type: "base64", mime_type: mediaType, data, ...metadata };
}
