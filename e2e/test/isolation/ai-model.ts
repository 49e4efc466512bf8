import type { ObedientModel } from "@throughline/testkit";
import { simulateReadableStream } from "ai";
import { MockLanguageModelV4 } from "ai/test";

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
};

type Options = NonNullable<ConstructorParameters<typeof MockLanguageModelV4>[0]>;
type Generate = Extract<Options["doGenerate"], (...args: never) => unknown>;
type Call = Parameters<Generate>[0];
type Result = Awaited<ReturnType<Generate>>;
type Stream = Extract<Options["doStream"], (...args: never) => unknown>;
type StreamPart = Awaited<ReturnType<Stream>>["stream"] extends ReadableStream<infer Part> ? Part : never;

/** The AI SDK's own mock model, which does what the person says. */
export function aiModel(mind: ObedientModel): MockLanguageModelV4 {
  const answer = ({ prompt }: Call): Pick<Result, "content" | "finishReason"> => {
    const said = prompt.findLast(({ role }) => role === "user")?.content ?? "";
    const text = typeof said === "string" ? said : said.map((part) => (part.type === "text" ? part.text : "")).join("");
    const calls = mind.next(JSON.stringify(prompt), text, prompt.at(-1)?.role === "tool");
    const unified = calls.length === 0 ? "stop" : "tool-calls";
    return {
      content:
        calls.length === 0
          ? [{ type: "text", text: "Noted." }]
          : calls.map(({ callId: toolCallId, tool: toolName, input }) => ({
              type: "tool-call",
              toolCallId,
              toolName,
              input: JSON.stringify(input),
            })),
      finishReason: { unified, raw: unified },
    };
  };
  return new MockLanguageModelV4({
    doGenerate: async (call) => ({ ...answer(call), usage, warnings: [] }),
    doStream: async (call) => {
      const { content, finishReason } = answer(call);
      const chunks: StreamPart[] = [{ type: "stream-start", warnings: [] }];
      for (const part of content) {
        if (part.type === "tool-call") chunks.push(part);
        if (part.type !== "text") continue;
        chunks.push({ type: "text-start", id: "0" }, { type: "text-delta", id: "0", delta: part.text });
        chunks.push({ type: "text-end", id: "0" });
      }
      chunks.push({ type: "finish", usage, finishReason });
      return { stream: simulateReadableStream({ chunks, initialDelayInMs: null, chunkDelayInMs: null }) };
    },
  });
}
