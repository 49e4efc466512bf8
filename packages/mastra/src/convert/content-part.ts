import {
  type FilePart,
  type Part,
  type ReasoningPart,
  type SourcePart,
  toJson,
  unsupportedContent,
} from "@throughline/core";
import { fileNote, fromFileData, toFileData } from "./file-part.ts";
import { isSameJson, otherMembers } from "./json.ts";
import { HOST_KIND, readNative, writeNative } from "./native-form.ts";
import type { RowPart } from "./rows.ts";

type ContentPart = Exclude<RowPart, { type: "tool-invocation" }>;
type HostReasoning = Extract<RowPart, { type: "reasoning" }>;

/** One part of a row that is no tool's in the neutral form. */
export function fromContentPart(part: ContentPart): Part {
  switch (part.type) {
    case "text":
      return { type: "text", text: part.text, ...writeNative({ rest: otherMembers(part, "type", "text") }) };
    case "reasoning":
      return fromReasoning(part);
    case "file":
      return fromFile(part);
    case "source": {
      const { id, url, title, sourceType } = part.source;
      if (sourceType !== "url") break;
      const invocation = otherMembers(part.source, "sourceType", "id", "url", "title");
      const rest = otherMembers(part, "type", "source");
      return {
        type: "source",
        id,
        url,
        ...(title === undefined ? {} : { title }),
        ...writeNative({ rest, invocation }),
      };
    }
    case "source-document": {
      const { sourceId: id, mediaType, title, filename } = part;
      const rest = otherMembers(part, "type", "sourceId", "mediaType", "title", "filename");
      const name = filename === undefined ? {} : { name: filename };
      return { type: "source", id, mediaType, title, ...name, ...writeNative({ as: "document", rest }) };
    }
  }
  // Steps, errors, data of the app: kept as they are, for Mastra alone.
  return { type: "custom", kind: `${HOST_KIND}${part.type}`, value: toJson(part, "A part of a row") };
}

function fromReasoning(part: HostReasoning): ReasoningPart {
  const { reasoning = "", details } = part;
  const texts = (details ?? []).flatMap((detail) => (detail.type === "text" ? [detail.text] : [])).join("");
  const text = reasoning === "" ? texts : reasoning;
  const rest = otherMembers(part, "type", "reasoning", "details") ?? {};
  const as = reasoning === "" && text !== "" ? "details" : undefined;
  // The usual details say the same once more.
  if (!isSameJson(details, [{ type: "text", text }])) rest.details = toJson(details ?? null, "Reasoning");
  return {
    type: "reasoning",
    text,
    ...writeNative({ ...(as === undefined ? {} : { as }), ...(Object.keys(rest).length === 0 ? {} : { rest }) }),
  };
}

function fromFile(part: Extract<RowPart, { type: "file" }>): FilePart {
  // What `filename` is to some of the clients that write rows.
  const { data, mimeType, filename } = part as typeof part & { filename?: string };
  const file = fromFileData(data, mimeType);
  const { as } = readNative(file);
  const rest = otherMembers(part, "type", "data", "mimeType", "filename");
  return {
    ...file,
    ...(filename === undefined ? {} : { name: filename }),
    ...writeNative({ ...(as === undefined ? {} : { as }), rest }),
  };
}

/**
 * A neutral part as one of a row; `null` for what a model that didn't make it is not shown. Throws `UNSUPPORTED_CONTENT`
 * for a part that only another framework knows.
 */
export function toContentPart(part: Part, exact: boolean): RowPart | null {
  const { as, rest, invocation } = readNative(part);
  const members = exact ? rest : {};
  switch (part.type) {
    case "text":
      return { type: "text", text: part.text, ...members };
    case "reasoning": {
      if (!exact) return null;
      const details = [{ type: "text" as const, text: part.text }];
      const made = { type: "reasoning", reasoning: as === "details" ? "" : part.text, details, ...rest };
      if (made.details === null) return { type: "reasoning", reasoning: made.reasoning } as HostReasoning;
      // Details that were kept are the host's own.
      return made as HostReasoning;
    }
    case "file": {
      const data = toFileData(part, as);
      if (data === null) return { type: "text", text: fileNote(part) };
      const name = part.name === undefined ? {} : { filename: part.name };
      return { type: "file", mimeType: part.mediaType, data, ...name, ...members };
    }
    case "source":
      return toSource(part, as, { rest: members ?? {}, source: exact ? (invocation ?? {}) : {} });
    case "custom":
      if (!part.kind.startsWith(HOST_KIND)) throw unsupportedContent(`A part of the kind "${part.kind}"`);
      // Kept as it came from the host.
      return part.value as unknown as RowPart;
    default:
      return null;
  }
}

function toSource(
  { id = "", url, title, mediaType, name }: SourcePart,
  as: string | undefined,
  { rest, source }: { rest: object; source: object },
): RowPart {
  if (url !== undefined && as !== "document") {
    const named = title === undefined ? {} : { title };
    return { type: "source", source: { sourceType: "url", id, url, ...named, ...source }, ...rest };
  }
  const file = name === undefined ? {} : { filename: name };
  const type = { mediaType: mediaType ?? "application/octet-stream", title: title ?? "" };
  return { type: "source-document", sourceId: id, ...type, ...file, ...rest };
}
