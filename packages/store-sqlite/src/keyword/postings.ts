import type { AgentOwner, KeywordScope, PostingQuery, Postings } from "@throughline/core";
import { noPostings } from "@throughline/core/store-kit";
import { hashText } from "../hash.ts";
import { secretOf } from "../names.ts";
import type { Session } from "../session.ts";
import { Pace, type Steps } from "../steps.ts";
import { readPending } from "./pending-documents.ts";
import { type PostingChoice, readPostingsInto } from "./posting-blocks.ts";
import { readFilter } from "./posting-filter.ts";
import { resolveScope } from "./posting-scope.ts";
import { readRecent } from "./recent-documents.ts";
import { addRecentTo, RecentReader } from "./recent-terms.ts";
import { eachTermRow } from "./term-rows.ts";

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
  const terms = query.terms.map(noPostings);
  for (const bucket of buckets) {
    const secret = secretOf(session, bucket);
    const found = new Map<number, Postings["terms"]>();
    for (const entry of terms) {
      const term = hashText(entry.term, secret);
      found.set(term, [...(found.get(term) ?? []), entry]);
    }
    const choice = { only, pending, passes };
    const recent = readRecent(session, bucket);
    // After a pause postings may be there of what was read as recent.
    let later: PostingChoice | undefined;
    const { pauses } = pace;
    for (const tool of groups) {
      yield* eachTermRow(session, { bucket, tool, terms: [...found.keys()] }, pace, ([term, , data]) => {
        if (recent !== undefined && pace.pauses > pauses) later ??= without(choice, recent);
        for (const entry of found.get(term) ?? []) {
          entry.documentFrequency += readPostingsInto(entry, data, later ?? choice);
        }
      });
    }
    if (recent !== undefined) addRecentTo(found, recent, groups, choice);
  }
  return { documents, totalLength, terms };
}

/** Without what stands in these bytes. */
function without(choice: PostingChoice, recent: Uint8Array): PostingChoice {
  const pending = new Set(choice.pending);
  const reader = new RecentReader(recent);
  while (reader.next()) pending.add(reader.ref);
  return { ...choice, pending };
}
