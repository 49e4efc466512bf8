import type { Json, Part, ToolResultPart } from "@throughline/core";
import type { ToolResultPart as HostToolResultPart } from "ai";
import { fromHostFile, hostFileData } from "./file-content.ts";
import { toJson, unsupported } from "./json.ts";
import { type NativeForm, readNative, readOptions, writeNative } from "./native-form.ts";

type HostOutput = HostToolResultPart["output"];
type HostContent = Extract<HostOutput, { type: "content" }>["value"][number];

/** Kind of a content item that only its provider understands; the value is the host's item. */
const HOST_CONTENT = "ai-sdk.tool-content";

/** What stands for a denial where the person gave no reason. */
const DENIED = "The person denied this call.";

/** A host's tool output in the neutral form, and what belongs into the part's `native`. */
export function fromHostOutput(output: HostOutput): {
  part: Pick<ToolResultPart, "output" | "outputIs" | "isError">;
  form: NativeForm;
} {
  const what = "A tool's output";
  const form: NativeForm = { outputOptions: readOptions(output) };
  switch (output.type) {
    case "text":
      return { part: { output: output.value }, form };
    case "error-text":
      return { part: { output: output.value, isError: true }, form };
    case "json":
    case "error-json": {
      const isError = output.type === "error-json" ? { isError: true } : {};
      // A text as JSON would be taken for a plain text.
      const as: NativeForm = typeof output.value === "string" ? { as: "json" } : {};
      return { part: { output: toJson(output.value, what), ...isError }, form: { ...form, ...as } };
    }
    case "execution-denied":
      return { part: { output: output.reason ?? DENIED, isError: true }, form: { ...form, as: "denied" } };
    case "content":
      return { part: { output: output.value.map(fromHostContent), outputIs: "parts" }, form };
    default:
      throw unsupported(`A tool output of the type "${String((output as { type?: unknown }).type)}"`);
  }
}

function fromHostContent(item: HostContent): Part {
  const native = writeNative({ providerOptions: readOptions(item) });
  switch (item.type) {
    case "text":
      return { type: "text", text: item.text, ...native };
    case "file":
      return { ...fromHostFile(item), ...native };
    case "file-data":
    case "image-data":
      return { ...fromHostFile({ ...item, data: { type: "data", data: item.data } }), ...native };
    case "file-url":
    case "image-url": {
      const mediaType = item.type === "file-url" ? (item.mediaType ?? "application/octet-stream") : "image/*";
      return { type: "file", mediaType, url: item.url, ...native };
    }
    default:
      return { type: "custom", kind: HOST_CONTENT, value: toJson(item, "A tool's output") };
  }
}

/** A neutral tool result's output as the host takes it. With `exact`, provider options too. */
export function hostOutput(result: ToolResultPart, exact: boolean): HostOutput {
  const { as, outputOptions } = readNative(result);
  const built = buildOutput(result, as, exact);
  // Where the output had options of its own, its form has a place for them.
  return exact && outputOptions ? ({ ...built, providerOptions: outputOptions } as HostOutput) : built;
}

function buildOutput({ output, outputIs, isError }: ToolResultPart, as: NativeForm["as"], exact: boolean): HostOutput {
  if (as === "denied") return { type: "execution-denied", ...(output === DENIED ? {} : { reason: String(output) }) };
  if (outputIs === "parts" && !isError) {
    return { type: "content", value: (output as Part[]).map((part) => hostContent(part, exact)) };
  }
  if (typeof output === "string" && as !== "json") return { type: isError ? "error-text" : "text", value: output };
  // Without the mark of parts it is JSON.
  return { type: isError ? "error-json" : "json", value: output as Json };
}

function hostContent(part: Part, exact: boolean): HostContent {
  const { providerOptions } = readNative(part);
  const options = exact && providerOptions ? { providerOptions } : {};
  switch (part.type) {
    case "text":
      return { type: "text", text: part.text, ...options };
    case "file": {
      const data = hostFileData(part);
      if (data === null) return { type: "text", text: fileNote(part) };
      const tagged = data instanceof URL ? { type: "url" as const, url: data } : data;
      const name = part.name === undefined ? {} : { filename: part.name };
      // What isn't an address is base64 or tagged already.
      const content = typeof tagged === "string" ? { type: "data" as const, data: tagged } : tagged;
      return { type: "file", data: content, mediaType: part.mediaType, ...name, ...options } as HostContent;
    }
    case "custom":
      // The value is the host's own item as it was read.
      if (part.kind === HOST_CONTENT) return part.value as HostContent;
      return { type: "text", text: JSON.stringify(part.value) };
    default:
      throw unsupported(`A tool's output that holds a part of the type "${part.type}"`);
  }
}

/** What is shown in place of a file whose content is kept elsewhere. */
export const fileNote = (part: { mediaType: string; name?: string; artifact?: string }): string =>
  `[file ${part.name ?? part.mediaType}${part.artifact === undefined ? "" : `, artifact ${part.artifact}`}]`;
