import type { Summary } from "../contract/conversation.ts";
import type { SummaryRow } from "../contract/store-rows.ts";

/** A stored summary as the app sees it. */
export const publicSummary = (row: SummaryRow): Summary => ({
  text: row.text,
  through: row.throughTurn,
  turns: row.turns,
  createdAt: row.createdAt,
  version: row.version,
});
