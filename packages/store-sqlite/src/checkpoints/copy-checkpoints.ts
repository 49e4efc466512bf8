import type { ConversationOwner } from "@throughline/core";
import { alive } from "../eraser.ts";
import { getText, putText } from "../heap.ts";
import { checkId, obtainAgent } from "../names.ts";
import { doom, newErasure } from "../remove-doomed.ts";
import type { Session } from "../session.ts";
import { Pace, type Steps } from "../steps.ts";
import { resolveSubject } from "../subject-identities.ts";
import { ELEMENT_LIMIT, hashOf } from "./elements.ts";
import { findThread, generationOf, touchThread } from "./threads.ts";

type Target = { conversation: string; subject?: string; login?: string; now: string };

const AT_ONCE = 64;

/** Where a copy stands that isn't whole yet: no agent has this number. */
const NOWHERE = 0;

/**
 * Copies everything of a conversation's checkpoints; `null` where the other has some already. In pieces, to a place that
 * nobody finds and that is written down to be removed; it gets its name with the last piece.
 */
export function* copyCheckpoints(session: Session, owner: ConversationOwner, to: Target): Steps<number | null> {
  checkId(to.conversation);
  for (;;) {
    if (findThread(session, { ...owner, conversation: to.conversation }) !== undefined) return null;
    if (findThread(session, owner) === undefined) return 0;
    const answer: { copied?: number | null } = {};
    const attempt = newErasure();
    yield* alive(session, attempt, tryCopy(session, owner, to, attempt, answer));
    // Checkpoints were removed meanwhile: what was copied is not one moment's state.
    if (answer.copied !== undefined) return answer.copied;
  }
}

function* tryCopy(
  session: Session,
  owner: ConversationOwner,
  to: Target,
  attempt: ReturnType<typeof newErasure>,
  answer: { copied?: number | null },
): Steps<void> {
  const pace = new Pace();
  const source = findThread(session, owner);
  if (source === undefined) return;
  const sql = "INSERT INTO thread (agent, conversation, created_at, updated_at) VALUES (?, hex(randomblob(16)), ?, ?)";
  const { ref } = session.run(sql, NOWHERE, to.now, to.now);
  doom(session, attempt, "thread", ref);
  // Checkpoints first: elements are only ever added, so those that they hold are all there afterwards.
  const checkpoints = session.rows<[space: string, id: string]>(
    "SELECT space, id FROM checkpoint WHERE thread = ?",
    source.ref,
  );
  for (const [space, id] of checkpoints) {
    copyCheckpoint(session, source.ref, ref, space, id);
    if (pace.isOver) yield* pace.pause();
  }
  const streams = session.rows<[ref: number, name: string]>(
    "SELECT ref, name FROM stream WHERE thread = ?",
    source.ref,
  );
  for (const [stream, name] of streams) {
    const copy = session.run("INSERT INTO stream (thread, name, last) VALUES (?, ?, 0)", ref, name).ref;
    for (let after: number | null = 0; after !== null; ) {
      after = copyElements(session, stream, copy, after);
      if (pace.isOver) yield* pace.pause();
    }
  }
  const now = findThread(session, owner);
  const isSame = now !== undefined && generationOf(now) === generationOf(source);
  const target = { ...owner, conversation: to.conversation };
  if (!isSame || findThread(session, target) !== undefined) {
    session.run("DELETE FROM thread WHERE ref = ?", ref);
    if (isSame) answer.copied = null;
    return;
  }
  session.run(
    "UPDATE thread SET agent = ?, conversation = ? WHERE ref = ?",
    obtainAgent(session, owner),
    to.conversation,
    ref,
  );
  const subject = to.subject === undefined ? undefined : resolveSubject(session, owner, to.subject);
  const thread = { ref, edition: 0, pruning: 0, subject: null, login: null };
  touchThread(session, target, thread, { subject, login: to.login, now: to.now });
  for (const doomed of attempt.doomed) session.run("DELETE FROM doomed WHERE ref = ?", doomed);
  answer.copied = checkpoints.length;
}

function copyText(session: Session, ref: number): { ref: number; text: string } {
  const text = getText(session, ref).trimEnd();
  return { ref: putText(session, text), text };
}

function copyCheckpoint(session: Session, from: number, to: number, space: string, id: string): void {
  const [parent, at, body] =
    session.row<[parent: string | null, at: string, body: number]>(
      "SELECT parent, at, body FROM checkpoint WHERE thread = ? AND space = ? AND id = ?",
      from,
      space,
      id,
    ) ?? [];
  if (parent === undefined || at === undefined || body === undefined) return;
  session.run(
    "INSERT INTO checkpoint (thread, space, id, parent, at, body) VALUES (?, ?, ?, ?, ?, ?)",
    to,
    space,
    id,
    parent,
    at,
    copyText(session, body).ref,
  );
  for (const [task, index, path, name, text] of session.rows<
    [task: string, index: number, path: string, name: string, body: number | null]
  >(
    "SELECT task, idx, path, name, body FROM pending_write WHERE thread = ? AND space = ? AND checkpoint = ?",
    from,
    space,
    id,
  )) {
    session.run(
      "INSERT INTO pending_write (thread, space, checkpoint, task, idx, path, name, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
      to,
      space,
      id,
      task,
      index,
      path,
      name,
      text === null ? null : copyText(session, text).ref,
    );
  }
}

/** Copies some elements; the number to go on behind, or `null` at the end. */
function copyElements(session: Session, from: number, to: number, after: number): number | null {
  const rows = session.rows<[key: number, body: number]>(
    "SELECT key, body FROM element WHERE key > ? AND key < ? ORDER BY key LIMIT ?",
    from * ELEMENT_LIMIT + after,
    (from + 1) * ELEMENT_LIMIT,
    AT_ONCE,
  );
  for (const [key, body] of rows) {
    const { ref, text } = copyText(session, body);
    session.run(
      "INSERT INTO element (key, body, hash) VALUES (?, ?, ?)",
      to * ELEMENT_LIMIT + (key % ELEMENT_LIMIT),
      ref,
      hashOf(session, to, text),
    );
  }
  const last = rows.at(-1);
  if (last !== undefined) session.run("UPDATE stream SET last = ? WHERE ref = ?", last[0] % ELEMENT_LIMIT, to);
  return last === undefined || rows.length < AT_ONCE ? null : last[0] % ELEMENT_LIMIT;
}
