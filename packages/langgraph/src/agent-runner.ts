import type { RunnableConfig } from "@langchain/core/runnables";
import { Command } from "@langchain/langgraph";
import type { AgentRunner } from "@throughline/core";
import { AgentEvents, errorEvent } from "./convert/agent-events.ts";
import { decisionsOf } from "./convert/approvals.ts";
import { toLangChainMessages } from "./convert/to-langchain-messages.ts";
import { type RunSettings, withMemory } from "./with-memory.ts";

/**
 * A graph or an agent with `messages` in its state: what `compile()` and `createAgent` give. Its own input is of a type
 * that only it knows, so every graph fits.
 */
export interface RunnableGraph {
  /** As LangGraph's own. */
  stream(input: never, options: never): Promise<AsyncIterable<unknown>>;
}

/** How a runner runs its graph. */
export interface AgentRunnerOptions extends RunSettings {
  /** Beside the conversation: a recursion limit, a context. */
  config?: RunnableConfig;
}

/**
 * Serves a graph as any other agent: one turn in, events out. The turn is recorded whether or not the graph has nodes of
 * the memory. Approvals among the messages resume a run that waits for them.
 */
export function agentRunner(graph: RunnableGraph, options: AgentRunnerOptions = {}): AgentRunner {
  const { config, ...settings } = options;
  return async function* run({ messages, conversation, signal }) {
    const events = new AgentEvents();
    const decisions = decisionsOf(messages);
    const input = decisions === null ? { messages: toLangChainMessages(messages) } : new Command({ resume: decisions });
    const own = withMemory(conversation, { ...config, signal }, settings);
    try {
      // Both are what a graph with `messages` takes, and what it streams in several modes are pairs.
      const stream = await graph.stream(input as never, { ...own, streamMode: ["messages", "updates"] } as never);
      for await (const [mode, chunk] of stream as AsyncIterable<[string, unknown]>) yield* events.of(mode, chunk);
      yield { type: "done", text: events.text };
    } catch (error) {
      yield errorEvent(error);
    }
  };
}
