import type { protocol } from "@openai/agents";
import { type Json, type Part, type ToolResultPart, toJson, unsupportedContent } from "@throughline/core";
import { fromContent, type HostContent, toUserContent } from "./content.ts";
import { fileNote, writeSource } from "./file-source.ts";
import { HOST_KIND, type ItemForm, ifAny, otherMembers, readForm } from "./item-form.ts";

type Output = protocol.FunctionCallResultItem["output"];
type Neutral = { part: Pick<ToolResultPart, "output" | "outputIs">; form: ItemForm };

/** A function's output in the neutral form, and what belongs into the part's `native`. */
export function fromOutput(output: Output): Neutral {
  // A plain text as it is; the tagged one, which the SDK writes itself, is the usual one.
  if (typeof output === "string") return { part: { output }, form: { as: "string" } };
  if (Array.isArray(output)) return { part: { output: output.map(fromContent), outputIs: "parts" }, form: {} };
  switch (output.type) {
    case "text":
      return { part: { output: output.text }, form: { content: ifAny(otherMembers(output, "type", "text")) } };
    case "image":
    case "file":
      return { part: { output: [fromContent(output)], outputIs: "parts" }, form: { as: "single" } };
    default:
      return { part: { output: toJson(output, "A tool's output") }, form: { as: "json" } };
  }
}

/** A neutral result's output as the host's functions give it. */
export function toOutput(result: ToolResultPart, exact: boolean): Output {
  const { as, content } = readForm(result);
  if (result.outputIs === "parts") {
    // The result says that its output is a list of parts.
    const parts = result.output as Part[];
    const [only] = parts;
    if (exact && as === "single" && only !== undefined) return singleOutput(only);
    return parts.flatMap((part) => outputContent(part, exact) ?? []);
  }
  if (typeof result.output !== "string") {
    // Read from an output of this host that has no other form.
    if (exact && as === "json") return result.output as unknown as Output;
    return { type: "text", text: JSON.stringify(result.output) };
  }
  if (as === "string") return result.output;
  return { type: "text", text: result.output, ...(exact ? content : {}) };
}

/** The older form of an output that is one image or one file. */
function singleOutput(part: Part): Output {
  const { as, content } = readForm(part);
  // Kept as it came from the host.
  if (part.type === "custom") return part.value as unknown as protocol.ToolCallOutputContent;
  if (part.type !== "file") throw unsupportedContent(`A tool's output of the type "${part.type}"`);
  const [type, form] = (as ?? "").split("/");
  const source = writeSource(part, form);
  // The form says of which kind it was read, and so what it may be again.
  return { type, [type as string]: source, ...content } as protocol.ToolCallOutputContent;
}

function outputContent(part: Part, exact: boolean): protocol.ToolCallStructuredOutput | null {
  if (part.type === "custom" && part.kind !== `${HOST_KIND}content`) {
    return { type: "input_text", text: JSON.stringify(part.value) };
  }
  const content = toUserContent(part, exact) as HostContent | null;
  if (content === null) throw unsupportedContent(`A tool's output that holds a part of the type "${part.type}"`);
  if (content.type === "input_text" || content.type === "input_image" || content.type === "input_file") return content;
  // Read from the older form by its id.
  if (content.type === "image" || content.type === "file") return legacyReference(content);
  return { type: "input_text", text: part.type === "file" ? fileNote(part) : JSON.stringify(content) };
}

function legacyReference(content: Extract<HostContent, { type: "image" | "file" }>): protocol.ToolCallStructuredOutput {
  const source = (content.type === "image" ? content.image : content.file) as { fileId?: string; id?: string };
  const id = String(source.fileId ?? source.id);
  return content.type === "image" ? { type: "input_image", image: { id } } : { type: "input_file", file: { id } };
}

/** What a call was given, read from the text that the model wrote. */
export function readArguments(text: string): { input: Json; as?: "raw" } {
  try {
    return { input: JSON.parse(text) as Json };
  } catch {
    return { input: text, as: "raw" };
  }
}
