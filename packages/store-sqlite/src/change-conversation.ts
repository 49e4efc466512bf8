import type { ConversationChange, ConversationOwner, ConversationRow } from "@throughline/core";
import { noteSubject } from "./change-turns.ts";
import { findConversation, insertConversation, type StoredConversation } from "./conversation-rows.ts";
import { erasedAt } from "./erasure-marks.ts";
import { blank, putText } from "./heap.ts";
import { obtainSubject } from "./names.ts";
import type { Session } from "./session.ts";

type Changed = { status: "changed"; conversation: ConversationRow } | { status: "conflict" } | { status: "missing" };

/** Changes what a conversation says of itself. */
export function changeConversation(session: Session, owner: ConversationOwner, change: ConversationChange): Changed {
  const stored = findConversation(session, owner);
  if (stored === undefined && change.create !== true) return { status: "missing" };
  if (change.ifVersion !== undefined && change.ifVersion !== (stored?.row.version ?? 0)) return { status: "conflict" };
  const conversation = stored ?? create(session, owner, change.now);
  const row = changedRow(conversation.row, change);
  if (stored !== undefined) row.version += 1;

  session.run(
    "UPDATE conversation SET updated_at = ?, version = ?, extra = ?, cleared_through = ? WHERE ref = ?",
    row.updatedAt,
    row.version,
    writeExtra(session, conversation, row),
    row.clearedThrough,
    conversation.ref,
  );
  if (change.subject !== undefined) bind(session, owner, conversation, change.subject);
  return { status: "changed", conversation: row };
}

function create(session: Session, owner: ConversationOwner, now: string): StoredConversation {
  const { tenant, agent, conversation } = owner;
  return insertConversation(session, owner, now, erasedAt(session, [[tenant, agent, "conversation", conversation]]));
}

function changedRow(before: ConversationRow, change: ConversationChange): ConversationRow {
  const row = { ...before, updatedAt: change.now };
  const { title, metadata, subject, clearedThrough } = change;
  if (title === null) delete row.title;
  else if (title !== undefined) row.title = title;
  if (metadata === null) delete row.metadata;
  else if (metadata !== undefined) row.metadata = metadata;
  if (subject !== undefined) row.subject = subject;
  if (clearedThrough !== undefined) row.clearedThrough = clearedThrough;
  return row;
}

/** Title and metadata are texts of their own in the heap; the number under which they stand. */
function writeExtra(session: Session, { extra, row: before }: StoredConversation, row: ConversationRow): number | null {
  const { title, metadata } = row;
  if (title === before.title && metadata === before.metadata) return extra;
  if (extra !== null) {
    blank(session, extra);
    session.needsScrub = true;
  }
  if (title === undefined && metadata === undefined) return null;
  return putText(session, JSON.stringify({ title, metadata }));
}

/** Turns written before keep the subject they were written under. */
function bind(session: Session, owner: ConversationOwner, conversation: StoredConversation, subject: string): void {
  const { tenant, agent } = owner;
  const bucket = obtainSubject(session, conversation.agent, subject);
  if (conversation.subject === bucket) return;
  if (conversation.subject !== null) noteSubject(session, conversation.ref, conversation.subject);
  // What was erased of whom it was bound to before is nothing to it any more.
  const refuseThrough = erasedAt(session, [
    [tenant, agent, "conversation", owner.conversation],
    [tenant, agent, "subject", subject],
  ]);
  session.run(
    "UPDATE conversation SET subject = ?, refuse_through = ? WHERE ref = ?",
    bucket,
    refuseThrough,
    conversation.ref,
  );
}
