import type { RunnableConfig } from "@langchain/core/runnables";
import { getCheckpointId } from "@langchain/langgraph-checkpoint";
import { type ConversationRef, MemoryError } from "@throughline/core";
import { type Identify, refOf } from "../identify.ts";

/** Where a config of the host's points to. */
export interface RunPlace {
  /** As the host names it. */
  thread: string;
  ref: ConversationRef;
  space: string;
  checkpoint?: string;
}

/** The place of a config; `null` where it names no thread. */
export function placeOf(config: RunnableConfig, identify: Identify | undefined): RunPlace | null {
  const configurable: Record<string, unknown> = config.configurable ?? {};
  const { thread_id: thread, checkpoint_ns: space } = configurable;
  if (typeof thread !== "string" || thread === "") {
    if (thread === undefined || thread === null || thread === "") return null;
    throw new MemoryError(
      "INVALID_ID",
      "The run's thread_id is not a string; give it as { configurable: { thread_id } }.",
    );
  }
  const { context } = config as { context?: unknown };
  const shown = typeof context === "object" && context !== null ? { ...context } : {};
  const ref = refOf({ context: shown, configurable }, identify);
  const checkpoint = getCheckpointId(config);
  return {
    thread,
    ref: ref ?? { id: thread },
    space: typeof space === "string" ? space : "",
    ...(checkpoint === undefined || checkpoint === "" ? {} : { checkpoint }),
  };
}

/** {@link placeOf} for what can't be done without a thread. */
export function requirePlace(config: RunnableConfig, identify: Identify | undefined): RunPlace {
  const place = placeOf(config, identify);
  if (place !== null) return place;
  throw new MemoryError(
    "INVALID_ARGUMENT",
    "The run names no conversation to keep checkpoints with: invoke the graph with { configurable: { thread_id } }.",
  );
}

/** A config that names a checkpoint and nothing else. */
export const configOf = (thread: string, space: string, checkpoint: string): RunnableConfig => ({
  configurable: { thread_id: thread, checkpoint_ns: space, checkpoint_id: checkpoint },
});
