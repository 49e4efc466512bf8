import type { MessageLocation } from "@throughline/core";
import { hashText } from "./hash.ts";
import { placeholders, type Session } from "./session.ts";
import { findTurn, messageIds, type StoredTurn } from "./turn-rows.ts";

const MOST_AT_ONCE = 64;

/** A turn's id as `identity` keeps it. */
export function turnHash(session: Session, id: string): number {
  return hashText(`t${id}`, session.secret);
}

/** A message's id as `identity` keeps it. */
export function messageHash(session: Session, id: string): number {
  return hashText(`m${id}`, session.secret);
}

/** Where these hashes stand. */
export function findHashes(
  session: Session,
  conversation: number,
  hashes: readonly number[],
): [hash: number, seq: number][] {
  if (hashes.length <= MOST_AT_ONCE) {
    return session.rows<[number, number]>(
      `SELECT hash, seq FROM identity WHERE conversation = ? AND hash IN (${placeholders(hashes.length)}) ORDER BY hash, seq`,
      conversation,
      ...hashes,
    );
  }
  return [
    ...findHashes(session, conversation, hashes.slice(0, MOST_AT_ONCE)),
    ...findHashes(session, conversation, hashes.slice(MOST_AT_ONCE)),
  ];
}

/** Files hashes under a turn. */
export function insertHashes(session: Session, conversation: number, seq: number, hashes: readonly number[]): void {
  if (hashes.length === 0) return;
  const now = hashes.slice(0, MOST_AT_ONCE);
  const values = VALUES[now.length] ?? "";
  const parameters: number[] = [];
  for (const hash of now) parameters.push(conversation, hash, seq);
  session.run(`INSERT OR IGNORE INTO identity (conversation, hash, seq) VALUES ${values}`, ...parameters);
  insertHashes(session, conversation, seq, hashes.slice(MOST_AT_ONCE));
}

/** Takes hashes of a turn away. */
export function deleteHashes(session: Session, conversation: number, seq: number, hashes: readonly number[]): void {
  for (const hash of hashes) {
    session.run("DELETE FROM identity WHERE conversation = ? AND hash = ? AND seq = ?", conversation, hash, seq);
  }
}

/** The turn of an id; a hash that only looks like it is passed over. */
export function findTurnById(session: Session, conversation: number, id: string): StoredTurn | undefined {
  for (const [, seq] of findHashes(session, conversation, [turnHash(session, id)])) {
    const turn = findTurn(session, conversation, seq);
    if (turn?.body.id === id) return turn;
  }
  return undefined;
}

/**
 * Where visible turns hold these message ids, in the order of the ids, then of the turns. Turns in `without` don't count.
 */
export function locateMessages(
  session: Session,
  conversation: number,
  ids: readonly string[],
  without: ReadonlySet<number> = new Set(),
): MessageLocation[] {
  const hashes = new Map(ids.map((id) => [messageHash(session, id), id]));
  const found = new Map<string, MessageLocation[]>();
  const turns = new Map<number, StoredTurn | undefined>();
  for (const [hash, seq] of findHashes(session, conversation, [...hashes.keys()])) {
    if (without.has(seq)) continue;
    if (!turns.has(seq)) turns.set(seq, findTurn(session, conversation, seq));
    const turn = turns.get(seq);
    const id = hashes.get(hash);
    if (turn === undefined || turn.hidden || id === undefined) continue;
    if (!turn.body.messages.some((message) => message.id === id)) continue;
    const places = found.get(id) ?? [];
    places.push({ id, turn: turn.body.id, seq });
    found.set(id, places);
  }
  return [...new Set(ids)].flatMap((id) => found.get(id) ?? []);
}

/** The hashes of a turn's messages: there while the turn is visible. */
export function messageHashes(session: Session, turn: Pick<StoredTurn, "body">): number[] {
  return messageIds(turn.body.messages).map((id) => messageHash(session, id));
}

const VALUES: readonly string[] = Array.from({ length: MOST_AT_ONCE + 1 }, (_, count) =>
  Array.from({ length: count }, () => "(?,?,?)").join(","),
);
