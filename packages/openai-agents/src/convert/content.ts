import type { protocol } from "@openai/agents";
import { type FilePart, type Part, toJson, unsupportedContent } from "@throughline/core";
import { type FileSource, fileNote, readSource, writeSource } from "./file-source.ts";
import { HOST_KIND, ifAny, otherMembers, readForm, writeForm } from "./item-form.ts";

/** An entry of a user's or an assistant's content, or of a tool's output. */
export type HostContent =
  | Exclude<protocol.UserMessageItem["content"], string>[number]
  | protocol.AssistantMessageItem["content"][number]
  | protocol.ToolCallOutputContent
  | protocol.ToolCallStructuredOutput;

/** Where the host's entries hold their file, and what it is taken for where nothing else tells. */
const FILES = {
  input_image: { member: "image", mediaType: "image/*" },
  image: { member: "image", mediaType: "image/*" },
  input_file: { member: "file", mediaType: "application/octet-stream" },
  file: { member: "file", mediaType: "application/octet-stream" },
  audio: { member: "audio", mediaType: "audio/*" },
} as const;

/** One entry in the neutral form. */
export function fromContent(entry: HostContent): Part {
  switch (entry.type) {
    case "input_text":
    case "output_text":
    case "text":
      return { type: "text", text: entry.text, ...writeForm({ content: ifAny(otherMembers(entry, "type", "text")) }) };
    case "refusal": {
      const content = ifAny(otherMembers(entry, "type", "refusal"));
      return { type: "text", text: entry.refusal, ...writeForm({ as: "refusal", content }) };
    }
    default:
      return fromFile(entry);
  }
}

function fromFile(entry: Extract<HostContent, { type: keyof typeof FILES }>): Part {
  const known = FILES[entry.type];
  if (known === undefined) {
    throw unsupportedContent(`Content of the type "${String((entry as { type?: unknown }).type)}"`);
  }
  const source = (entry as { [member: string]: unknown })[known.member] as FileSource | undefined;
  const read = source === undefined ? null : readSource(source, known.mediaType);
  // What only the provider knows by its id stays as it is.
  if (read === null) return { type: "custom", kind: `${HOST_KIND}content`, value: toJson(entry, "A file") };
  const { filename } = entry as { filename?: string };
  const named = filename === undefined ? {} : { name: filename };
  const content = ifAny(otherMembers(entry, "type", known.member, "filename"));
  return { ...read.part, ...named, ...writeForm({ as: `${entry.type}/${read.form}`, content }) };
}

/** What a user says, as the host takes it; `null` for what has no place there. */
export function toUserContent(part: Part, exact: boolean): protocol.UserContent | null {
  const content = exact ? readForm(part).content : undefined;
  switch (part.type) {
    case "text":
      return { type: "input_text", text: part.text, ...content };
    case "file":
      // A file that was read from an entry becomes that kind of entry; another one what its media type says.
      return { ...userFile(part), ...(content as object) };
    case "custom":
      // Kept as it came from the host.
      if (part.kind === `${HOST_KIND}content`) return part.value as unknown as protocol.UserContent;
      throw unsupportedContent(`A part of the kind "${part.kind}"`);
    default:
      return null;
  }
}

function userFile(part: FilePart): protocol.UserContent {
  const [type = "", form] = (readForm(part).as ?? "").split("/");
  const source = writeSource(part, form);
  if (source === null) return { type: "input_text", text: fileNote(part) };
  const isRead = type in FILES;
  const named = part.name === undefined ? {} : { filename: part.name };
  if (type === "audio" || (!isRead && part.mediaType.startsWith("audio/"))) return userAudio(part, form);
  if (type === "input_image" || type === "image" || (!isRead && part.mediaType.startsWith("image/"))) {
    return { type: "input_image", image: typeof source === "string" ? source : String(writeSource(part)) };
  }
  if (part.url !== undefined && part.data === undefined && form !== "text-url") {
    return { type: "input_file", file: { url: part.url }, ...named };
  }
  return { type: "input_file", file: typeof source === "string" ? source : String(writeSource(part)), ...named };
}

/** Sound is taken inline, as WAV or MP3. */
function userAudio(part: FilePart, form: string | undefined): protocol.UserContent {
  if (form === "data-url" || form === "text-url") return { type: "audio", audio: String(writeSource(part, form)) };
  if (part.data === undefined) return { type: "input_text", text: fileNote(part) };
  if (form === "base64") return { type: "audio", audio: part.data };
  const format = /^audio\/(wav|x-wav|wave)/.test(part.mediaType)
    ? "wav"
    : /^audio\/(mpeg|mp3)/.test(part.mediaType)
      ? "mp3"
      : null;
  if (format === null) return { type: "input_text", text: fileNote(part) };
  return { type: "audio", audio: part.data, format };
}

/** What an assistant says, as the host takes it; `null` for what has no place there. */
export function toAssistantContent(
  part: Part,
  exact: boolean,
): protocol.AssistantMessageItem["content"][number] | null {
  const { as, content: own } = readForm(part);
  const content = exact ? own : undefined;
  switch (part.type) {
    case "text":
      if (as === "refusal") return { type: "refusal", refusal: part.text, ...content };
      return { type: "output_text", text: part.text, ...content };
    case "file": {
      const [type, form] = (as ?? "").split("/");
      const source = exact ? writeSource(part, form) : null;
      // Providers take no files back that an assistant made: others are told that there was one.
      if (typeof source === "string" && type === "image") return { type, image: source, ...content };
      if (typeof source === "string" && type === "audio") return { type, audio: source, ...content };
      return { type: "output_text", text: fileNote(part) };
    }
    case "custom":
      if (part.kind !== `${HOST_KIND}content`) throw unsupportedContent(`A part of the kind "${part.kind}"`);
      // Kept as it came from the host; a provider's own id says nothing to another one.
      return exact ? (part.value as unknown as protocol.AssistantMessageItem["content"][number]) : null;
    default:
      return null;
  }
}
