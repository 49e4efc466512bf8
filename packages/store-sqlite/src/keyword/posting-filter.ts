import type { AgentOwner, PostingQuery } from "@throughline/core";
import { findConversation } from "../conversation-rows.ts";
import type { Session } from "../session.ts";
import type { Pace, Steps } from "../steps.ts";
import { DOCUMENTS_AT_ONCE, eachRow } from "./each-row.ts";
import { ROLES } from "./posting-blocks.ts";

type Filter = (document: number, role: number) => boolean;

/** What of the query goes beyond terms and groups; `null` where nothing does. */
export function* readFilter(
  session: Session,
  owner: AgentOwner,
  buckets: readonly number[],
  query: PostingQuery,
  pace: Pace,
): Steps<Filter | null> {
  const { tenant, agent } = owner;
  const filters: Filter[] = [];
  if (query.role !== undefined) {
    const wanted = ROLES.indexOf(query.role);
    filters.push((_, role) => role === wanted);
  }
  if (query.conversation !== undefined) {
    const conversation = findConversation(session, { tenant, agent, conversation: query.conversation });
    const allowed = yield* documentsBehind(session, conversation?.ref, 0, pace);
    filters.push((document) => allowed.has(document));
  }
  if (query.exclude !== undefined) {
    const conversation = findConversation(session, { tenant, agent, conversation: query.exclude.conversation });
    const excluded = yield* documentsBehind(session, conversation?.ref, query.exclude.after, pace);
    if (excluded.size > 0) filters.push((document) => !excluded.has(document));
  }
  if (query.from !== undefined || query.to !== undefined) {
    const allowed = yield* documentsWithin(session, buckets, query.from, query.to, pace);
    filters.push((document) => allowed.has(document));
  }
  if (filters.length === 0) return null;
  return (document, role) => filters.every((passes) => passes(document, role));
}

/** Documents of a conversation behind a sequence number. */
function* documentsBehind(
  session: Session,
  conversation: number | undefined,
  seq: number,
  pace: Pace,
): Steps<Set<number>> {
  const found = new Set<number>();
  if (conversation === undefined) return found;
  yield* eachRow<[ref: number, seq: number]>(
    session,
    (after) => ({
      sql: `SELECT ref, seq FROM document WHERE conversation = ? AND seq > ? AND (seq, ref) > (?, ?)
        ORDER BY seq, ref LIMIT ${DOCUMENTS_AT_ONCE}`,
      parameters: [conversation, seq, after?.[1] ?? -1, after?.[0] ?? -1],
    }),
    pace,
    ([ref]) => found.add(ref),
  );
  return found;
}

/** Documents of some buckets within a range of time. */
function* documentsWithin(
  session: Session,
  buckets: readonly number[],
  from = "",
  to = "\u{10ffff}",
  pace: Pace,
): Steps<Set<number>> {
  const found = new Set<number>();
  for (const bucket of buckets) {
    // Many documents may have one time: first the rest of those, then the later ones.
    for (let last: [ref: number, createdAt: string] | undefined; ; ) {
      const ties: [number, string][] =
        last === undefined
          ? []
          : session.rows(
              `SELECT ref, created_at FROM document WHERE bucket = ? AND created_at = ? AND ref > ?
                ORDER BY ref LIMIT ${DOCUMENTS_AT_ONCE}`,
              bucket,
              last[1],
              last[0],
            );
      const later: [number, string][] =
        ties.length === DOCUMENTS_AT_ONCE
          ? []
          : session.rows(
              `SELECT ref, created_at FROM document WHERE bucket = ? AND created_at ${last === undefined ? ">=" : ">"} ?
                AND created_at < ? ORDER BY created_at, ref LIMIT ${DOCUMENTS_AT_ONCE}`,
              bucket,
              last?.[1] ?? from,
              to,
            );
      for (const [ref] of ties) found.add(ref);
      for (const [ref] of later) found.add(ref);
      if (pace.isOver) yield* pace.pause();
      if (Math.max(ties.length, later.length) < DOCUMENTS_AT_ONCE) break;
      last = later.at(-1) ?? ties.at(-1);
    }
  }
  return found;
}
