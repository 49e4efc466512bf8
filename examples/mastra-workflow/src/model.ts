import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import type { AgentConfig } from "@mastra/core/agent";
import { MockLanguageModelV4 } from "ai/test";

type Model = AgentConfig["model"];

/** The model of `OPENAI_BASE_URL` or `OPENAI_API_KEY`; without either a scripted one that knows nothing but its prompt. */
export function chooseModel(env: Record<string, string | undefined> = process.env): Model {
  const { OPENAI_BASE_URL, OPENAI_API_KEY, OPENAI_MODEL = "gpt-5-mini" } = env;
  if (OPENAI_BASE_URL === undefined && OPENAI_API_KEY === undefined) return offlineModel();
  const provider = createOpenAICompatible({
    name: "openai",
    baseURL: OPENAI_BASE_URL ?? "https://api.openai.com/v1",
    ...(OPENAI_API_KEY === undefined ? {} : { apiKey: OPENAI_API_KEY }),
  });
  // Mastra's types of today lack one finish reason of AI SDK 7.
  return provider.chatModel(OPENAI_MODEL) as unknown as Model;
}

/** Remembers where a person says they live, and answers from what the prompt holds. */
function offlineModel(): Model {
  const model = new MockLanguageModelV4({
    doGenerate: async ({ prompt, tools = [] }) => {
      const last = prompt.at(-1);
      const said =
        last?.role === "user" ? last.content.map((part) => (part.type === "text" ? part.text : "")).join("") : "";
      const [, told] = /I live in (\w+)/.exec(said) ?? [];
      const [, home] = /home: "?(\w+)/.exec(JSON.stringify(prompt).replaceAll("\\", "")) ?? [];
      const usage = { inputTokens: { total: 1 }, outputTokens: { total: 1 } };
      if (told !== undefined && tools.length > 0) {
        const input = JSON.stringify({ key: "home", value: told, quote: `I live in ${told}` });
        const call = { type: "tool-call" as const, toolCallId: "c1", toolName: "memory_remember", input };
        return answer([call], "tool-calls", usage);
      }
      const text =
        last?.role === "tool"
          ? "Remembered."
          : /^Book/.test(said)
            ? `Booked in ${home ?? "a place you have to name"}.`
            : home === undefined
              ? "I don't know where you live."
              : `You live in ${home}.`;
      return answer([{ type: "text", text }], "stop", usage);
    },
  });
  return model as unknown as Model;
}

type Generated = Awaited<ReturnType<MockLanguageModelV4["doGenerate"]>>;

const answer = (
  content: Generated["content"],
  unified: "stop" | "tool-calls",
  usage: { inputTokens: { total: number }; outputTokens: { total: number } },
): Generated => ({
  content,
  finishReason: { unified, raw: unified },
  usage: {
    inputTokens: { ...usage.inputTokens, noCache: undefined, cacheRead: undefined, cacheWrite: undefined },
    outputTokens: { ...usage.outputTokens, text: undefined, reasoning: undefined },
  },
  warnings: [],
});
