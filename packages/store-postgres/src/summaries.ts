import type { ConversationOwner, SummaryCommit, SummaryRow } from "@throughline/core";
import { keyOf, lockConversation } from "./conversation-rows.ts";
import type { Session } from "./session.ts";
import { readText, toInteger, writeText } from "./text.ts";

/** A summary's row. */
export interface SummaryColumns {
  version: number;
  body: string;
  through: number;
  through_turn: string;
  turns: number;
  tokens: number;
  created_at: string;
  deleted_at: string | null;
}

const OF_CONVERSATION = "tenant = $1 AND agent = $2 AND conversation = $3";

/** A summary as the contract knows it. */
export function toSummary(columns: SummaryColumns): SummaryRow {
  return {
    text: readText(columns.body),
    through: columns.through,
    throughTurn: readText(columns.through_turn),
    turns: columns.turns,
    tokens: columns.tokens,
    createdAt: columns.created_at,
    version: columns.version,
  };
}

/** All versions, newest first. */
export async function readSummaries(
  session: Session,
  owner: ConversationOwner,
  query: { limit: number },
): Promise<(SummaryRow & { deletedAt?: string })[]> {
  const rows = await session.rows<SummaryColumns>(
    `SELECT * FROM #summary WHERE ${OF_CONVERSATION} ORDER BY version DESC LIMIT $4`,
    ...keyOf(owner),
    Math.max(0, toInteger(query.limit)),
  );
  return rows.map((columns) => {
    const summary = toSummary(columns);
    return columns.deleted_at === null ? summary : { ...summary, deletedAt: columns.deleted_at };
  });
}

/** Compare-and-set of the live version. */
export async function commitSummary(
  session: Session,
  owner: ConversationOwner,
  commit: SummaryCommit,
): Promise<{ status: "committed"; version: number } | { status: "conflict" }> {
  const conversation = await lockConversation(session, owner);
  if (conversation === undefined || conversation.summary !== commit.expectedVersion) return { status: "conflict" };
  const key = keyOf(owner);
  if (commit.summary === null) {
    // The text of every version goes: each holds much of the one before it. That they were there stays known.
    await session.run(
      `UPDATE #summary SET body = '', deleted_at = $4 WHERE ${OF_CONVERSATION} AND deleted_at IS NULL`,
      ...key,
      commit.now,
    );
    await session.run("UPDATE #conversation SET summary = 0 WHERE tenant = $1 AND agent = $2 AND id = $3", ...key);
    return { status: "committed", version: 0 };
  }
  const { through, throughTurn, turns, tokens, createdAt, text } = commit.summary;
  const folded = await session.row(
    `SELECT 1 FROM #turn WHERE ${OF_CONVERSATION} AND seq = $4 AND id = $5`,
    ...key,
    toInteger(through),
    writeText(throughTurn),
  );
  if (folded === undefined) return { status: "conflict" };
  const version = conversation.summaries + 1;
  await session.run(
    `INSERT INTO #summary (tenant, agent, conversation, version, body, through, through_turn, turns, tokens, created_at)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`,
    ...key,
    version,
    writeText(text),
    through,
    writeText(throughTurn),
    turns,
    tokens,
    createdAt,
  );
  await session.run(
    "UPDATE #conversation SET summary = $4, summaries = $4 WHERE tenant = $1 AND agent = $2 AND id = $3",
    ...key,
    version,
  );
  return { status: "committed", version };
}
