import type { AgentOwner, ConversationOwner, ConversationQuery, ConversationRow } from "@throughline/core";
import { Parameters, type Session } from "./session.ts";
import { readText, writeText } from "./text.ts";

/** The columns of a conversation, as rows and as `row_to_json` give them. */
export interface ConversationColumns {
  id: string;
  subject: string | null;
  login: string | null;
  extra: string | null;
  created_at: string;
  updated_at: string;
  last_seq: number;
  turns: number;
  messages: number;
  cleared_through: number;
  settled_seq: number;
  indexed_seq: number;
  watermarks: string | null;
  version: number;
  summary: number;
  summaries: number;
  refuse_through: string | null;
  lease_holder: string | null;
}

/** The conversation as the contract knows it. */
export function toConversation(columns: ConversationColumns): ConversationRow {
  const row: ConversationRow = {
    id: readText(columns.id),
    createdAt: columns.created_at,
    updatedAt: columns.updated_at,
    lastSeq: columns.last_seq,
    turns: columns.turns,
    messages: columns.messages,
    clearedThrough: columns.cleared_through,
    settledSeq: columns.settled_seq,
    watermarks: columns.watermarks === null ? {} : JSON.parse(columns.watermarks),
    version: columns.version,
  };
  if (columns.indexed_seq > 0) row.watermarks.index = columns.indexed_seq;
  if (columns.subject !== null) row.subject = readText(columns.subject);
  if (columns.login !== null) row.login = readText(columns.login);
  if (columns.extra !== null) Object.assign(row, JSON.parse(columns.extra));
  return row;
}

/** Names a conversation: tenant, agent, id. */
export function keyOf(owner: ConversationOwner): [string, string, string] {
  return [...agentKey(owner), writeText(owner.conversation)];
}

/** Names an agent: tenant, agent. */
export function agentKey(owner: AgentOwner): [string, string] {
  return [writeText(owner.tenant), writeText(owner.agent)];
}

const BY_KEY = "SELECT * FROM #conversation WHERE tenant = $1 AND agent = $2 AND id = $3";

/** `null` where there is none. */
export async function readConversation(session: Session, owner: ConversationOwner): Promise<ConversationRow | null> {
  const found = await session.row<ConversationColumns>(BY_KEY, ...keyOf(owner));
  return found === undefined ? null : toConversation(found);
}

/** The conversation, which no other transaction changes until this one ends. */
export function lockConversation(session: Session, owner: ConversationOwner): Promise<ConversationColumns | undefined> {
  return session.row<ConversationColumns>(`${BY_KEY} FOR UPDATE`, ...keyOf(owner));
}

/** Those of an agent or of one of its subjects, most recently active first, ties by id. */
export async function listConversations(
  session: Session,
  owner: AgentOwner,
  query: ConversationQuery,
): Promise<ConversationRow[]> {
  const { subject, after, limit, former } = query;
  const parameters = new Parameters();
  const [tenant, agent] = agentKey(owner).map((name) => parameters.add(name));
  const where = [`c.tenant = ${tenant} AND c.agent = ${agent}`];
  if (subject !== undefined && former === true) {
    const name = parameters.add(writeText(subject));
    where.push(`c.subject IS DISTINCT FROM ${name} AND EXISTS (SELECT 1 FROM #former_subject f
      WHERE f.tenant = c.tenant AND f.agent = c.agent AND f.subject = ${name} AND f.conversation = c.id)`);
    where.push(`EXISTS (SELECT 1 FROM #turn t WHERE t.tenant = c.tenant AND t.agent = c.agent
      AND t.conversation = c.id AND t.subject = ${name})`);
  } else if (subject !== undefined) where.push(`c.subject = ${parameters.add(writeText(subject))}`);
  if (after !== undefined) {
    const [at, id] = [parameters.add(after.updatedAt), parameters.add(writeText(after.id))];
    where.push(`c.updated_at <= ${at} AND (c.updated_at < ${at} OR c.id > ${id})`);
  }
  const rows = await session.rows<ConversationColumns>(
    `SELECT c.* FROM #conversation c WHERE ${where.join(" AND ")}
      ORDER BY c.updated_at DESC, c.id LIMIT ${parameters.add(Math.max(0, limit))}`,
    ...parameters.values,
  );
  return rows.map(toConversation);
}
