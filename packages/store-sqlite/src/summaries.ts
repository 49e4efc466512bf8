import type { ConversationOwner, SummaryCommit, SummaryRow } from "@throughline/core";
import { findConversation } from "./conversation-rows.ts";
import { blank, putText } from "./heap.ts";
import type { Session } from "./session.ts";
import { findTurn } from "./turn-rows.ts";

type Columns = [
  version: number,
  through: number,
  turns: number,
  tokens: number,
  createdAt: string,
  deletedAt: string | null,
  body: string,
];

const SELECT = `SELECT s.version, s.through, s.turns, s.tokens, s.created_at, s.deleted_at, h.data
  FROM summary s CROSS JOIN heap h ON h.ref = s.body WHERE s.conversation = ?`;

/** The version a conversation names as live. */
export function readSummary(session: Session, conversation: number, version: number): SummaryRow | null {
  if (version === 0) return null;
  const columns = session.row<Columns>(`${SELECT} AND s.version = ?`, conversation, version);
  return columns === undefined ? null : toSummary(columns);
}

/** All versions, newest first. */
export function readSummaries(
  session: Session,
  owner: ConversationOwner,
  query: { limit: number },
): (SummaryRow & { deletedAt?: string })[] {
  const conversation = findConversation(session, owner);
  if (conversation === undefined) return [];
  const sql = `${SELECT} ORDER BY s.version DESC LIMIT ?`;
  return session.rows<Columns>(sql, conversation.ref, Math.max(0, query.limit)).map((columns) => {
    const summary = toSummary(columns);
    return columns[5] === null ? summary : { ...summary, deletedAt: columns[5] };
  });
}

/** Compare-and-set of the live version. */
export function commitSummary(
  session: Session,
  owner: ConversationOwner,
  commit: SummaryCommit,
): { status: "committed"; version: number } | { status: "conflict" } {
  const conversation = findConversation(session, owner);
  if (conversation === undefined || conversation.summary !== commit.expectedVersion) return { status: "conflict" };
  const { ref } = conversation;
  if (commit.summary === null) {
    deleteSummaries(session, ref, commit.now);
    return { status: "committed", version: 0 };
  }
  const { through, throughTurn, turns, tokens, createdAt, text } = commit.summary;
  if (findTurn(session, ref, through)?.body.id !== throughTurn) return { status: "conflict" };
  const [newest = 0] = session.row<[number]>("SELECT summaries FROM conversation WHERE ref = ?", ref) ?? [];
  const version = newest + 1;
  session.run(
    "INSERT INTO summary (conversation, version, through, turns, tokens, created_at, body) VALUES (?, ?, ?, ?, ?, ?, ?)",
    ref,
    version,
    through,
    turns,
    tokens,
    createdAt,
    putText(session, JSON.stringify({ text, throughTurn })),
  );
  session.run("UPDATE conversation SET summary = ?, summaries = ? WHERE ref = ?", version, version, ref);
  return { status: "committed", version };
}

/** Takes the text of every version away: each holds much of the one before it. That they were there stays known. */
export function deleteSummaries(session: Session, conversation: number, now: string): number {
  const rows = session.rows<[version: number, body: number, data: string]>(
    `SELECT s.version, s.body, h.data FROM summary s JOIN heap h ON h.ref = s.body
      WHERE s.conversation = ? AND s.deleted_at IS NULL`,
    conversation,
  );
  if (rows.length > 0) session.needsScrub = true;
  for (const [version, body, data] of rows) {
    blank(session, body);
    const { throughTurn } = parseBody(data);
    session.run(
      "UPDATE summary SET deleted_at = ?, body = ? WHERE conversation = ? AND version = ?",
      now,
      putText(session, JSON.stringify({ text: "", throughTurn })),
      conversation,
      version,
    );
  }
  session.run("UPDATE conversation SET summary = 0 WHERE ref = ?", conversation);
  return rows.length;
}

function toSummary([version, through, turns, tokens, createdAt, , body]: Columns): SummaryRow {
  return { version, through, turns, tokens, createdAt, ...parseBody(body) };
}

function parseBody(body: string): { text: string; throughTurn: string } {
  return JSON.parse(body);
}
