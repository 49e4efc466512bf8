import { Mastra } from "@mastra/core";
import { Agent, type AgentConfig } from "@mastra/core/agent";
import { noopLogger } from "@mastra/core/logger";
import { InMemoryStore } from "@mastra/core/storage";
import { createTool } from "@mastra/core/tools";
import { z } from "zod";

export const weather = createTool({
  id: "weather",
  description: "The weather in a city.",
  inputSchema: z.object({ city: z.string() }),
  execute: async ({ city }) => `sunny in ${city}`,
});

const broken = createTool({
  id: "broken",
  description: "Breaks.",
  inputSchema: z.object({}),
  execute: async () => {
    throw new Error("no such city");
  },
});

const danger = createTool({
  id: "danger",
  description: "Needs a person.",
  inputSchema: z.object({}),
  requireApproval: true,
  execute: async () => "done",
});

const ask = createTool({
  id: "ask",
  description: "Asks the person.",
  inputSchema: z.object({}),
  suspendSchema: z.object({ question: z.string() }),
  resumeSchema: z.object({ answer: z.string() }),
  execute: async (_input, context) => {
    const { resumeData, suspend } = context.agent ?? {};
    if (resumeData) return resumeData.answer;
    return suspend?.({ question: "Which one?" });
  },
});

/** A tool while which the person goes away, and one whose end nobody waits for. */
const stopping = (stop: () => void) => ({
  stopping: createTool({
    id: "stopping",
    description: "Takes forever.",
    inputSchema: z.object({}),
    execute: (_input, { abortSignal }) =>
      new Promise<string>((_resolve, reject) => {
        abortSignal?.addEventListener("abort", () => reject(abortSignal.reason), { once: true });
        stop();
      }),
  }),
});

export const tools = (stop: () => void = () => {}) => ({ weather, broken, danger, ask, ...stopping(stop) });

/** An agent that says nothing on the console, in a Mastra whose storage keeps suspended runs. */
export function quietAgent(config: AgentConfig, storage = new InMemoryStore()): Agent {
  const agent = new Agent(config);
  new Mastra({ agents: { [agent.id]: agent }, storage, logger: false });
  agent.__setLogger(noopLogger);
  return agent;
}
