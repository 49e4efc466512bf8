import type { AgentOwner, KeywordScope, PostingQuery, Postings } from "@throughline/core";
import type { Steps } from "../database.ts";
import { hashText } from "../hash.ts";
import { secretOf } from "../names.ts";
import type { Session } from "../session.ts";
import { type Budget, isSpent, ROWS_AT_ONCE, UNITS_PER_LOOK } from "./budget.ts";
import { readPostingsInto } from "./posting-blocks.ts";
import { readFilter } from "./posting-filter.ts";
import { resolveScope } from "./posting-scope.ts";

/** Statistics of a scope, and where its terms stand. */
export function* readPostings(
  session: Session,
  owner: AgentOwner,
  scope: KeywordScope,
  query: PostingQuery,
): Steps<Postings> {
  const budget: Budget = { units: 0 };
  const groups = query.groups.map((group) => (group === "tool" ? 1 : 0));
  const { buckets, only, documents, totalLength } = yield* resolveScope(session, owner, scope, groups, budget);
  const passes = yield* readFilter(session, owner, buckets, query, budget);
  const terms: Postings["terms"] = query.terms.map((term) => ({
    term,
    documentFrequency: 0,
    documents: [],
    frequencies: [],
    lengths: [],
  }));
  for (const bucket of buckets) {
    const secret = secretOf(session, bucket);
    for (const found of terms) {
      const term = hashText(found.term, secret);
      for (const tool of groups) {
        for (let after = -1; ; ) {
          const rows: [block: number, data: Uint8Array][] = session.rows(
            `SELECT block, data FROM posting WHERE bucket = ? AND term = ? AND tool = ? AND block > ?
              ORDER BY block LIMIT ${ROWS_AT_ONCE}`,
            bucket,
            term,
            tool,
            after,
          );
          budget.units += UNITS_PER_LOOK;
          for (const [, data] of rows) {
            const { read, inScope } = readPostingsInto(found, data, only, passes);
            found.documentFrequency += inScope;
            budget.units += read;
          }
          if (isSpent(budget)) yield;
          const last = rows.at(-1);
          if (last === undefined || rows.length < ROWS_AT_ONCE) break;
          after = last[0];
        }
      }
    }
  }
  return { documents, totalLength, terms };
}
