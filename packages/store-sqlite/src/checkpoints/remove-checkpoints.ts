import type { ConversationOwner } from "@throughline/core";
import { alive } from "../eraser.ts";
import { blankAll } from "../heap.ts";
import { doom, type Erasure, newErasure, removeDoomed } from "../remove-doomed.ts";
import type { Session } from "../session.ts";
import { Pace, type Steps } from "../steps.ts";
import { readHead } from "./checkpoint-text.ts";
import { dropLoose, ELEMENT_LIMIT } from "./elements.ts";
import { findThread } from "./threads.ts";

/** Rows removed before it is looked at how long it took. */
const AT_ONCE = 64;

/** Makes the checkpoints of a conversation unreachable; what is written down is removed later. */
export function condemnThread(session: Session, erasure: Erasure, thread: number): void {
  session.run("DELETE FROM thread WHERE ref = ?", thread);
  session.run("DELETE FROM thread_subject WHERE thread = ?", thread);
  doom(session, erasure, "thread", thread);
}

const bodyOf = (row: readonly (string | number | null)[]): number | null => {
  const body = row.at(-1);
  return typeof body === "number" ? body : null;
};

/** Removes all checkpoints of a conversation. How many. */
export function* removeThread(session: Session, owner: ConversationOwner): Steps<number> {
  const thread = findThread(session, owner);
  if (thread === undefined) return 0;
  const erasure = newErasure();
  session.needsScrub = true;
  yield* alive(session, erasure, removeAll(thread.ref));
  return erasure.removed.checkpoints;

  function* removeAll(ref: number): Steps<void> {
    condemnThread(session, erasure, ref);
    yield;
    yield* removeDoomed(session, erasure);
  }
}

/**
 * Removes some checkpoints with their writes, and then the elements that no other holds. Between the pieces others may write:
 * from the moment that the held ones are counted, ranges read before are of an earlier edition, and texts that are said again
 * are kept anew, so that nothing that is about to go is held by something new.
 */
export function* removeCheckpoints(
  session: Session,
  owner: ConversationOwner,
  checkpoints: readonly { space: string; id: string }[],
): Steps<number> {
  const pace = new Pace();
  const thread = findThread(session, owner);
  if (thread === undefined) return 0;
  let removed = 0;
  for (const { space, id } of checkpoints) {
    if (removeOne(session, thread.ref, space, id)) removed += 1;
    if (pace.isOver) yield* pace.pause();
  }
  if (removed === 0) return 0;
  const edition = findThread(session, owner)?.edition;
  if (edition === undefined) return removed;
  const mine = edition + 1;
  session.run("UPDATE thread SET edition = ?, pruning = ? WHERE ref = ?", mine, mine, thread.ref);
  yield* dropUnheld(session, owner, thread.ref, mine);
  session.run("UPDATE thread SET pruning = 0 WHERE ref = ? AND pruning = ?", thread.ref, mine);
  return removed;
}

function removeOne(session: Session, thread: number, space: string, id: string): boolean {
  const where = "thread = ? AND space = ? AND checkpoint = ?";
  const writes = session.rows<[number | null]>(`SELECT body FROM pending_write WHERE ${where}`, thread, space, id);
  blankAll(session, writes.map(bodyOf));
  if (writes.length > 0) session.run(`DELETE FROM pending_write WHERE ${where}`, thread, space, id);
  const [body] =
    session.row<[number]>("SELECT body FROM checkpoint WHERE thread = ? AND space = ? AND id = ?", thread, space, id) ??
    [];
  session.needsScrub = true;
  if (body === undefined) return false;
  blankAll(session, [body]);
  session.run("DELETE FROM checkpoint WHERE thread = ? AND space = ? AND id = ?", thread, space, id);
  return true;
}

/** Ends early where another removal began, or the thread is gone: that one counts anew. */
function* dropUnheld(session: Session, owner: ConversationOwner, thread: number, edition: number): Steps<void> {
  const isMine = () => {
    const now = findThread(session, owner);
    return now?.ref === thread && now.edition === edition;
  };
  const streams = session.rows<[ref: number, name: string, last: number]>(
    "SELECT ref, name, last FROM stream WHERE thread = ?",
    thread,
  );
  const held = new Map<string, Set<number>>();
  for (let after: [space: string, id: string] = ["", ""]; ; ) {
    const rows = session.rows<[space: string, id: string, text: string]>(
      `SELECT c.space, c.id, h.data FROM checkpoint c CROSS JOIN heap h ON h.ref = c.body
        WHERE c.thread = ? AND (c.space, c.id) > (?, ?) ORDER BY c.space, c.id LIMIT ?`,
      thread,
      ...after,
      AT_ONCE,
    );
    for (const [, , text] of rows) hold(held, text);
    const last = rows.at(-1);
    if (last === undefined) break;
    after = [last[0], last[1]];
    yield;
    if (!isMine()) return;
  }
  for (const [ref, name, last] of streams) {
    const numbers = held.get(name);
    const isHeld = (number: number) => number > last || numbers?.has(number) === true;
    for (let after: number | null = 0; after !== null; ) {
      session.needsScrub = true;
      after = dropLoose(session, ref, isHeld, { after, limit: AT_ONCE });
      if (after !== null && after >= last) break;
      yield;
      if (!isMine()) return;
    }
  }
}

function hold(held: Map<string, Set<number>>, text: string): void {
  for (const { name, value } of readHead(text).values) {
    if (typeof value === "string") continue;
    const numbers = held.get(name) ?? new Set();
    held.set(name, numbers);
    for (const [first, count] of value) {
      for (let number = first; number < Math.min(first + count, ELEMENT_LIMIT); number++) numbers.add(number);
    }
  }
}
