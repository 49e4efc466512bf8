import type { ProcessLLMRequestArgs } from "@mastra/core/processors";
import { type Json, type Message, messageText, type Part, type PromptGroup, toJson } from "@throughline/core";

type Prompt = ProcessLLMRequestArgs["prompt"];
export type PromptMessage = Prompt[number];
type PromptPart = Exclude<PromptMessage["content"], string>[number];
type ResultOutput = Extract<PromptPart, { type: "tool-result" }>["output"];

/** The messages of a prompt as they are weighed, each for itself. Pure. */
export const promptGroups = (prompt: readonly PromptMessage[]): PromptGroup<PromptMessage>[] =>
  prompt.map((item) => {
    const { role, content } = item;
    const parts: Part[] =
      typeof content === "string" ? [{ type: "text", text: content }] : content.map((part) => fromPromptPart(part));
    return { role, parts, items: [item] };
  });

function fromPromptPart(part: PromptPart): Part {
  switch (part.type) {
    case "text":
    case "reasoning":
      return { type: part.type, text: part.text };
    case "file": {
      const { data, mediaType } = part;
      // A newer model's prompt has the content a level deeper.
      const text = typeof data === "string" ? data : undefined;
      return { type: "file", mediaType, ...(text === undefined ? { url: "about:blank" } : { data: text }) };
    }
    case "tool-call":
      return { type: "tool-call", callId: part.toolCallId, tool: part.toolName, input: jsonOf(part.input) };
    case "tool-result": {
      const { toolCallId: callId, toolName: tool, output } = part;
      const isError = output.type.startsWith("error");
      return { type: "tool-result", callId, tool, output: outputOf(output), ...(isError ? { isError } : {}) };
    }
  }
}

const jsonOf = (value: unknown): Json => toJson(value ?? null, "A prompt");

/** A result's text or JSON; of content its texts, where it has no media. */
const outputOf = (output: ResultOutput): Json => ("value" in output ? jsonOf(output.value) : null);

/** A message that was shortened, as the model is given it. Pure. */
export function toPromptMessages(message: Message): PromptMessage[] {
  const { role, parts } = message;
  if (role === "tool") {
    const content = parts.flatMap((part) =>
      part.type === "tool-result"
        ? [{ type: part.type, toolCallId: part.callId, toolName: part.tool, output: resultOf(part) }]
        : [],
    );
    return content.length === 0 ? [] : [{ role, content }];
  }
  if (role === "system") return [{ role, content: messageText(message) }];
  const text = messageText(message);
  const said = text === "" ? [] : [{ type: "text" as const, text }];
  if (role === "user") return said.length === 0 ? [] : [{ role, content: said }];
  const calls = parts.flatMap((part) =>
    part.type === "tool-call"
      ? [{ type: part.type, toolCallId: part.callId, toolName: part.tool, input: part.input }]
      : [],
  );
  return said.length + calls.length === 0 ? [] : [{ role, content: [...said, ...calls] }];
}

function resultOf({ output, outputIs, isError }: Extract<Part, { type: "tool-result" }>): ResultOutput {
  // The result says that its output is a list of parts.
  const value = outputIs === "parts" ? messageText({ parts: output as Part[] }) : (output as Json);
  if (typeof value === "string") return { type: isError ? "error-text" : "text", value };
  // JSON is what the host's own type of it describes.
  return { type: isError ? "error-json" : "json", value: value as never };
}
