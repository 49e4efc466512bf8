import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { Agent, type AgentConfig } from "@mastra/core/agent";
import { withMemory } from "@throughline/mastra";
import { AGENTS, type Ask, INSTRUCTIONS } from "./agent.ts";

/** Mastra's agent: `withMemory` makes its configuration, tools included. */
export const askMastra: Ask = async (conversation, text, { model, tools, signal }) => {
  const provider = createOpenAICompatible({ name: "openai", baseURL: model.baseUrl, apiKey: model.apiKey });
  const agent = new Agent(
    withMemory(
      conversation,
      {
        id: "mastra",
        name: AGENTS.mastra,
        instructions: INSTRUCTIONS,
        // Mastra's types of today lack one finish reason of AI SDK 7.
        model: provider.chatModel(model.name) as unknown as AgentConfig["model"],
      },
      { tools },
    ),
  );
  const { text: answer } = await agent.generate(text, {
    maxSteps: 5,
    ...(signal === undefined ? {} : { abortSignal: signal }),
  });
  return answer;
};
