import { placeholders, type Session } from "../session.ts";
import type { Pace, Steps } from "../steps.ts";
import { ROWS_AT_ONCE } from "./each-row.ts";

/** A row of the index: postings of one term. */
export type TermRow = [term: number, block: number, data: Uint8Array];

/** Terms asked for by one statement. */
const TERMS_AT_ONCE = 64;

/**
 * Visits the rows of some terms in one bucket, those of a term in the order of their blocks. One statement asks for many terms:
 * most have a row or two. Of a term with many rows the rest is read by itself.
 */
export function* eachTermRow(
  session: Session,
  { bucket, tool, terms }: { bucket: number; tool: number; terms: readonly number[] },
  pace: Pace,
  visit: (row: TermRow) => void,
): Steps<void> {
  for (let wanted = [...new Set(terms)].sort((left, right) => left - right); wanted.length > 0; ) {
    const some = wanted.slice(0, TERMS_AT_ONCE);
    const asked = [...some];
    // One statement serves several lengths of the list.
    while (asked.length % 8 !== 0) asked.push(asked[0] as number);
    const rows = session.rows<TermRow>(
      `SELECT term, block, data FROM posting WHERE bucket = ? AND tool = ? AND term IN (${placeholders(asked.length)})
        ORDER BY term, block LIMIT ${ROWS_AT_ONCE}`,
      bucket,
      tool,
      ...asked,
    );
    for (const row of rows) visit(row);
    if (pace.isOver) yield* pace.pause();
    const last = rows.at(-1);
    if (last === undefined || rows.length < ROWS_AT_ONCE) {
      wanted = wanted.slice(some.length);
      continue;
    }
    const [term, block] = last;
    yield* restOf(session, { bucket, tool, term, block }, pace, visit);
    wanted = wanted.slice(wanted.indexOf(term) + 1);
  }
}

/** The rows of one term behind a block. */
function* restOf(
  session: Session,
  { bucket, tool, term, block }: { bucket: number; tool: number; term: number; block: number },
  pace: Pace,
  visit: (row: TermRow) => void,
): Steps<void> {
  for (let after = block; ; ) {
    const rows = session.rows<TermRow>(
      `SELECT term, block, data FROM posting WHERE bucket = ? AND term = ? AND tool = ? AND block > ?
        ORDER BY block LIMIT ${ROWS_AT_ONCE}`,
      bucket,
      term,
      tool,
      after,
    );
    for (const row of rows) visit(row);
    if (pace.isOver) yield* pace.pause();
    const last = rows.at(-1);
    if (last === undefined || rows.length < ROWS_AT_ONCE) return;
    after = last[1];
  }
}
