import type { ConversationOwner, TurnChange } from "@throughline/core";
import { findConversation, type StoredConversation } from "./conversation-rows.ts";
import { blank, putText } from "./heap.ts";
import { deleteHashes, findTurnById, insertHashes, messageHashes, turnHash } from "./identities.ts";
import {
  bringDocuments,
  doomDocuments,
  hideDocuments,
  moveDocuments,
  showDocuments,
} from "./keyword/mark-documents.ts";
import { obtainConversationBucket, obtainSubject } from "./names.ts";
import type { Session } from "./session.ts";
import { writeBody } from "./turn-body.ts";
import type { StoredTurn } from "./turn-rows.ts";
import { hideVectors, keepVectorsOfWords, moveVectors, removeVectorsOfTurns } from "./vectors/turn-vectors.ts";

/** How the conversation's counts change with its turns. */
interface Counts {
  turns: number;
  messages: number;
}

/** Applies all changes, and marks what the keyword index has to follow; how many turns were there to change. */
export function changeTurns(
  session: Session,
  owner: ConversationOwner,
  changes: readonly TurnChange[],
  now: string | undefined,
): number {
  const conversation = findConversation(session, owner);
  if (conversation === undefined) return 0;
  const counts: Counts = { turns: 0, messages: 0 };
  const changed = new Set<string>();
  for (const change of changes) {
    const turn = findTurnById(session, conversation.ref, change.turn);
    if (turn === undefined || !isStill(turn, change)) continue;
    changed.add(change.turn);
    applyChange(session, conversation, turn, change, counts);
  }
  if (changed.size === 0) return 0;
  const { row, ref } = conversation;
  session.run(
    "UPDATE conversation SET turns = ?, messages = ?, updated_at = ? WHERE ref = ?",
    row.turns + counts.turns,
    row.messages + counts.messages,
    now ?? row.updatedAt,
    ref,
  );
  return changed.size;
}

/** True where the turn is as it was read for the change. */
function isStill({ seq, body }: StoredTurn, change: TurnChange): boolean {
  const still = "ifStill" in change ? change.ifStill : undefined;
  if (still === undefined) return true;
  const ids = body.messages.map((message) => message.id);
  return seq === still.seq && JSON.stringify(ids) === JSON.stringify(still.messages);
}

function applyChange(
  session: Session,
  conversation: StoredConversation,
  turn: StoredTurn,
  change: TurnChange,
  counts: Counts,
): void {
  const { ref } = conversation;
  switch (change.action) {
    case "hide":
      if (turn.hidden) return;
      session.run("UPDATE turn SET hidden = 1 WHERE key = ?", turn.key);
      deleteHashes(session, ref, turn.seq, messageHashes(session, turn));
      hideDocuments(session, ref, turn.seq);
      hideVectors(session, ref, turn.seq, true);
      count(counts, turn, -1);
      return;
    case "show":
      if (turn.replacedBy !== null) blank(session, turn.replacedBy);
      session.run("UPDATE turn SET hidden = 0, replaced_by = NULL WHERE key = ?", turn.key);
      if (!turn.hidden) return;
      insertHashes(session, ref, turn.seq, messageHashes(session, turn));
      showDocuments(session, ref, turn.seq);
      hideVectors(session, ref, turn.seq, false);
      count(counts, turn, 1);
      return;
    case "rewrite":
      rewrite(session, conversation, turn, change, counts);
      return;
    case "restamp":
      restamp(session, conversation, turn, change.subject);
      return;
    case "erase":
      eraseTurn(session, ref, turn);
      if (!turn.hidden) count(counts, turn, -1);
  }
}

function rewrite(
  session: Session,
  { ref: conversation, agent, row }: StoredConversation,
  turn: StoredTurn,
  change: Extract<TurnChange, { action: "rewrite" }>,
  counts: Counts,
): void {
  session.needsScrub = true;
  doomDocuments(session, conversation, turn.seq);
  if (turn.seq <= (row.watermarks.index ?? 0)) {
    const bucket = turn.subject ?? obtainConversationBucket(session, agent, conversation);
    bringDocuments(session, { conversation, bucket, isHidden: turn.hidden }, change.documents ?? []);
  }
  keepVectorsOfWords(session, { conversation, seq: turn.seq }, turn.body.messages, change.messages);
  const body = { ...turn.body, messages: change.messages };
  const text = writeBody(body);
  blank(session, turn.bodyRef);
  session.run(
    "UPDATE turn SET body = ?, counted = ?, tokens = ? WHERE key = ?",
    putText(session, text),
    change.counted,
    change.tokens,
    turn.key,
  );
  if (turn.hidden) return;
  deleteHashes(session, conversation, turn.seq, messageHashes(session, turn));
  insertHashes(session, conversation, turn.seq, messageHashes(session, { body }));
  counts.messages += change.counted - turn.counted;
}

function restamp(session: Session, conversation: StoredConversation, turn: StoredTurn, subject: string): void {
  const bucket = obtainSubject(session, conversation.agent, subject);
  if (bucket === turn.subject) return;
  session.run("UPDATE turn SET subject = ? WHERE key = ?", bucket, turn.key);
  if (bucket !== conversation.subject) noteSubject(session, conversation.ref, bucket);
  moveDocuments(session, conversation.ref, turn.seq, bucket);
  moveVectors(session, conversation.ref, turn.seq, bucket);
}

/** Remembers that a conversation holds turns of a subject it isn't bound to: erasing that subject must find them. */
export function noteSubject(session: Session, conversation: number, subject: number): void {
  session.run("INSERT OR IGNORE INTO former_subject (subject, conversation) VALUES (?, ?)", subject, conversation);
}

/**
 * Removes a turn with its bytes and ids, and marks its index entries; how many vectors went. The conversation's counts are
 * the caller's.
 */
export function eraseTurn(session: Session, conversation: number, turn: StoredTurn): number {
  session.needsScrub = true;
  doomDocuments(session, conversation, turn.seq);
  const vectors = removeVectorsOfTurns(session, conversation, [turn.seq]);
  deleteHashes(session, conversation, turn.seq, [turnHash(session, turn.body.id), ...messageHashes(session, turn)]);
  blank(session, turn.bodyRef);
  if (turn.replacedBy !== null) blank(session, turn.replacedBy);
  session.run("DELETE FROM turn WHERE key = ?", turn.key);
  return vectors;
}

function count(counts: Counts, turn: StoredTurn, by: 1 | -1): void {
  counts.turns += by;
  counts.messages += by * turn.counted;
}
