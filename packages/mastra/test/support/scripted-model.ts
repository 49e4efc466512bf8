import type { AgentConfig } from "@mastra/core/agent";
import { simulateReadableStream } from "ai";
import { MockLanguageModelV4 } from "ai/test";

type Options = NonNullable<ConstructorParameters<typeof MockLanguageModelV4>[0]>;
type Generate = Extract<Options["doGenerate"], (...args: never) => unknown>;
type Stream = Extract<Options["doStream"], (...args: never) => unknown>;
export type Prompt = Parameters<Generate>[0]["prompt"];
type Result = Awaited<ReturnType<Generate>>;
type StreamPart = Awaited<ReturnType<Stream>>["stream"] extends ReadableStream<infer Part> ? Part : never;

/** A model as Mastra's types take it: those of 1.71 lack a finish reason that AI SDK 7 has gained, here as anywhere. */
export type HostModel = Extract<AgentConfig["model"], { specificationVersion: "v4"; supportedUrls: unknown }>;

const usage: Result["usage"] = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

/** What the model does in one step. */
export interface ScriptedStep {
  content?: Result["content"];
  finish?: Result["finishReason"]["unified"];
  /** Thrown before any output. */
  throws?: unknown;
  /** Sent in the middle of the stream, after the content. */
  errorPart?: unknown;
  /** Never answers; only an abort ends it. */
  hangs?: boolean;
  /** Streams so many words, and then nothing more. */
  hangsAfter?: number;
  /** Runs when it hangs. */
  onHang?: () => void;
}

export const say = (text: string): ScriptedStep => ({ content: [{ type: "text", text }], finish: "stop" });

export const call = (...calls: [id: string, tool: string, input: unknown][]): ScriptedStep => ({
  content: calls.map(([toolCallId, toolName, input]) => ({
    type: "tool-call",
    toolCallId,
    toolName,
    input: JSON.stringify(input),
  })),
  finish: "tool-calls",
});

const hang = (step: ScriptedStep, signal: AbortSignal | undefined): Promise<never> =>
  new Promise((_, reject) => {
    signal?.addEventListener("abort", () => reject(signal.reason));
    // Lets the reader take what was streamed before.
    setImmediate(() => step.onHang?.());
  });

function streamParts(step: ScriptedStep): StreamPart[] {
  const parts: StreamPart[] = [{ type: "stream-start", warnings: [] }];
  (step.content ?? []).forEach((content, index) => {
    const id = String(index);
    if (content.type === "text" || content.type === "reasoning") {
      const { type } = content;
      parts.push({ type: `${type}-start`, id });
      for (const delta of content.text.match(/\S+\s*/g) ?? []) parts.push({ type: `${type}-delta`, id, delta });
      parts.push({
        type: `${type}-end`,
        id,
        ...(content.providerMetadata ? { providerMetadata: content.providerMetadata } : {}),
      });
    } else parts.push(content);
  });
  if (step.errorPart !== undefined) parts.push({ type: "error", error: step.errorPart });
  const unified = step.finish ?? (step.errorPart === undefined ? "stop" : "error");
  parts.push({ type: "finish", usage, finishReason: { unified, raw: unified } });
  return parts;
}

/** A model that plays its steps, plain or streamed, and keeps what it was asked. */
export function scriptedModel(...steps: ScriptedStep[]): HostModel & { prompts(): Prompt[] } {
  let next = 0;
  const take = (): ScriptedStep => {
    const step = steps[next++];
    if (step === undefined) throw new Error("the script has no more steps");
    if (step.throws !== undefined) throw step.throws;
    return step;
  };
  const model = new MockLanguageModelV4({
    doGenerate: async ({ abortSignal }) => {
      abortSignal?.throwIfAborted();
      const step = take();
      if (step.hangs) await hang(step, abortSignal);
      abortSignal?.throwIfAborted();
      const unified = step.finish ?? "stop";
      return { content: step.content ?? [], usage, finishReason: { unified, raw: unified }, warnings: [] };
    },
    doStream: async ({ abortSignal }) => {
      const step = take();
      if (step.hangs) await hang(step, abortSignal);
      let words = 0;
      const stream = simulateReadableStream({
        chunks: streamParts(step),
        initialDelayInMs: null,
        chunkDelayInMs: null,
      });
      return {
        stream: stream.pipeThrough(
          new TransformStream<StreamPart, StreamPart>({
            async transform(part, controller) {
              if (part.type === "text-delta" && words++ === step.hangsAfter) await hang(step, abortSignal);
              controller.enqueue(part);
            },
          }),
        ),
      };
    },
  });
  const prompts = () => [...model.doGenerateCalls, ...model.doStreamCalls].map(({ prompt }) => prompt);
  return Object.assign(model, { prompts }) as unknown as HostModel & { prompts(): Prompt[] };
}
