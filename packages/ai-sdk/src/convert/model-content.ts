import type { MessageInput, Part } from "@throughline/core";
import type { AssistantModelMessage, LanguageModelMiddleware, ModelMessage } from "ai";
import { fromModelMessage } from "./from-model-messages.ts";
import { sourcePart } from "./partial-step.ts";

type WrapGenerate = NonNullable<LanguageModelMiddleware["wrapGenerate"]>;
type WrapStream = NonNullable<LanguageModelMiddleware["wrapStream"]>;
/** What a model answered, in the provider's form. */
export type ModelContent = Awaited<ReturnType<WrapGenerate>>["content"][number];
/** A part of a model's stream. */
export type ModelStreamPart =
  Awaited<ReturnType<WrapStream>>["stream"] extends ReadableStream<infer Piece> ? Piece : never;
/** What a model is called with. */
export type ModelCall = Parameters<WrapGenerate>[0]["params"];
/** A prompt in the provider's form. */
export type ModelPrompt = ModelCall["prompt"];

/** What a model answered as a message; `null` where it said nothing. */
export function fromModelContent(content: readonly ModelContent[]): MessageInput | null {
  const sources: Part[] = [];
  const parts = content.flatMap((entry): Exclude<AssistantModelMessage["content"], string> => {
    const options = entry.providerMetadata === undefined ? {} : { providerOptions: entry.providerMetadata };
    switch (entry.type) {
      case "text":
      case "reasoning":
        return entry.text === "" ? [] : [{ type: entry.type, text: entry.text, ...options }];
      case "tool-call": {
        const { type, toolCallId, toolName, providerExecuted } = entry;
        const ran = providerExecuted === undefined ? {} : { providerExecuted };
        return [{ type, toolCallId, toolName, input: parseInput(entry.input), ...ran, ...options }];
      }
      case "tool-result": {
        if (entry.preliminary) return [];
        const { type, toolCallId, toolName, result, isError } = entry;
        const output = { type: isError ? ("error-json" as const) : ("json" as const), value: result };
        return [{ type, toolCallId, toolName, output, ...options }];
      }
      case "tool-approval-request":
        return [{ type: entry.type, approvalId: entry.approvalId, toolCallId: entry.toolCallId }];
      case "source":
        sources.push(sourcePart(entry));
        return [];
      case "file":
      case "reasoning-file":
        return [{ type: entry.type, data: entry.data, mediaType: entry.mediaType, ...options }];
      default:
        return [{ type: "custom", kind: entry.kind, ...options }];
    }
  });
  if (parts.length + sources.length === 0) return null;
  const message = fromModelMessage({ role: "assistant", content: parts }, new Map());
  return { ...message, parts: [...(message.parts ?? []), ...sources] };
}

/** What the model wrote as a call's input; text that is no JSON stays a text. */
function parseInput(input: string): unknown {
  try {
    return input.trim() === "" ? {} : JSON.parse(input);
  } catch {
    return input;
  }
}

/** Gathers a stream's parts into what the model answered so far. */
export function createContentCollector(): { add(part: ModelStreamPart): void; content(): ModelContent[] } {
  const content: ModelContent[] = [];
  const open = new Map<string, { type: "text" | "reasoning"; text: string }>();
  const textOf = (type: "text" | "reasoning", id: string) => {
    const known = open.get(`${type} ${id}`);
    if (known !== undefined) return known;
    const begun = { type, text: "" };
    open.set(`${type} ${id}`, begun);
    content.push(begun);
    return begun;
  };
  return {
    add(part) {
      switch (part.type) {
        case "text-delta":
        case "reasoning-delta":
          textOf(part.type === "text-delta" ? "text" : "reasoning", part.id).text += part.delta;
          return;
        case "text-end":
        case "reasoning-end":
          if (part.providerMetadata === undefined) return;
          Object.assign(textOf(part.type === "text-end" ? "text" : "reasoning", part.id), {
            providerMetadata: part.providerMetadata,
          });
          return;
        case "tool-call":
        case "tool-result":
        case "tool-approval-request":
        case "file":
        case "reasoning-file":
        case "source":
        case "custom":
          content.push(part);
          return;
        default:
          return;
      }
    },
    content: () => content.map((entry) => ({ ...entry })),
  };
}

/** The SDK's messages as a provider is given them. Those of a provider's prompt come back as they are. */
export function toModelPrompt(messages: readonly ModelMessage[]): ModelPrompt {
  return messages.flatMap((message): ModelPrompt => {
    if (message.role === "system") return [message as ModelPrompt[number]];
    const { content } = message;
    const parts = typeof content === "string" ? [{ type: "text" as const, text: content }] : content;
    // Providers know no request for approval; the host's answer decides before they are asked.
    const shown = parts.filter(({ type }) => type !== "tool-approval-request").map(withTaggedData);
    // Every part is one that the provider's prompt has for this role.
    return shown.length === 0 ? [] : [{ ...message, content: shown } as ModelPrompt[number]];
  });
}

function withTaggedData<HostPart extends { type: string }>(part: HostPart): HostPart | (HostPart & { data: object }) {
  if (part.type !== "file" && part.type !== "reasoning-file") return part;
  const { data } = part as unknown as { data: string | URL | Uint8Array | { type: string } };
  if (data instanceof URL) return { ...part, data: { type: "url", url: data } };
  if (typeof data === "string" && URL.canParse(data)) return { ...part, data: { type: "url", url: new URL(data) } };
  if (typeof data === "string" || data instanceof Uint8Array) return { ...part, data: { type: "data", data } };
  return part;
}
