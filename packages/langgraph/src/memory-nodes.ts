import type { BaseMessage } from "@langchain/core/messages";
import type { RunPrompt } from "./convert/run-prompt.ts";
import { findRun, type RunConfig, runSignal } from "./find-run.ts";
import type { MemorySource } from "./identify.ts";
import type { MemorySettings } from "./memory-settings.ts";

/** What the nodes read of a graph's state. */
export interface MessagesState {
  messages: readonly BaseMessage[];
}

/**
 * A node that reads, to stand before the one that calls the model: it puts what the model should be shown into `recalled`.
 * Declare that key as an `UntrackedValue`, so that no checkpoint keeps it.
 *
 * @example
 * graph.addNode("recall", recallNode(memory)).addEdge("recall", "model");
 */
export function recallNode(source: MemorySource, settings: MemorySettings = {}) {
  return async ({ messages }: MessagesState, config: RunConfig): Promise<{ recalled: RunPrompt }> => {
    const run = findRun(source, config, settings);
    await run.see(messages, { signal: runSignal(config) });
    return { recalled: await run.prompt(messages) };
  };
}

/** A node that records, to stand at the end: what the run has come to becomes one turn. It changes nothing. */
export function recordNode(source: MemorySource, settings: MemorySettings = {}) {
  return async ({ messages }: MessagesState, config: RunConfig): Promise<Record<never, never>> => {
    await findRun(source, config, settings).finished(messages);
    return {};
  };
}
