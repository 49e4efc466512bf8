import type { Summarizer } from "../contract/models.ts";
import { estimateTokens, type TokenCounter } from "../text/tokens.ts";

/** What {@link extractiveSummarizer} can be told. */
export interface ExtractiveSummarizerOptions {
  /** Counts what `maxTokens` limits. @default the estimator used everywhere else */
  tokenizer?: TokenCounter;
  /** Marks the day where it changes, so that "yesterday" still means something. @default true */
  dates?: boolean;
}

/**
 * A summarizer without a model: it keeps whole sentences of the previous summary and the new turns, those that tell
 * most per token, under their speaker's name, oldest first. The same input gives the same text on every machine; any
 * script works; the text is never longer than `maxTokens`. A turn without words adds nothing.
 */
export function extractiveSummarizer(options: ExtractiveSummarizerOptions = {}): Summarizer {
  const settings = { count: options.tokenizer ?? estimateTokens, dates: options.dates ?? true };
  return async (input) => (await import("./extract-summary.ts")).extractSummary(input, settings);
}
