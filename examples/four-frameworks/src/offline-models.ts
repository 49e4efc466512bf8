import type { BaseChatModel } from "@langchain/core/language_models/chat_models";
import { AIMessage } from "@langchain/core/messages";
import type { AgentConfig } from "@mastra/core/agent";
import { assistantMessage, functionCall, modelResponder, ScriptedModel } from "@openai/agents/testing";
import { MockLanguageModelV4 } from "ai/test";
import { fakeModel } from "langchain";

/*
 * One scripted model in the form of each framework's own double. What it says follows from its prompt alone: told
 * something, it calls `memory_remember`; asked, it answers with what the memory's block in the prompt says.
 */

type Step = { say: string } | { remember: { key: string; value: string; quote: string } };

const MANY = 4;

function next(prompt: string, said: string, isAnswered: boolean): Step {
  if (isAnswered) return { say: "I'll remember that." };
  const [quote, key, value] = /my (\w+) is (\w+)/i.exec(said) ?? [];
  if (quote && key && value) return { remember: { key: key.toLowerCase(), value, quote } };
  const facts = [...prompt.matchAll(/- (\w+): (\w+) \(noted/g)].map(([, name, known]) => `${name} is ${known}`);
  return { say: facts.length > 0 ? `Your ${facts.sort().join(", your ")}.` : "I know nothing about you." };
}

const TOOL = "memory_remember";

export function langchainModel(): BaseChatModel {
  const model = fakeModel();
  for (let count = 0; count < MANY; count++) {
    model.respond((messages) => {
      const last = messages.at(-1);
      const step = next(messages[0]?.text ?? "", last?.text ?? "", last?.type === "tool");
      if ("say" in step) return new AIMessage(step.say);
      return new AIMessage({ content: "", tool_calls: [{ id: "call-1", name: TOOL, args: step.remember }] });
    });
  }
  return model;
}

export function aiSdkModel(): MockLanguageModelV4 {
  const inputTokens = { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 };
  const usage = { inputTokens, outputTokens: { total: 1, text: 1, reasoning: 0 } };
  return new MockLanguageModelV4({
    doGenerate: async ({ prompt }) => {
      const last = prompt.at(-1);
      const said =
        last?.role === "user" ? last.content.map((part) => (part.type === "text" ? part.text : "")).join("") : "";
      const system = prompt.flatMap(({ role, content }) => (role === "system" ? [content] : [])).join("\n");
      const step = next(system, said, last?.role === "tool");
      const isCall = "remember" in step;
      return {
        content: isCall
          ? [{ type: "tool-call", toolCallId: "call-1", toolName: TOOL, input: JSON.stringify(step.remember) }]
          : [{ type: "text", text: step.say }],
        finishReason: { unified: isCall ? "tool-calls" : "stop", raw: undefined },
        usage,
        warnings: [],
      };
    },
  });
}

export function openaiAgentsModel(): ScriptedModel {
  const respond = modelResponder(({ request }) => {
    const last = Array.isArray(request.input) ? request.input.at(-1) : request.input;
    const step = next(
      request.systemInstructions ?? "",
      typeof last === "string" ? last : JSON.stringify(last),
      typeof last === "object" && last.type === "function_call_result",
    );
    if ("say" in step) return [assistantMessage(step.say)];
    return [functionCall(TOOL, step.remember, { callId: "call-1" })];
  });
  return new ScriptedModel(Array.from({ length: MANY }, () => respond));
}

/** Mastra takes the AI SDK's models; its types of today lack one finish reason of AI SDK 7. */
export const mastraModel = (): AgentConfig["model"] => aiSdkModel() as unknown as AgentConfig["model"];
