import type { Conversation, Report } from "@throughline/core";
import type { Row } from "./convert/rows.ts";
import { convertEach, isWaiting } from "./convert/run-rows.ts";

/**
 * Keeps rows that Mastra hands over outside a run: a question begins a turn, what follows belongs to it, and what is
 * stored already is left as it is. What the memory can't take is reported.
 */
export async function saveRows(conversation: Conversation, rows: readonly Row[], report: Report): Promise<void> {
  const turn = await conversation.begin({ messages: convertEach(rows, report) });
  if (turn.fresh.length === 0) return;
  const isAnswered = turn.messages.at(-1)?.role === "assistant" && !isWaiting(turn.messages);
  // A question whose answer comes later goes on with it.
  const outcome = await (isAnswered ? turn.complete() : turn.pause());
  if (outcome.status === "failed" || (outcome.status === "refused" && outcome.code !== "TIER_OFF")) report(outcome);
}
