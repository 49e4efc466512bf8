import { AsyncLocalStorageProviderSingleton } from "@langchain/core/singletons";
import { inMemoryOf } from "@throughline/core";
import { identifyConversation, identityOf, type MemorySource, membersOf } from "./identify.ts";
import { MemoryRun } from "./memory-run.ts";
import type { MemorySettings } from "./memory-settings.ts";

/** Where `withMemory` puts the run: in the config's `configurable`, which reaches every node. */
export const RUN_KEY = "__throughline_run";

/** The runs of one invocation, by the memory that takes part; kept with what lives as long as the invocation. */
const RUNS = Symbol.for("throughline.runs");

/** A run's config as nodes, tools and hooks are given it, or a part of it. */
export type RunConfig = {
  context?: unknown;
  configurable?: object | undefined;
  signal?: AbortSignal | undefined;
  control?: unknown;
  callbacks?: unknown;
};

/** The whole config where the host handed only a part of it: hooks of `createAgent` get neither context nor control. */
export function wholeConfig(given: RunConfig): RunConfig {
  const config: RunConfig | undefined = AsyncLocalStorageProviderSingleton.getRunnableConfig();
  return config?.configurable === undefined ? given : config;
}

/** The signal that ends the whole run. The one of a node is let go as the node ends. */
export function runSignal(config: RunConfig): AbortSignal | undefined {
  const signals = membersOf(membersOf(config.configurable).__pregel_abort_signals);
  const whole = signals.externalAbortSignal;
  return whole instanceof AbortSignal ? whole : config.signal;
}

/** The run that `withMemory` started; else the one that this invocation has with this memory; else a new one. */
export function findRun(source: MemorySource, config: RunConfig, settings: MemorySettings): MemoryRun {
  const given = membersOf(config.configurable)[RUN_KEY];
  const own = given instanceof MemoryRun ? inMemoryOf(source, given.conversation) : undefined;
  if (given instanceof MemoryRun && own === given.conversation) return given;
  const find = () => own ?? identifyConversation(source, identityOf(config), settings.identify);
  const start = () => new MemoryRun(find(), settings);
  if (typeof config.control !== "object" || config.control === null) return start();
  // The host's object, with a member of ours.
  const holder = config.control as { [RUNS]?: WeakMap<object, MemoryRun> };
  holder[RUNS] ??= new WeakMap();
  let run = holder[RUNS].get(source);
  if (run === undefined) {
    run = start();
    holder[RUNS].set(source, run);
  }
  return run;
}
