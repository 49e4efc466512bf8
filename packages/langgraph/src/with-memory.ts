import type { RunnableConfig } from "@langchain/core/runnables";
import type { Conversation } from "@throughline/core";
import { RUN_KEY } from "./find-run.ts";
import { MemoryRun } from "./memory-run.ts";
import type { MemorySettings } from "./memory-settings.ts";
import { runCallbacks } from "./run-callbacks.ts";

/** What of the settings concerns one run whose conversation is known. */
export type RunSettings = Omit<MemorySettings, "identify">;

/**
 * The config of one run of a graph in one conversation: it names the thread, the middleware, nodes and tools of the
 * memory find their conversation in it, and every end of the run is recorded, also those that no node sees. Call it once
 * for each run.
 *
 * @example
 * await agent.invoke({ messages }, withMemory(conversation, { recursionLimit: 20 }));
 */
export function withMemory<Config extends RunnableConfig>(
  conversation: Conversation,
  config?: Config,
  settings: RunSettings = {},
): Config & RunnableConfig {
  const run = new MemoryRun(conversation, settings);
  const handler = runCallbacks(run);
  const given = config?.callbacks;
  const callbacks = given === undefined || Array.isArray(given) ? [...(given ?? []), handler] : given.copy([handler]);
  return {
    // Only members that a config has anyway are put in place of its own.
    ...(config as Config),
    callbacks,
    configurable: { thread_id: conversation.id, ...config?.configurable, [RUN_KEY]: run },
  };
}
