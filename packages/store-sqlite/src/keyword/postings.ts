import type { AgentOwner, KeywordScope, PostingQuery, Postings } from "@throughline/core";
import { hashText } from "../hash.ts";
import { secretOf } from "../names.ts";
import type { Session } from "../session.ts";
import { Pace, type Steps } from "../steps.ts";
import { ROWS_AT_ONCE } from "./each-row.ts";
import { readPending } from "./pending-documents.ts";
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
  const pace = new Pace();
  const groups = query.groups.map((group) => (group === "tool" ? 1 : 0));
  const { buckets, only, documents, totalLength } = yield* resolveScope(session, owner, scope, groups, pace);
  const passes = yield* readFilter(session, owner, buckets, query, pace);
  const pending = readPending(session, buckets);
  const terms: Postings["terms"] = query.terms.map((term) => ({
    term,
    documentFrequency: 0,
    documents: [],
    frequencies: [],
    lengths: [],
    conversations: [],
    places: [],
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
          for (const [, data] of rows) {
            found.documentFrequency += readPostingsInto(found, data, { only, pending, passes });
          }
          if (pace.isOver) yield* pace.pause();
          const last = rows.at(-1);
          if (last === undefined || rows.length < ROWS_AT_ONCE) break;
          after = last[0];
        }
      }
    }
  }
  return { documents, totalLength, terms };
}
