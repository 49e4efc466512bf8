import { checkNumbers } from "../checks/numbers.ts";
import type { Summarizer } from "../contract/models.ts";
import { type AskModel, DEFAULT_INPUT_TOKENS } from "./ask-model.ts";

/**
 * A summarizer over any model. Turns that don't fit `maxInputTokens` are folded in several calls, at most about four;
 * what is larger still is shortened, tool results first. An answer over `maxTokens` is cut after a sentence.
 */
export function modelSummarizer(ask: AskModel, maxInputTokens: number = DEFAULT_INPUT_TOKENS): Summarizer {
  checkNumbers("modelSummarizer", { maxInputTokens }, { maxInputTokens: "count" });
  return async (input) => (await import("./ask-for-summary.ts")).askForSummary(ask, maxInputTokens, input);
}
