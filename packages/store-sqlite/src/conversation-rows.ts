import type { AgentOwner, ConversationOwner, ConversationRow, JsonObject } from "@throughline/core";
import { getText } from "./heap.ts";
import { checkId, findAgent, obtainAgent, subjectOf } from "./names.ts";
import type { Session } from "./session.ts";
import { SEQ_LIMIT } from "./turn-rows.ts";

type Columns = [
  ref: number,
  agent: number,
  id: string,
  subject: number | null,
  login: string | null,
  extra: number | null,
  createdAt: string,
  updatedAt: string,
  lastSeq: number,
  turns: number,
  messages: number,
  clearedThrough: number,
  settledSeq: number,
  indexedSeq: number,
  watermarks: string | null,
  version: number,
  summary: number,
  refuseThrough: string | null,
];

/** A conversation, with the numbers that stand for it and its subject. */
export interface StoredConversation {
  ref: number;
  agent: number;
  /** The subject's bucket. */
  subject: number | null;
  /** Where title and metadata stand in the heap. */
  extra: number | null;
  /** Version of the live summary; 0: none. */
  summary: number;
  /** What began by then belongs to what was erased under the same name. */
  refuseThrough: string | null;
  row: ConversationRow;
}

/** Begins every read of conversations. */
export const SELECT_CONVERSATION = `SELECT ref, agent, id, subject, login, extra, created_at, updated_at, last_seq, turns,
  messages, cleared_through, settled_seq, indexed_seq, watermarks, version, summary, refuse_through
  FROM conversation`;

const BY_ID = `${SELECT_CONVERSATION} WHERE agent = ? AND id = ?`;

/** `undefined` where it isn't there. */
export function findConversation(session: Session, owner: ConversationOwner): StoredConversation | undefined {
  const agent = findAgent(session, owner);
  if (agent === undefined) return undefined;
  return readStored(session, BY_ID, agent, owner.conversation)[0];
}

/** Conversations of a statement that begins with {@link SELECT_CONVERSATION}. */
export function readStored(session: Session, sql: string, ...parameters: (string | number)[]): StoredConversation[] {
  return session.rows<Columns>(sql, ...parameters).map((columns) => toStored(session, columns));
}

function toStored(session: Session, columns: Columns): StoredConversation {
  const [ref, agent, id, subject, login, extra, createdAt, updatedAt, lastSeq, turns, messages] = columns;
  const row: ConversationRow = {
    id,
    createdAt,
    updatedAt,
    lastSeq,
    turns,
    messages,
    clearedThrough: columns[11],
    settledSeq: columns[12],
    watermarks: {},
    version: columns[15],
  };
  if (subject !== null) {
    const name = subjectOf(session, subject);
    if (name !== undefined) row.subject = name;
  }
  if (login !== null) row.login = login;
  if (extra !== null) Object.assign(row, parseExtra(getText(session, extra)));
  if (columns[14] !== null) row.watermarks = parseWatermarks(columns[14]);
  if (columns[13] > 0) row.watermarks.index = columns[13];
  return { ref, agent, subject, extra, row, summary: columns[16], refuseThrough: columns[17] };
}

/** Title and metadata, as {@link writeExtra} of the changes wrote them. */
function parseExtra(text: string): { title?: string; metadata?: JsonObject } {
  return JSON.parse(text);
}

function parseWatermarks(text: string): Record<string, number> {
  return JSON.parse(text);
}

/** A conversation that isn't there yet: a new row, and what it looks like. */
export function insertConversation(
  session: Session,
  owner: ConversationOwner,
  now: string,
  refuseThrough: string | null,
): StoredConversation {
  checkId(owner.conversation);
  const agent = obtainAgent(session, owner);
  const { ref } = session.run(
    `INSERT INTO conversation (agent, id, created_at, updated_at, last_seq, turns, messages, cleared_through, settled_seq,
      indexed_seq, version, summary, summaries, refuse_through) VALUES (?, ?, ?, ?, 0, 0, 0, 0, 0, 0, 1, 0, 0, ?)`,
    agent,
    owner.conversation,
    now,
    now,
    refuseThrough,
  );
  const row: ConversationRow = {
    id: owner.conversation,
    createdAt: now,
    updatedAt: now,
    lastSeq: 0,
    turns: 0,
    messages: 0,
    clearedThrough: 0,
    settledSeq: 0,
    watermarks: {},
    version: 1,
  };
  return { ref, agent, subject: null, extra: null, summary: 0, refuseThrough, row };
}

/** Bound to somebody else than a subject, and holding turns of the subject. */
const HOLDS_TURNS_OF = `ref IN (SELECT conversation FROM former_subject WHERE subject = ?) AND subject IS NOT ?
  AND EXISTS (SELECT 1 FROM turn t
    WHERE t.key > conversation.ref * ${SEQ_LIMIT} AND t.key < (conversation.ref + 1) * ${SEQ_LIMIT} AND t.subject = ?)`;

/** Those of an agent or of one of its subjects, most recently active first, ties by id. */
export function listConversations(
  session: Session,
  owner: AgentOwner,
  query: { subject?: number; former?: boolean; limit: number; after?: { updatedAt: string; id: string } },
): ConversationRow[] {
  const agent = findAgent(session, owner);
  if (agent === undefined) return [];
  const { subject, former = false, after } = query;
  const limit = Math.max(0, query.limit);
  const from = after === undefined ? "" : "AND updated_at <= ? AND (updated_at < ? OR id > ?)";
  const position = after === undefined ? [] : [after.updatedAt, after.updatedAt, after.id];
  const list = (whose: string, ...refs: number[]) =>
    readStored(
      session,
      `${SELECT_CONVERSATION} WHERE ${whose} ${from} ORDER BY updated_at DESC, id LIMIT ?`,
      ...refs,
      ...position,
      limit,
    ).map(({ row }) => row);
  if (subject !== undefined && former) return list(HOLDS_TURNS_OF, subject, subject, subject);
  if (subject !== undefined) return list("subject = ?", subject);
  return [...list("agent = ? AND is_open = 1", agent), ...list("agent = ? AND is_open = 0", agent)]
    .sort((left, right) => compareText(right.updatedAt, left.updatedAt) || compareText(left.id, right.id))
    .slice(0, limit);
}

/** Code-unit order, whatever the locale. */
export function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
