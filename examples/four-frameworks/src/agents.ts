import { Agent as MastraAgent } from "@mastra/core/agent";
import { Agent as OpenaiAgent, Runner } from "@openai/agents";
import * as aiSdk from "@throughline/ai-sdk";
import type { Conversation } from "@throughline/core";
import * as langgraph from "@throughline/langgraph";
import * as mastra from "@throughline/mastra";
import * as openai from "@throughline/openai-agents";
import { generateText, isStepCount } from "ai";
import { createAgent } from "langchain";
import * as models from "./offline-models.ts"; // yours instead

/** LangGraph: a middleware reads and records, `withMemory` is the config of a run. */
export async function askLangGraph(conversation: Conversation, prompt: string): Promise<string> {
  const agent = createAgent({
    model: models.langchainModel(),
    tools: langgraph.memoryTools(conversation),
    middleware: [langgraph.memoryMiddleware(conversation)],
  });
  const input = { messages: [{ role: "user", content: prompt }] };
  const { messages } = await agent.invoke(input, langgraph.withMemory(conversation));
  return messages.at(-1)?.text ?? "";
}

/** AI SDK: `withMemory` makes the options of the call. */
export async function askAiSdk(conversation: Conversation, prompt: string): Promise<string> {
  const [model, tools] = [models.aiSdkModel(), aiSdk.memoryTools(conversation)];
  const call = await aiSdk.withMemory(conversation, { model, tools, prompt, stopWhen: isStepCount(5) });
  return (await generateText(call)).text;
}

/** OpenAI Agents: `runWithMemory` in place of `run`. */
export async function askOpenaiAgents(conversation: Conversation, prompt: string): Promise<string> {
  const agent = new OpenaiAgent({
    name: "assistant",
    model: models.openaiAgentsModel(),
    tools: openai.memoryTools(conversation),
  });
  const runner = new Runner({ tracingDisabled: true });
  return (await openai.runWithMemory(conversation, agent, prompt, { runner })).finalOutput ?? "";
}

/** Mastra: `withMemory` makes the agent's configuration. */
export async function askMastra(conversation: Conversation, prompt: string): Promise<string> {
  const config = { id: "assistant", name: "assistant", instructions: "Be brief.", model: models.mastraModel() };
  const agent = new MastraAgent(mastra.withMemory(conversation, config));
  return (await agent.generate(prompt)).text;
}
