import type { ModelLimits } from "../budget/model-limits.ts";
import type { Engine } from "../memory/engine.ts";
import type { WindowLimits } from "./window.ts";

/**
 * Limits of the history: the policy's, and never more than the model's usable context. With a summarizer every turn
 * that isn't folded yet is shown, up to the usable context: a window that were cut by the policy would leave a gap.
 */
export function windowLimits(
  engine: Engine,
  model: ModelLimits,
  wanted: { maxMessages?: number | undefined; maxTokens?: number | undefined } = {},
): WindowLimits {
  const { conversation } = engine.policy;
  const folds = engine.summarizer !== undefined;
  return {
    maxMessages: wanted.maxMessages ?? (folds ? Number.MAX_SAFE_INTEGER : conversation.maxMessages),
    maxTokens: Math.min(wanted.maxTokens ?? (folds ? model.budget : conversation.maxTokens), model.budget),
  };
}
