import type {
  AgentOwner,
  ConversationOwner,
  MessageLocation,
  TurnPlace,
  TurnQuery,
  TurnRow,
  WindowQuery,
} from "@throughline/core";
import { findConversation, type StoredConversation } from "./conversation-rows.ts";
import { findHashes, locateMessages, turnHash } from "./identities.ts";
import { findAgent } from "./names.ts";
import { placeholders, type Session } from "./session.ts";
import { Pace, type Steps } from "./steps.ts";
import { readBody } from "./turn-body.ts";
import { joinTurn, SEQ_LIMIT, TURN_COLUMNS, type TurnColumns, toTurnRow, turnKey } from "./turn-rows.ts";

const FROM = "FROM turn t CROSS JOIN heap h ON h.ref = t.body";
const NEWEST = `SELECT t.key, t.counted, t.tokens, t.subject, h.data ${FROM}
  WHERE t.key > ? AND t.key < ? AND t.hidden = 0 ORDER BY t.key DESC LIMIT ?`;
const TURNS_AT_ONCE = 10;
const IDS_AT_ONCE = 16;

/** The newest visible turns that fit, oldest first; the newest of them whatever its size. */
export function readWindow(
  session: Session,
  conversation: StoredConversation,
  foldedThrough: number,
  window: WindowQuery,
): TurnRow[] {
  const { ref, row } = conversation;
  const border = turnKey(ref, Math.min(Math.max(row.clearedThrough, foldedThrough), SEQ_LIMIT - 1));
  const kept: TurnRow[] = [];
  let before = turnKey(ref, row.lastSeq) + 1;
  let messages = 0;
  let tokens = 0;
  // Most turns hold two counted messages: one more row than fits shows where the window ends.
  let page = Math.min(Math.max(2, Math.ceil(window.maxMessages / 2) + 1), 64);
  for (;;) {
    const rows = session.rows<Newest>(NEWEST, border, before, page);
    for (const [key, counted, size, subject, body] of rows) {
      messages += counted;
      tokens += size;
      if (kept.length > 0 && (messages > window.maxMessages || tokens > window.maxTokens)) return kept.reverse();
      kept.push(joinTurn(session, row.id, readBody(body), { key, counted, tokens: size, subject }));
    }
    const last = rows.at(-1);
    if (last === undefined || rows.length < page) return kept.reverse();
    before = last[0];
    page = 64;
  }
}

type Newest = [key: number, counted: number, tokens: number, subject: number | null, body: string];

/** Turns of a conversation by place or id; in pieces where they are large. */
export function* readTurns(session: Session, owner: ConversationOwner, query: TurnQuery): Steps<TurnRow[]> {
  const conversation = findConversation(session, owner);
  return conversation === undefined ? [] : yield* readTurnsOf(session, conversation, query);
}

/** The same of a conversation that was read. */
export function* readTurnsOf(
  session: Session,
  { ref, row }: Pick<StoredConversation, "ref" | "row">,
  query: TurnQuery,
): Steps<TurnRow[]> {
  const { after = 0, before = SEQ_LIMIT, order = "oldest", limit, ids } = query;
  const pace = new Pace();
  const found: TurnRow[] = [];
  let low = turnKey(ref, Math.min(Math.max(after, 0), SEQ_LIMIT - 1));
  let high = turnKey(ref, Math.min(Math.max(before, 0), SEQ_LIMIT - 1));
  const visible = query.hidden === true ? "" : "AND t.hidden = 0";
  const direction = order === "newest" ? "DESC" : "ASC";
  const range = `SELECT ${TURN_COLUMNS} ${FROM} WHERE t.key > ? AND t.key < ? ${visible}`;
  if (ids === undefined) {
    const sql = `${range} ORDER BY t.key ${direction} LIMIT ?`;
    for (;;) {
      const size = Math.min(TURNS_AT_ONCE, limit - found.length);
      const rows = session.rows<TurnColumns>(sql, low, high, size);
      for (const columns of rows) found.push(toTurnRow(session, row.id, columns));
      const last = rows.at(-1);
      if (last === undefined || rows.length < size || found.length >= limit) return found;
      if (order === "newest") high = last[0];
      else low = last[0];
      if (pace.isOver) yield* pace.pause();
    }
  }
  const wanted = new Set(ids);
  for (let start = 0; start < ids.length; start += IDS_AT_ONCE) {
    const hashes = ids.slice(start, start + IDS_AT_ONCE).map((id) => turnHash(session, id));
    const keys = findHashes(session, ref, hashes).map(([, seq]) => turnKey(ref, seq));
    const sql = `${range} AND t.key IN (${placeholders(keys.length)})`;
    for (const columns of session.rows<TurnColumns>(sql, low, high, ...keys)) {
      found.push(toTurnRow(session, row.id, columns));
    }
    if (pace.isOver) yield* pace.pause();
  }
  found.sort((left, right) => (order === "newest" ? right.seq - left.seq : left.seq - right.seq));
  return found.filter((turn) => wanted.delete(turn.id)).slice(0, limit);
}

/** Visible turns of any conversations of an agent. */
export function* findTurns(session: Session, owner: AgentOwner, places: readonly TurnPlace[]): Steps<TurnRow[]> {
  const agent = findAgent(session, owner);
  if (agent === undefined) return [];
  const pace = new Pace();
  const refs = new Map<string, number | undefined>();
  const names = new Map<number, string>();
  const wanted = new Map<number, Set<string>>();
  for (const { conversation, turn, seq } of places) {
    if (!refs.has(conversation)) {
      const [ref] =
        session.row<[number]>("SELECT ref FROM conversation WHERE agent = ? AND id = ?", agent, conversation) ?? [];
      refs.set(conversation, ref);
      if (ref !== undefined) names.set(ref, conversation);
    }
    const ref = refs.get(conversation);
    if (ref === undefined) continue;
    const seqs = seq === undefined ? findHashes(session, ref, [turnHash(session, turn)]).map(([, at]) => at) : [seq];
    for (const at of seqs) {
      if (!Number.isInteger(at) || at < 1 || at >= SEQ_LIMIT) continue;
      const key = turnKey(ref, at);
      wanted.set(key, (wanted.get(key) ?? new Set()).add(turn));
    }
    if (pace.isOver) yield* pace.pause();
  }
  const found: TurnRow[] = [];
  const keys = [...wanted.keys()];
  for (let start = 0; start < keys.length; start += IDS_AT_ONCE) {
    const some = keys.slice(start, start + IDS_AT_ONCE);
    // One statement serves several lengths of the list.
    while (some.length % 4 !== 0) some.push(some[0] ?? 0);
    const sql = `SELECT ${TURN_COLUMNS} ${FROM} WHERE t.key IN (${placeholders(some.length)}) AND t.hidden = 0`;
    for (const columns of session.rows<TurnColumns>(sql, ...some)) {
      const [key] = columns;
      const row = toTurnRow(session, names.get(Math.floor(key / SEQ_LIMIT)) ?? "", columns);
      if (wanted.get(key)?.has(row.id)) found.push(row);
    }
    if (pace.isOver) yield* pace.pause();
  }
  return found;
}

/** Which of these message ids visible turns hold. */
export function findMessages(session: Session, owner: ConversationOwner, ids: readonly string[]): MessageLocation[] {
  const conversation = findConversation(session, owner);
  return conversation === undefined ? [] : locateMessages(session, conversation.ref, ids);
}
