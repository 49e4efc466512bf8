import { blankAll } from "../heap.ts";
import type { Session } from "../session.ts";
import { dropLoose } from "./elements.ts";

/** Rows removed before it is looked at how long it took. */
const AT_ONCE = 64;

/** Removes some rows of a condemned thread; true where none is left. */
export function removeThreadRows(session: Session, thread: number, removed: { checkpoints: number }): boolean {
  const writes = session.rows<[space: string, checkpoint: string, task: string, index: number, body: number]>(
    "SELECT space, checkpoint, task, idx, body FROM pending_write WHERE thread = ? LIMIT ?",
    thread,
    AT_ONCE,
  );
  blankAll(session, writes.map(bodyOf));
  for (const [space, checkpoint, task, index] of writes) {
    session.run(
      "DELETE FROM pending_write WHERE thread = ? AND space = ? AND checkpoint = ? AND task = ? AND idx = ?",
      thread,
      space,
      checkpoint,
      task,
      index,
    );
  }
  if (writes.length === AT_ONCE) return false;
  const checkpoints = session.rows<[space: string, id: string, body: number]>(
    "SELECT space, id, body FROM checkpoint WHERE thread = ? LIMIT ?",
    thread,
    AT_ONCE,
  );
  blankAll(session, checkpoints.map(bodyOf));
  for (const [space, id] of checkpoints) {
    session.run("DELETE FROM checkpoint WHERE thread = ? AND space = ? AND id = ?", thread, space, id);
  }
  removed.checkpoints += checkpoints.length;
  if (checkpoints.length === AT_ONCE) return false;
  const [stream] = session.row<[number]>("SELECT ref FROM stream WHERE thread = ? LIMIT 1", thread) ?? [];
  if (stream === undefined) return true;
  if (dropLoose(session, stream, () => false, { after: 0, limit: AT_ONCE }) === null) {
    session.run("DELETE FROM stream WHERE ref = ?", stream);
  }
  return false;
}

const bodyOf = (row: readonly (string | number)[]): number => Number(row.at(-1));
