import type { AgentOwner, KeywordScope, VectorQuery } from "@throughline/core";
import type { ScanFilter } from "@throughline/core/store-kit";
import { findConversation } from "../conversation-rows.ts";
import { ROLES } from "../keyword/posting-blocks.ts";
import { findAgent, findSubject } from "../names.ts";
import type { Session } from "../session.ts";
import type { Pace, Steps } from "../steps.ts";
import { timeOf } from "./time-of.ts";

const BUCKETS_AT_ONCE = 128;

/** The buckets that hold a scope's vectors, and what of them is looked at; `null` where there can be nothing. */
export function* resolveNear(
  session: Session,
  owner: AgentOwner,
  scope: KeywordScope,
  query: VectorQuery,
  pace: Pace,
): Steps<{ buckets: number[]; filter: ScanFilter } | null> {
  const agent = findAgent(session, owner);
  if (agent === undefined) return null;
  const filter = readFilter(session, owner, scope, query);
  if (filter === null) return null;
  switch (scope.kind) {
    case "subject": {
      const bucket = findSubject(session, agent, scope.subject);
      return bucket === undefined ? null : { buckets: [bucket], filter };
    }
    case "conversation":
      return { buckets: bucketsOf(session, filter.conversation ?? 0), filter };
    case "agent":
      return { buckets: yield* allBuckets(session, agent, pace), filter };
  }
}

/** What a query narrows by, as far as a scan can tell; `null` where nothing passes. */
function readFilter(
  session: Session,
  { tenant, agent }: AgentOwner,
  scope: KeywordScope,
  { conversation, role, from, to, exclude }: VectorQuery,
): ScanFilter | null {
  const filter: ScanFilter = {};
  const find = (id: string) => findConversation(session, { tenant, agent, conversation: id })?.ref;
  const only = scope.kind === "conversation" ? scope.conversation : conversation;
  if (conversation !== undefined && conversation !== only) return null;
  if (only !== undefined) {
    const ref = find(only);
    if (ref === undefined) return null;
    filter.conversation = ref;
  }
  if (role !== undefined) filter.role = ROLES.indexOf(role);
  // A time in no usual form is compared as a text, later.
  if (from !== undefined && !Number.isNaN(timeOf(from))) filter.from = timeOf(from);
  if (to !== undefined && !Number.isNaN(timeOf(to))) filter.to = timeOf(to);
  const excluded = exclude === undefined ? undefined : find(exclude.conversation);
  if (exclude !== undefined && excluded !== undefined) {
    filter.exclude = { conversation: excluded, after: exclude.after };
  }
  return filter;
}

/** Where a conversation's turns are filed: under its subject, under those it had or lent turns to, and under itself. */
function bucketsOf(session: Session, conversation: number): number[] {
  const rows = session.rows<[number]>(
    `SELECT subject FROM conversation WHERE ref = ? AND subject IS NOT NULL
      UNION SELECT subject FROM former_subject WHERE conversation = ?
      UNION SELECT ref FROM bucket WHERE conversation = ?`,
    conversation,
    conversation,
    conversation,
  );
  return rows.map(([bucket]) => bucket);
}

function* allBuckets(session: Session, agent: number, pace: Pace): Steps<number[]> {
  const buckets: number[] = [];
  for (let after = 0; ; ) {
    const sql = `SELECT ref FROM bucket WHERE agent = ? AND ref > ? ORDER BY ref LIMIT ${BUCKETS_AT_ONCE}`;
    const refs = session.rows<[number]>(sql, agent, after).map(([ref]) => ref);
    buckets.push(...refs);
    const last = refs.at(-1);
    if (last === undefined || refs.length < BUCKETS_AT_ONCE) return buckets;
    after = last;
    if (pace.isOver) yield* pace.pause();
  }
}
