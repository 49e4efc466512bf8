import type { CustomPart, Json, Part, ToolResultPart } from "@throughline/core";
import type { ToolResultPart as HostToolResultPart } from "ai";
import { fromHostFile, hostFileData } from "./file-content.ts";
import { definedJson, toJson, unsupported } from "./json.ts";
import type { PartForm } from "./native-form.ts";

type HostOutput = HostToolResultPart["output"];
type HostContent = Extract<HostOutput, { type: "content" }>["value"][number];

/** Kind of a content item that only its provider understands; the value is the host's item. */
const HOST_CONTENT = "ai-sdk.tool-content";

/** What stands for a denial where the person gave no reason. */
const DENIED = "The person denied this call.";

/** A host's tool output in the neutral form. */
export function fromHostOutput(output: HostOutput): Pick<ToolResultPart, "output" | "isError"> & { form: PartForm } {
  const what = "A tool's output";
  const outputOptions = "providerOptions" in output ? definedJson({ ...output.providerOptions }, what) : undefined;
  const options: PartForm = outputOptions === undefined ? {} : { outputOptions };
  switch (output.type) {
    case "text":
      return { output: output.value, form: options };
    case "error-text":
      return { output: output.value, isError: true, form: options };
    case "json":
      return { output: toJson(output.value, what), form: { ...options, ...asJson(output.value) } };
    case "error-json":
      return { output: toJson(output.value, what), isError: true, form: { ...options, ...asJson(output.value) } };
    case "execution-denied":
      return { output: output.reason ?? DENIED, isError: true, form: { ...options, as: "denied" } };
    case "content": {
      const contentOptions: NonNullable<PartForm["contentOptions"]> = {};
      const parts = output.value.map((item, index) => {
        const held = definedJson({ ...item.providerOptions }, what);
        if (held !== undefined && item.type !== "custom") contentOptions[index] = held;
        return fromHostContent(item);
      });
      const form = Object.keys(contentOptions).length === 0 ? options : { ...options, contentOptions };
      // Core reads an array of parts as parts; a part is JSON.
      return { output: parts, form };
    }
    default:
      throw unsupported(`A tool output of the type "${String((output as { type?: unknown }).type)}"`);
  }
}

/** JSON that would be taken for a text or for content is marked as what it is. */
const asJson = (value: unknown): PartForm =>
  typeof value === "string" || (Array.isArray(value) && isContent(value as Json[])) ? { as: "json" } : {};

function fromHostContent(item: HostContent): Part {
  switch (item.type) {
    case "text":
      return { type: "text", text: item.text };
    case "file":
      return fromHostFile(item).part;
    case "file-data":
    case "image-data":
      return fromHostFile({ ...item, data: { type: "data", data: item.data } }).part;
    case "file-url":
    case "image-url": {
      const mediaType = item.type === "file-url" ? (item.mediaType ?? "application/octet-stream") : "image/*";
      return { type: "file", mediaType, url: item.url };
    }
    default:
      return { type: "custom", kind: HOST_CONTENT, value: toJson(item, "A tool's output") };
  }
}

const CONTENT_TYPES = new Set(["text", "file", "custom"]);

/** Is a tool's output a list of content parts rather than JSON that is an array? */
function isContent(output: Json | Part[]): output is Part[] {
  return (
    Array.isArray(output) &&
    output.length > 0 &&
    output.every((item) => {
      if (typeof item !== "object" || item === null || Array.isArray(item)) return false;
      const { type, text, mediaType, kind } = item as { [key: string]: unknown };
      if (!CONTENT_TYPES.has(String(type))) return false;
      return type === "text" ? typeof text === "string" : typeof (type === "file" ? mediaType : kind) === "string";
    })
  );
}

/** A neutral tool result's output as the host takes it. With `exact`, provider options too. */
export function hostOutput(result: ToolResultPart, form: PartForm | undefined, exact: boolean): HostOutput {
  const { output, isError } = result;
  const options = exact && form?.outputOptions ? { providerOptions: form.outputOptions } : {};
  // What was parsed from JSON is the host's JSON; its type only adds `undefined` members.
  const built = ((): HostOutput => {
    if (form?.as === "denied") return output === DENIED ? denied() : denied(String(output));
    if (form?.as !== "json" && typeof output === "string") {
      return { type: isError ? "error-text" : "text", value: output };
    }
    if (form?.as !== "json" && !isError && isContent(output)) {
      return {
        type: "content",
        value: output.map((part, index) => hostContent(part, exact ? form?.contentOptions?.[index] : undefined)),
      };
    }
    return { type: isError ? "error-json" : "json", value: output as Json };
  })();
  return { ...built, ...options } as HostOutput;
}

const denied = (reason?: string): HostOutput => ({
  type: "execution-denied",
  ...(reason === undefined ? {} : { reason }),
});

function hostContent(part: Part, providerOptions: PartForm["providerOptions"]): HostContent {
  const options = providerOptions === undefined ? {} : { providerOptions };
  // Provider options were the host's own as they were read.
  if (part.type === "text") return { type: "text", text: part.text, ...options } as HostContent;
  if (part.type === "file") {
    const data = hostFileData(part, undefined);
    if (data === null) return { type: "text", text: fileNote(part) };
    const tagged = data instanceof URL ? { type: "url" as const, url: data } : { type: "data" as const, data };
    const name = part.name === undefined ? {} : { filename: part.name };
    return { type: "file", data: tagged, mediaType: part.mediaType, ...name, ...options } as HostContent;
  }
  if (part.type === "custom" && part.kind === HOST_CONTENT) return (part as CustomPart).value as HostContent;
  if (part.type === "custom") return { type: "text", text: JSON.stringify(part.value) };
  throw unsupported(`A tool's output that holds a part of the type "${part.type}"`);
}

/** What is shown in place of a file whose content is kept elsewhere. */
export const fileNote = (part: { mediaType: string; name?: string; artifact?: string }): string =>
  `[file ${part.name ?? part.mediaType}${part.artifact === undefined ? "" : `, artifact ${part.artifact}`}]`;
