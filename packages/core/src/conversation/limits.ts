import type { Engine } from "../memory/engine.ts";
import type { WindowLimits } from "./window.ts";

/** Share of a model's context that is left to its answer. */
const OUTPUT_RESERVE = 0.25;

/** Tokens of the prompt where nobody said what the model takes. */
const DEFAULT_USABLE = 24_000;

/** Tokens of the prompt that a model takes: its context window less what is kept for the answer. */
function usableContext(engine: Engine, model: string | undefined): number {
  const { contextWindow } = engine.options;
  const window =
    typeof contextWindow === "function" ? (model === undefined ? undefined : contextWindow(model)) : contextWindow;
  return window === undefined ? DEFAULT_USABLE : Math.floor(window * (1 - OUTPUT_RESERVE));
}

/**
 * Limits of the history: the policy's, and never more than the model's usable context. With a summarizer every turn
 * that isn't folded yet is shown, up to the usable context: a window that were cut by the policy would leave a gap.
 */
export function windowLimits(
  engine: Engine,
  model: string | undefined,
  wanted: { maxMessages?: number | undefined; maxTokens?: number | undefined } = {},
): WindowLimits {
  const { conversation } = engine.policy;
  const folds = engine.summarizer !== undefined;
  const usable = usableContext(engine, model);
  return {
    maxMessages: wanted.maxMessages ?? (folds ? Number.MAX_SAFE_INTEGER : conversation.maxMessages),
    maxTokens: Math.min(wanted.maxTokens ?? (folds ? usable : conversation.maxTokens), usable),
  };
}
