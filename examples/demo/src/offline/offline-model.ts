import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4FinishReason,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from "@ai-sdk/provider";
import { answer } from "./answer.ts";
import { readPrompt } from "./read-prompt.ts";

const USAGE: LanguageModelV4Usage = {
  inputTokens: { total: undefined, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: undefined, text: undefined, reasoning: undefined },
};

/**
 * A language model that follows a script: a few rules over its prompt, no network, no randomness. To the AI SDK it is a
 * model like any other, so the memory around it is the real one. What isn't in its prompt, it doesn't know.
 */
export function offlineModel(options: { createId: () => string }): LanguageModelV4 {
  const next = ({ prompt, tools = [] }: LanguageModelV4CallOptions) => {
    const step = answer(readPrompt(prompt));
    if ("say" in step) return { content: [{ type: "text" as const, text: step.say }], finishReason: reason("stop") };
    const offered = new Set(tools.map(({ name }) => name));
    const missing = step.calls.find(({ tool }) => !offered.has(tool));
    if (missing) {
      const text = `I would need the tool ${missing.tool}, and nobody gave it to me.`;
      return { content: [{ type: "text" as const, text }], finishReason: reason("stop") };
    }
    const content = step.calls.map(({ tool, input }) => ({
      type: "tool-call" as const,
      toolCallId: options.createId(),
      toolName: tool,
      input: JSON.stringify(input),
    }));
    return { content, finishReason: reason("tool-calls") };
  };
  return {
    specificationVersion: "v4",
    provider: "throughline-demo",
    modelId: "scripted-offline-model",
    supportedUrls: {},
    async doGenerate(call) {
      call.abortSignal?.throwIfAborted();
      return { ...next(call), usage: USAGE, warnings: [] };
    },
    async doStream(call) {
      call.abortSignal?.throwIfAborted();
      const { content, finishReason } = next(call);
      const parts: LanguageModelV4StreamPart[] = [
        { type: "stream-start", warnings: [] },
        ...content.flatMap(streamed),
        { type: "finish", usage: USAGE, finishReason },
      ];
      return { stream: streamOf(parts) };
    },
  };
}

const reason = (unified: LanguageModelV4FinishReason["unified"]): LanguageModelV4FinishReason => ({
  unified,
  raw: undefined,
});

function streamOf<Part>(parts: readonly Part[]): ReadableStream<Part> {
  return new ReadableStream<Part>({
    start(controller) {
      for (const part of parts) controller.enqueue(part);
      controller.close();
    },
  });
}

/** A text word by word, as a model would send it. */
function streamed(part: LanguageModelV4Content, index: number): LanguageModelV4StreamPart[] {
  if (part.type !== "text") return part.type === "tool-call" ? [part] : [];
  const id = String(index);
  const words = part.text.match(/\s*\S+|\s+$/g) ?? [];
  return [
    { type: "text-start", id },
    ...words.map((delta): LanguageModelV4StreamPart => ({ type: "text-delta", id, delta })),
    { type: "text-end", id },
  ];
}
