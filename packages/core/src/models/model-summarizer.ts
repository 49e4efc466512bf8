import type { Summarizer } from "../contract/models.ts";
import { estimateTokens } from "../text/tokens.ts";
import { type AskModel, DEFAULT_INPUT_TOKENS } from "./ask-model.ts";
import { finishSummary } from "./finish-summary.ts";
import { batchPieces, fitPieces, shorten, withoutToolNoise } from "./fit-pieces.ts";
import { summaryInstructions } from "./summary-instructions.ts";
import { summaryPieces } from "./summary-pieces.ts";
import { summaryPrompt } from "./summary-prompt.ts";

/** Turns that need more calls than this are shortened. */
const MAX_CALLS = 4;
/** Providers count other tokens than the estimator: an answer is given this much room before it is cut off. */
const OUTPUT_ROOM = 1.5;
const OUTPUT_ROOM_TOKENS = 64;
/** Below this a prompt has no room for turns. */
const MIN_TURN_TOKENS = 500;

/**
 * A summarizer over any model. Turns that don't fit `maxInputTokens` are folded in several calls, at most about four;
 * what is larger still is shortened, tool results first. An answer over `maxTokens` is cut after a sentence.
 */
export function modelSummarizer(ask: AskModel, maxInputTokens: number = DEFAULT_INPUT_TOKENS): Summarizer {
  return async ({ previous, turns, maxTokens, signal }) => {
    const instructions = summaryInstructions(maxTokens);
    const roomFor = (summary: string | null): number =>
      Math.max(MIN_TURN_TOKENS, maxInputTokens - estimateTokens(instructions) - estimateTokens(summary ?? "") - 50);
    // Not longer than it may be anyway, save where another summarizer or limit made it.
    let summary = previous === null ? null : shortenTo(previous, Math.max(maxTokens * 2, maxInputTokens / 4));
    const room = Math.min(roomFor(summary), roomFor(null) - maxTokens);
    const pieces = fitPieces(withoutToolNoise(summaryPieces(turns)), Math.max(MIN_TURN_TOKENS, room) * MAX_CALLS);
    for (const batch of batchPieces(pieces, Math.max(MIN_TURN_TOKENS, room))) {
      const answer = await ask({
        instructions,
        text: summaryPrompt(summary, batch),
        maxOutputTokens: Math.ceil(maxTokens * OUTPUT_ROOM) + OUTPUT_ROOM_TOKENS,
        signal,
      });
      if (answer.text.trim() === "") throw answer.fail({ reason: answer.isTruncated ? "truncated" : "empty" });
      summary = finishSummary(answer.text.toWellFormed(), maxTokens, answer.isTruncated);
      if (summary === null) throw answer.fail({ reason: "truncated" });
    }
    return summary ?? "";
  };
}

function shortenTo(text: string, maxTokens: number): string {
  const tokens = estimateTokens(text);
  return tokens <= maxTokens ? text : shorten(text, Math.floor((text.length * maxTokens) / tokens));
}
