import type { Steps } from "../database.ts";
import type { SqlValue } from "../driver.ts";
import type { Session } from "../session.ts";

/** Rows of postings (up to 128 each) or buckets read by one statement. */
export const ROWS_AT_ONCE = 256;
/** Rows of documents read by one statement. */
export const DOCUMENTS_AT_ONCE = 4096;
/** What a look into a table costs, in units of one posting read. */
export const UNITS_PER_LOOK = 20;
/** What a row costs. */
export const UNITS_PER_ROW = 8;
/** After so many units others get the event loop: some five milliseconds. */
const UNITS_AT_ONCE = 50_000;

/** How much was done since the event loop was last given away. */
export interface Budget {
  units: number;
}

/** True where it is time to give way; counting begins anew then. */
export function isSpent(budget: Budget): boolean {
  if (budget.units < UNITS_AT_ONCE) return false;
  budget.units = 0;
  return true;
}

/** Visits all rows of a statement that reads {@link DOCUMENTS_AT_ONCE} of them behind the last one. */
export function* eachRow<Row extends SqlValue[]>(
  session: Session,
  next: (after: Row | undefined) => { sql: string; parameters: SqlValue[] },
  budget: Budget,
  visit: (row: Row) => void,
): Steps<void> {
  let after: Row | undefined;
  for (;;) {
    const { sql, parameters } = next(after);
    const rows = session.rows<Row>(sql, ...parameters);
    for (const row of rows) visit(row);
    budget.units += UNITS_PER_LOOK + rows.length * UNITS_PER_ROW;
    if (isSpent(budget)) yield;
    if (rows.length < DOCUMENTS_AT_ONCE) return;
    after = rows.at(-1);
  }
}
