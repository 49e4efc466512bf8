import type { ConversationOwner, MessageLocation, TurnQuery, TurnRow } from "@throughline/core";
import { keyOf } from "./conversation-rows.ts";
import { Parameters, type Session } from "./session.ts";
import { readText, toInteger, writeText } from "./text.ts";
import { TURN_COLUMNS, type TurnColumns, toTurnRow } from "./turn-rows.ts";

/** Turns of a conversation by place or id. */
export async function readTurns(session: Session, owner: ConversationOwner, query: TurnQuery): Promise<TurnRow[]> {
  const { ids, after, before, order = "oldest", limit, hidden } = query;
  const parameters = new Parameters();
  const [tenant, agent, conversation] = keyOf(owner).map((name) => parameters.add(name));
  const where = [`tenant = ${tenant} AND agent = ${agent} AND conversation = ${conversation}`];
  if (after !== undefined) where.push(`seq > ${parameters.add(toInteger(after))}`);
  if (before !== undefined) where.push(`seq < ${parameters.add(toInteger(before))}`);
  if (hidden !== true) where.push("NOT hidden");
  if (ids !== undefined) where.push(`id = ANY (${parameters.add(ids.map(writeText))})`);
  const rows = await session.rows<TurnColumns>(
    `SELECT ${TURN_COLUMNS} FROM #turn WHERE ${where.join(" AND ")}
      ORDER BY seq ${order === "newest" ? "DESC" : "ASC"} LIMIT ${parameters.add(Math.max(0, toInteger(limit)))}`,
    ...parameters.values,
  );
  return rows.map((columns) => toTurnRow(owner.conversation, columns));
}

/** Where visible turns hold these message ids, in the order of the ids, then of the turns. Some turns don't count. */
export async function locateMessages(
  session: Session,
  owner: ConversationOwner,
  ids: readonly string[],
  without: readonly number[] = [],
): Promise<MessageLocation[]> {
  const distinct = [...new Set(ids)];
  const rows = await session.rows<{ id: string; seq: number; turn: string }>(
    `SELECT m.id, m.seq, t.id AS turn FROM #message m JOIN #turn t ON t.tenant = m.tenant AND t.agent = m.agent
      AND t.conversation = m.conversation AND t.seq = m.seq
      WHERE m.tenant = $1 AND m.agent = $2 AND m.conversation = $3 AND m.id = ANY ($4) AND NOT m.seq = ANY ($5::integer[])
      ORDER BY m.seq`,
    ...keyOf(owner),
    distinct.map(writeText),
    without,
  );
  const found = new Map<string, MessageLocation[]>();
  for (const { id, seq, turn } of rows) {
    const name = readText(id);
    const places = found.get(name) ?? [];
    places.push({ id: name, turn: readText(turn), seq });
    found.set(name, places);
  }
  return distinct.flatMap((id) => found.get(id) ?? []);
}
