import { Agent, OpenAIProvider, Runner } from "@openai/agents";
import { memoryTools, runWithMemory } from "@throughline/openai-agents";
import { AGENTS, type Ask, INSTRUCTIONS } from "./agent.ts";

/** The OpenAI Agents SDK: `runWithMemory` in place of `run`. */
export const askOpenaiAgents: Ask = async (conversation, text, { model, tools, signal }) => {
  const provider = new OpenAIProvider({ apiKey: model.apiKey, baseURL: model.baseUrl, useResponses: false });
  const agent = new Agent({
    name: AGENTS["openai-agents"],
    instructions: INSTRUCTIONS,
    model: await provider.getModel(model.name),
    tools: memoryTools(conversation, tools),
  });
  const result = await runWithMemory(conversation, agent, text, {
    runner: new Runner({ tracingDisabled: true }),
    ...(signal === undefined ? {} : { signal }),
  });
  return result.finalOutput ?? "";
};
