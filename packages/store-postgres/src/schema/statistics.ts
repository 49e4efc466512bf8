/** Columns that hold what people said, or what was made of it. */
const TEXTS: Readonly<Record<string, readonly string[]>> = {
  conversation: ["login", "extra", "watermarks"],
  turn: ["body"],
  summary: ["body"],
  fact: ["key", "tags", "body"],
  operation: ["key", "result"],
  record: ["value"],
  item: ["data"],
  checkpoint_thread: ["login"],
  checkpoint: ["inlines", "tags", "body"],
  checkpoint_element: ["data"],
  checkpoint_write: ["path", "data"],
  vector: ["v"],
};

/**
 * The planner samples columns into its statistics, where a value outlives its row. Nothing is looked up by these columns
 * alone, so none of them is sampled.
 */
export const STATISTICS: readonly string[] = Object.entries(TEXTS).map(
  ([table, columns]) =>
    `ALTER TABLE #${table} ${columns.map((column) => `ALTER COLUMN ${column} SET STATISTICS 0`).join(", ")}`,
);
