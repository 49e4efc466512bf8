import type { SqlValue } from "../driver.ts";
import type { Session } from "../session.ts";
import type { Pace, Steps } from "../steps.ts";

/** Rows of postings (up to 128 each) or buckets read by one statement. */
export const ROWS_AT_ONCE = 128;
/** Rows of documents read by one statement. */
export const DOCUMENTS_AT_ONCE = 1024;

/** Visits all rows of a statement that reads {@link DOCUMENTS_AT_ONCE} of them behind the last one. */
export function* eachRow<Row extends SqlValue[]>(
  session: Session,
  next: (after: Row | undefined) => { sql: string; parameters: SqlValue[] },
  pace: Pace,
  visit: (row: Row) => void,
): Steps<void> {
  let after: Row | undefined;
  for (;;) {
    const { sql, parameters } = next(after);
    const rows = session.rows<Row>(sql, ...parameters);
    for (const row of rows) visit(row);
    if (pace.isOver) yield* pace.pause();
    if (rows.length < DOCUMENTS_AT_ONCE) return;
    after = rows.at(-1);
  }
}
