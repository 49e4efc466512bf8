import type { MessageInput, Part, ToolResultPart } from "@throughline/core";
import type { TextStreamPart, ToolSet } from "ai";
import type { RunSource, RunToolExecution } from "../run-events.ts";
import { toJson } from "./json.ts";

/** What has happened in the step that runs. Read only where the step never ends. */
export interface PartialStep {
  chunk(chunk: { readonly type: string }): void;
  toolRan(event: RunToolExecution): void;
  reset(): void;
  /** The step so far. A call that `isKnown` stands in the turn already and is not repeated. */
  messages(isKnown: (callId: string) => boolean): MessageInput[];
}

/** Gathers a running step from the stream's parts and from the tools that ran. */
export function createPartialStep(): PartialStep {
  let said: Part[] = [];
  let open = new Map<string, { text: string }>();
  let ran = new Map<string, RunToolExecution>();

  const begin = (key: string, part: { type: "text" | "reasoning"; text: string }): void => {
    open.set(key, part);
    said.push(part);
  };

  return {
    chunk(chunk) {
      // The stream's parts, whatever the tools are: only their inputs and outputs differ.
      const part = chunk as TextStreamPart<ToolSet>;
      switch (part.type) {
        case "text-start":
        case "reasoning-start": {
          const type = part.type === "text-start" ? "text" : "reasoning";
          return begin(`${type}:${part.id}`, { type, text: "" });
        }
        case "text-delta":
        case "reasoning-delta": {
          const type = part.type === "text-delta" ? "text" : "reasoning";
          const key = `${type}:${part.id}`;
          const running = open.get(key);
          if (running === undefined) begin(key, { type, text: part.text });
          else running.text += part.text;
          return;
        }
        case "tool-call":
          said.push(callPart(part));
          return;
        case "tool-result":
          if (part.providerExecuted && !part.preliminary) said.push(resultPart({ toolCall: part, toolOutput: part }));
          return;
        case "tool-error":
          if (part.providerExecuted) said.push(resultPart({ toolCall: part, toolOutput: part }));
          return;
        case "file":
          said.push({ type: "file", mediaType: part.file.mediaType, data: part.file.base64 });
          return;
        case "source":
          said.push(sourcePart(part));
          return;
        default:
          return;
      }
    },
    toolRan(event) {
      ran.set(event.toolCall.toolCallId, event);
    },
    reset() {
      said = [];
      open = new Map();
      ran = new Map();
    },
    messages(isKnown) {
      const called = new Set(said.flatMap((part) => (part.type === "tool-call" ? [part.callId] : [])));
      const unsaid = [...ran.values()].filter(
        ({ toolCall: { toolCallId } }) => !called.has(toolCallId) && !isKnown(toolCallId),
      );
      const parts = [...said, ...unsaid.map(({ toolCall }) => callPart(toolCall))].filter(
        (part) => !(part.type === "text" || part.type === "reasoning") || part.text !== "",
      );
      // As it is now: a stream that is being stopped may still send a word.
      const now = parts.map((part) => ({ ...part }));
      const results = [...ran.values()].map(resultPart);
      return [
        ...(now.length > 0 ? [{ role: "assistant" as const, parts: now }] : []),
        ...(results.length > 0 ? [{ role: "tool" as const, parts: results }] : []),
      ];
    },
  };
}

/** A tool's values are recorded as far as JSON holds them: a turn that is cut short must not be lost for them. */
function safeJson(value: unknown) {
  try {
    return toJson(value, "A tool's value");
  } catch {
    return String(value);
  }
}

const callPart = (call: RunToolExecution["toolCall"] & { providerExecuted?: boolean | undefined }): Part => ({
  type: "tool-call",
  callId: call.toolCallId,
  tool: call.toolName,
  input: safeJson(call.input),
  ...(call.providerExecuted ? { providerExecuted: true } : {}),
});

const resultPart = ({ toolCall, toolOutput }: RunToolExecution): ToolResultPart => {
  const base = { type: "tool-result" as const, callId: toolCall.toolCallId, tool: toolCall.toolName };
  if (toolOutput.type !== "tool-error") return { ...base, output: safeJson(toolOutput.output) };
  const { error } = toolOutput;
  return { ...base, output: error instanceof Error ? String(error) : safeJson(error), isError: true };
};

/** A source in the neutral form. */
export const sourcePart = ({ id, url, title, mediaType, filename }: RunSource): Part => ({
  type: "source",
  id,
  ...(url === undefined ? {} : { url }),
  ...(title === undefined ? {} : { title }),
  ...(mediaType === undefined ? {} : { mediaType }),
  ...(filename === undefined ? {} : { name: filename }),
});
