import type { SummarizerInput } from "../contract/models.ts";
import { estimateTokens } from "../text/tokens.ts";
import type { AskModel } from "./ask-model.ts";
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

/** Folds turns into a summary by as many calls of a model as they need. */
export async function askForSummary(
  ask: AskModel,
  maxInputTokens: number,
  { previous, turns, maxTokens, signal }: SummarizerInput,
): Promise<string> {
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
}

function shortenTo(text: string, maxTokens: number): string {
  const tokens = estimateTokens(text);
  return tokens <= maxTokens ? text : shorten(text, Math.floor((text.length * maxTokens) / tokens));
}
