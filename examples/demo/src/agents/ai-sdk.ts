import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { memoryTools, withMemory } from "@throughline/ai-sdk";
import { generateText, isStepCount } from "ai";
import { AGENTS, type Ask, INSTRUCTIONS } from "./agent.ts";

/** The AI SDK's `generateText`: the memory makes the options of the call. */
export const askAiSdk: Ask = async (conversation, text, { model, tools, signal }) => {
  const provider = createOpenAICompatible({ name: "openai", baseURL: model.baseUrl, apiKey: model.apiKey });
  const { text: answer } = await generateText(
    await withMemory(conversation, {
      model: provider.chatModel(model.name),
      instructions: INSTRUCTIONS,
      prompt: text,
      tools: memoryTools(conversation, tools),
      stopWhen: isStepCount(5),
      memory: { agentName: AGENTS["ai-sdk"] },
      ...(signal === undefined ? {} : { abortSignal: signal }),
    }),
  );
  return answer;
};
