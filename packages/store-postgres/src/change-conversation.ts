import type { ConversationChange, ConversationOwner, ConversationRow } from "@throughline/core";
import { noteSubject } from "./change-turns.ts";
import { type ConversationColumns, keyOf, lockConversation, toConversation } from "./conversation-rows.ts";
import { type ErasureMark, lockErasures } from "./erasure-marks.ts";
import { checkOwner, obtainConversation } from "./obtain-conversation.ts";
import type { Session } from "./session.ts";
import { checkId, toInteger, writeJson, writeText } from "./text.ts";

type Changed = { status: "changed"; conversation: ConversationRow } | { status: "conflict" } | { status: "missing" };

/** Changes what a conversation says of itself. */
export async function changeConversation(
  session: Session,
  owner: ConversationOwner,
  change: ConversationChange,
): Promise<Changed> {
  const locked = await lockConversation(session, owner);
  if (locked === undefined && change.create !== true) return { status: "missing" };
  const expected = change.ifVersion;
  if (expected !== undefined && expected !== (locked?.version ?? 0)) return { status: "conflict" };
  checkOwner(owner);
  const { conversation, isNew } =
    locked === undefined
      ? await obtainConversation(session, owner, change.now)
      : { conversation: locked, isNew: false };
  // Made by another one while this one waited to make it.
  if (locked === undefined && !isNew && expected !== undefined) return { status: "conflict" };

  const key = keyOf(owner);
  const { title, metadata } = { ...toConversation(conversation), ...change };
  const extra = {
    ...(title === null || title === undefined ? {} : { title }),
    ...(metadata === null || metadata === undefined ? {} : { metadata }),
  };
  const subject = change.subject === undefined ? conversation.subject : writeText(change.subject);
  if (change.subject !== undefined) checkId(change.subject);
  if (conversation.subject !== null && conversation.subject !== subject) {
    // Turns written before keep the subject they were written under.
    await noteSubject(session, key, conversation.subject);
  }
  const binds = subject !== null && subject !== conversation.subject;
  const marks: ErasureMark[] = [{ agent: key[1], kind: "conversation", id: key[2] }];
  if (binds) marks.push({ agent: key[1], kind: "subject", id: subject });
  // What was erased of whom it was bound to before is nothing to it any more.
  const refuse = isNew || binds ? await lockErasures(session, key[0], marks) : conversation.refuse_through;
  const [row] = await session.rows<ConversationColumns>(
    `UPDATE #conversation SET updated_at = $4, version = $5, extra = $6, cleared_through = $7, subject = $8,
      refuse_through = $9 WHERE tenant = $1 AND agent = $2 AND id = $3 RETURNING *`,
    ...key,
    change.now,
    isNew ? 1 : conversation.version + 1,
    Object.keys(extra).length === 0 ? null : writeJson(extra, "A title or metadata"),
    toInteger(change.clearedThrough ?? conversation.cleared_through),
    subject,
    refuse,
  );
  if (row === undefined) throw new Error("A conversation that is locked is there.");
  return { status: "changed", conversation: toConversation(row) };
}
