import type { Conversation, MemoryToolSelection } from "@throughline/core";
import type { ModelAddress } from "./choose-model.ts";

/** The frameworks that the demo's agents are made with, and what to call each agent. */
export const AGENTS = {
  langgraph: "LangGraph",
  "ai-sdk": "AI SDK",
  "openai-agents": "OpenAI Agents",
  mastra: "Mastra",
} as const;

export type AgentId = keyof typeof AGENTS;

export const isAgentId = (text: string): text is AgentId => Object.hasOwn(AGENTS, text);

/** What every agent of the demo is told. */
export const INSTRUCTIONS = `You are a friendly assistant. Answer in one to three sentences of plain text.
What you are asked may have been said in another conversation: look it up before you say that you don't know.`;

/** How an agent answers. */
export interface AgentOptions {
  model: ModelAddress;
  /** Which of the memory's tools it has. */
  tools: MemoryToolSelection;
  signal?: AbortSignal;
}

/** Says something to an agent in a conversation, and gives its answer. */
export type Ask = (conversation: Conversation, text: string, options: AgentOptions) => Promise<string>;

/** The agent of a framework; each framework is loaded only when its agent is. */
export async function loadAgent(id: AgentId): Promise<Ask> {
  switch (id) {
    case "langgraph":
      return (await import("./langgraph.ts")).askLangGraph;
    case "ai-sdk":
      return (await import("./ai-sdk.ts")).askAiSdk;
    case "openai-agents":
      return (await import("./openai-agents.ts")).askOpenaiAgents;
    case "mastra":
      return (await import("./mastra.ts")).askMastra;
  }
}
