import type { Engine } from "../memory/engine.ts";
import type { WindowLimits } from "./window.ts";

/** Share of a model's context that is left to its answer. */
const OUTPUT_RESERVE = 0.25;

/** Tokens of the prompt that a model takes: its context window less what is kept for the answer. */
function usableContext(engine: Engine, model: string | undefined): number {
  const { contextWindow } = engine.options;
  const window =
    typeof contextWindow === "function" ? (model === undefined ? undefined : contextWindow(model)) : contextWindow;
  return window === undefined ? Number.POSITIVE_INFINITY : Math.floor(window * (1 - OUTPUT_RESERVE));
}

/** Limits of the history: the policy's, and never more than the model's usable context. */
export function windowLimits(
  engine: Engine,
  model: string | undefined,
  wanted: { maxMessages?: number | undefined; maxTokens?: number | undefined } = {},
): WindowLimits {
  const { conversation } = engine.policy;
  return {
    maxMessages: wanted.maxMessages ?? conversation.maxMessages,
    maxTokens: Math.min(wanted.maxTokens ?? conversation.maxTokens, usableContext(engine, model)),
  };
}
