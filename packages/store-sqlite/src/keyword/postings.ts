import type { AgentOwner, KeywordScope, PostingQuery, Postings } from "@throughline/core";
import { findConversation } from "../conversation-rows.ts";
import type { Steps } from "../database.ts";
import type { SqlValue } from "../driver.ts";
import { hashText } from "../hash.ts";
import { findAgent, findSubject, secretOf } from "../names.ts";
import type { Session } from "../session.ts";
import { ROLES, visitPostings } from "./posting-blocks.ts";

/** Rows read by one statement. A row holds up to 128 postings. */
const ROWS_AT_ONCE = 256;
/** Work units (a posting, or a look into a table) after which others get the event loop. */
const UNITS_AT_ONCE = 60_000;
const UNITS_PER_LOOK = 20;

interface Scope {
  buckets: number[];
  /** A conversation whose bucket is shared with others of its subject: only these documents belong to the scope. */
  only: Set<number> | null;
  documents: number;
  totalLength: number;
}

interface Budget {
  units: number;
}

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
        for (let after = -1; after !== undefined; ) {
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
            visitPostings(data, (document, frequency, role, length) => {
              budget.units += 1;
              if (only !== null && !only.has(document)) return;
              found.documentFrequency += 1;
              if (passes !== null && !passes(document, role)) return;
              found.documents.push(document);
              found.frequencies.push(frequency);
              found.lengths.push(length);
            });
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

function* resolveScope(
  session: Session,
  owner: AgentOwner,
  scope: KeywordScope,
  groups: readonly number[],
  budget: Budget,
): Steps<Scope> {
  const agent = findAgent(session, owner);
  const none: Scope = { buckets: [], only: null, documents: 0, totalLength: 0 };
  if (agent === undefined) return none;
  if (scope.kind === "conversation") {
    const { tenant, agent: name } = owner;
    const conversation = findConversation(session, { tenant, agent: name, conversation: scope.conversation });
    return conversation === undefined ? none : yield* conversationScope(session, conversation.ref, groups, budget);
  }
  if (scope.kind === "subject") {
    const bucket = findSubject(session, agent, scope.subject);
    return bucket === undefined ? none : withStatistics(session, none, [bucket], groups);
  }
  let found = none;
  for (let after = 0; ; ) {
    const refs = session
      .rows<[number]>(`SELECT ref FROM bucket WHERE agent = ? AND ref > ? ORDER BY ref LIMIT ${ROWS_AT_ONCE}`, agent, after)
      .map(([ref]) => ref);
    found = withStatistics(session, found, refs, groups);
    budget.units += UNITS_PER_LOOK * refs.length;
    if (isSpent(budget)) yield;
    const last = refs.at(-1);
    if (last === undefined || refs.length < ROWS_AT_ONCE) return found;
    after = last;
  }
}

function withStatistics(session: Session, scope: Scope, buckets: readonly number[], groups: readonly number[]): Scope {
  let { documents, totalLength } = scope;
  for (const bucket of buckets) {
    const [said = 0, saidLength = 0, tools = 0, toolLength = 0] =
      session.row<[number, number, number, number]>(
        "SELECT said_documents, said_length, tool_documents, tool_length FROM bucket WHERE ref = ?",
        bucket,
      ) ?? [];
    if (groups.includes(0)) {
      documents += said;
      totalLength += saidLength;
    }
    if (groups.includes(1)) {
      documents += tools;
      totalLength += toolLength;
    }
  }
  return { buckets: [...scope.buckets, ...buckets], only: scope.only, documents, totalLength };
}

/** The documents of one conversation, in whichever buckets they are filed. */
function* conversationScope(
  session: Session,
  conversation: number,
  groups: readonly number[],
  budget: Budget,
): Steps<Scope> {
  const buckets = new Set<number>();
  const only = new Set<number>();
  let totalLength = 0;
  yield* eachRow<[ref: number, seq: number, bucket: number, tool: number, length: number]>(
    session,
    (after) => ({
      sql: `SELECT ref, seq, bucket, tool, length FROM document WHERE conversation = ? AND filed = 1 AND (seq, ref) > (?, ?)
        ORDER BY seq, ref LIMIT ${ROWS_AT_ONCE * 16}`,
      parameters: [conversation, after?.[1] ?? -1, after?.[0] ?? -1],
    }),
    ROWS_AT_ONCE * 16,
    budget,
    ([ref, , bucket, tool, length]) => {
      if (!groups.includes(tool)) return;
      buckets.add(bucket);
      only.add(ref);
      totalLength += length;
    },
  );
  return { buckets: [...buckets], only, documents: only.size, totalLength };
}

type Filter = (document: number, role: number) => boolean;

/** What of the query goes beyond terms and groups; `null` where nothing does. */
function* readFilter(
  session: Session,
  owner: AgentOwner,
  buckets: readonly number[],
  query: PostingQuery,
  budget: Budget,
): Steps<Filter | null> {
  const { tenant, agent } = owner;
  const filters: Filter[] = [];
  if (query.role !== undefined) {
    const wanted = ROLES.indexOf(query.role);
    filters.push((_, role) => role === wanted);
  }
  if (query.conversation !== undefined) {
    const conversation = findConversation(session, { tenant, agent, conversation: query.conversation });
    const allowed = yield* documentsBehind(session, conversation?.ref, 0, budget);
    filters.push((document) => allowed.has(document));
  }
  if (query.exclude !== undefined) {
    const conversation = findConversation(session, { tenant, agent, conversation: query.exclude.conversation });
    const excluded = yield* documentsBehind(session, conversation?.ref, query.exclude.after, budget);
    if (excluded.size > 0) filters.push((document) => !excluded.has(document));
  }
  if (query.from !== undefined || query.to !== undefined) {
    const allowed = yield* documentsWithin(session, buckets, query.from, query.to, budget);
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
  budget: Budget,
): Steps<Set<number>> {
  const found = new Set<number>();
  if (conversation === undefined) return found;
  yield* eachRow<[ref: number, seq: number]>(
    session,
    (after) => ({
      sql: `SELECT ref, seq FROM document WHERE conversation = ? AND seq > ? AND (seq, ref) > (?, ?)
        ORDER BY seq, ref LIMIT ${ROWS_AT_ONCE * 16}`,
      parameters: [conversation, seq, after?.[1] ?? -1, after?.[0] ?? -1],
    }),
    ROWS_AT_ONCE * 16,
    budget,
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
  budget: Budget,
): Steps<Set<number>> {
  const found = new Set<number>();
  for (const bucket of buckets) {
    yield* eachRow<[ref: number, createdAt: string]>(
      session,
      (after) => ({
        sql: `SELECT ref, created_at FROM document WHERE bucket = ? AND created_at >= ? AND created_at < ?
          AND (created_at, ref) > (?, ?) ORDER BY created_at, ref LIMIT ${ROWS_AT_ONCE * 16}`,
        parameters: [bucket, after?.[1] ?? from, to, after?.[1] ?? "", after?.[0] ?? -1],
      }),
      ROWS_AT_ONCE * 16,
      budget,
      ([ref]) => found.add(ref),
    );
  }
  return found;
}

function* eachRow<Row extends SqlValue[]>(
  session: Session,
  next: (after: Row | undefined) => { sql: string; parameters: SqlValue[] },
  limit: number,
  budget: Budget,
  visit: (row: Row) => void,
): Steps<void> {
  let after: Row | undefined;
  for (;;) {
    const { sql, parameters } = next(after);
    const rows = session.rows<Row>(sql, ...parameters);
    for (const row of rows) visit(row);
    budget.units += UNITS_PER_LOOK + rows.length * 4;
    if (isSpent(budget)) yield;
    if (rows.length < limit) return;
    after = rows.at(-1);
  }
}

function isSpent(budget: Budget): boolean {
  if (budget.units < UNITS_AT_ONCE) return false;
  budget.units = 0;
  return true;
}
