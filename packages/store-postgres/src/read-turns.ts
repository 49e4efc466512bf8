import type { AgentOwner, ConversationOwner, MessageLocation, TurnPlace, TurnQuery, TurnRow } from "@throughline/core";
import { agentKey, keyOf } from "./conversation-rows.ts";
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

/** Places as columns: conversations, turns and numbers, where there are any that a turn can have; else `null`. */
export function placesOf(
  places: readonly TurnPlace[],
): [conversations: string[], turns: string[], seqs: (number | null)[]] | null {
  // No turn stands under another number, and the column takes none.
  const possible = places.filter(({ seq }) => seq === undefined || (Number.isInteger(seq) && toInteger(seq) === seq));
  if (possible.length === 0) return null;
  return [
    possible.map(({ conversation }) => writeText(conversation)),
    possible.map(({ turn }) => writeText(turn)),
    possible.map(({ seq }) => seq ?? null),
  ];
}

/** Visible turns of any conversations of an agent. */
export async function findTurns(session: Session, owner: AgentOwner, places: readonly TurnPlace[]): Promise<TurnRow[]> {
  const possible = placesOf(places);
  if (possible === null) return [];
  const rows = await session.rows<TurnColumns & { conversation: string }>(
    `SELECT t.conversation, t.seq, t.body, t.counted, t.tokens, t.subject, t.hidden, t.replaced_by
      FROM unnest($3::text[], $4::text[], $5::integer[]) AS asked (conversation, id, seq)
      JOIN #turn t ON t.tenant = $1 AND t.agent = $2 AND t.conversation = asked.conversation AND t.id = asked.id
        AND (asked.seq IS NULL OR t.seq = asked.seq)
      WHERE NOT t.hidden`,
    ...agentKey(owner),
    ...possible,
  );
  const found = new Map(rows.map((row) => [JSON.stringify([row.conversation, row.seq]), row]));
  return [...found.values()].map(({ conversation, ...columns }) => toTurnRow(readText(conversation), columns));
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
