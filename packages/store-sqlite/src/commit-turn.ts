import type { ConversationOwner, ConversationRow, TurnCommit, TurnWrite } from "@throughline/core";
import { findConversation, insertConversation, type StoredConversation } from "./conversation-rows.ts";
import { type ErasureMark, erasedAt } from "./erasure-marks.ts";
import { blank, putText } from "./heap.ts";
import {
  deleteHashes,
  findHashes,
  findTurnById,
  insertHashes,
  locateMessages,
  messageHash,
  messageHashes,
  turnHash,
} from "./identities.ts";
import { doomDocuments, hideDocuments } from "./keyword/mark-documents.ts";
import { obtainSubject } from "./names.ts";
import { placeholders, type Session } from "./session.ts";
import { resolveSubject } from "./subject-identities.ts";
import { writeBody } from "./turn-body.ts";
import { messageIds, type StoredTurn, TURN_COLUMNS, type TurnColumns, toTurnRow, turnKey } from "./turn-rows.ts";
import { hideVectors, removeVectorsOfTurns } from "./vectors/turn-vectors.ts";

/** What else happens to the conversation as a turn is written. */
interface Effects {
  turns: number;
  messages: number;
}

/** Writes a turn with the next sequence number of its conversation, or says why not. */
export function commitTurn(session: Session, owner: ConversationOwner, given: TurnWrite): TurnCommit {
  const { turn, previousSeq, hides } = given;
  const write =
    given.subject === undefined ? given : { ...given, subject: resolveSubject(session, owner, given.subject) };
  const stored = findConversation(session, owner);
  const bound = stored?.row.subject;
  const refuseThrough = stored?.refuseThrough ?? null;
  // What was erased under this name, or under the subject's: known to the row, except where this write brings a name in.
  const isBinding = stored === undefined || (bound === undefined && write.subject !== undefined);
  const latest = isBinding ? later(refuseThrough, erasedAt(session, marksOf(owner, write.subject))) : refuseThrough;
  if (latest !== null && latest >= turn.startedAt) return { status: "erased" };
  if (bound !== undefined && write.subject !== undefined && write.subject !== bound)
    return { status: "owner-mismatch" };

  const ids = messageIds(turn.messages);
  const hashes = [turnHash(session, turn.id)];
  for (const id of ids) hashes.push(messageHash(session, id));
  if (stored === undefined) {
    if (previousSeq !== undefined) return { status: "erased" };
    const conversation = insertConversation(session, owner, write.now, latest);
    return insert(session, conversation, write, hashes, { turns: 0, messages: 0 });
  }
  // The ordinary turn: nothing of it is known, nothing of the past changes.
  if (previousSeq === undefined && !hides?.length && findHashes(session, stored.ref, hashes).length === 0) {
    return insert(session, { ...stored, refuseThrough: latest }, write, hashes, { turns: 0, messages: 0 });
  }

  const own = findTurnById(session, stored.ref, turn.id);
  if (own !== undefined && own.seq !== previousSeq) {
    return { status: "exists", turn: readTurn(session, owner.conversation, own) };
  }
  if (own === undefined && previousSeq !== undefined) return { status: "erased" };
  const hidden = (hides ?? []).flatMap((id) => findTurnById(session, stored.ref, id) ?? []);
  const without = new Set([...hidden, ...(own === undefined ? [] : [own])].map(({ seq }) => seq));
  const known = locateMessages(session, stored.ref, ids, without);
  if (known.length > 0) return { status: "known", messages: known };

  const effects: Effects = { turns: 0, messages: 0 };
  for (const other of hidden) if (other !== own) hide(session, stored.ref, other, turn.id, effects);
  if (own !== undefined) removeOwn(session, stored.ref, own, effects);
  return insert(session, { ...stored, refuseThrough: latest }, write, hashes, effects);
}

function marksOf({ tenant, agent, conversation }: ConversationOwner, subject: string | undefined): ErasureMark[] {
  const marks: ErasureMark[] = [[tenant, agent, "conversation", conversation]];
  if (subject !== undefined) marks.push([tenant, agent, "subject", subject]);
  return marks;
}

function later(left: string | null, right: string | null): string | null {
  if (left === null || right === null) return left ?? right;
  return left > right ? left : right;
}

function insert(
  session: Session,
  conversation: StoredConversation,
  write: TurnWrite,
  hashes: readonly number[],
  effects: Effects,
): TurnCommit {
  const { turn, now, login } = write;
  const { ref, agent } = conversation;
  const seq = conversation.row.lastSeq + 1;
  const subject =
    conversation.subject ?? (write.subject === undefined ? null : obtainSubject(session, agent, write.subject));
  const body = putText(session, writeBody(turn));
  session.run(
    "INSERT INTO turn (key, body, counted, tokens, subject, hidden) VALUES (?, ?, ?, ?, ?, 0)",
    turnKey(ref, seq),
    body,
    turn.counted,
    turn.tokens,
    subject,
  );
  insertHashes(session, ref, seq, hashes);

  const row: ConversationRow = { ...conversation.row, updatedAt: now, lastSeq: seq };
  row.turns += effects.turns + 1;
  row.messages += effects.messages + turn.counted;
  if (login !== undefined) row.login = login;
  if (write.subject !== undefined && conversation.subject === null) row.subject = write.subject;
  session.run(
    `UPDATE conversation SET updated_at = ?, last_seq = ?, turns = ?, messages = ?, subject = ?, login = ?,
      refuse_through = ? WHERE ref = ?`,
    now,
    seq,
    row.turns,
    row.messages,
    subject,
    row.login ?? null,
    conversation.refuseThrough,
    ref,
  );
  return { status: "stored", seq, conversation: row };
}

/** Hides a turn in favour of another. */
function hide(session: Session, conversation: number, turn: StoredTurn, by: string, effects: Effects): void {
  if (turn.replacedBy !== null) blank(session, turn.replacedBy);
  session.run(
    "UPDATE turn SET hidden = 1, replaced_by = ? WHERE key = ?",
    putText(session, JSON.stringify(by)),
    turn.key,
  );
  if (turn.hidden) return;
  deleteHashes(session, conversation, turn.seq, messageHashes(session, turn));
  hideDocuments(session, conversation, turn.seq);
  hideVectors(session, conversation, turn.seq, true);
  effects.turns -= 1;
  effects.messages -= turn.counted;
}

/** Removes the earlier state of the turn that is being written. */
function removeOwn(session: Session, conversation: number, own: StoredTurn, effects: Effects): void {
  doomDocuments(session, conversation, own.seq);
  removeVectorsOfTurns(session, conversation, [own.seq]);
  deleteHashes(session, conversation, own.seq, [turnHash(session, own.body.id), ...messageHashes(session, own)]);
  blank(session, own.bodyRef);
  if (own.replacedBy !== null) blank(session, own.replacedBy);
  session.run("DELETE FROM turn WHERE key = ?", own.key);
  if (own.hidden) return;
  effects.turns -= 1;
  effects.messages -= own.counted;
}

function readTurn(session: Session, conversation: string, { key }: StoredTurn) {
  const sql = `SELECT ${TURN_COLUMNS} FROM turn t JOIN heap h ON h.ref = t.body WHERE t.key IN (${placeholders(1)})`;
  const [columns] = session.rows<TurnColumns>(sql, key);
  if (columns === undefined) throw new Error("A turn that was just found is there.");
  return toTurnRow(session, conversation, columns);
}
