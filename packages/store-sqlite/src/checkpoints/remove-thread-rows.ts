import { blankAll } from "../heap.ts";
import type { Session } from "../session.ts";
import { dropLoose } from "./elements.ts";

/** Rows removed before it is looked at how long it took. */
const AT_ONCE = 256;

/** Removes some rows of a condemned thread; true where none is left. */
export function removeThreadRows(session: Session, thread: number, removed: { checkpoints: number }): boolean {
  const writes = session.rows<[space: string, checkpoint: string, task: string, index: number, body: number | null]>(
    "SELECT space, checkpoint, task, idx, body FROM pending_write WHERE thread = ? ORDER BY space, checkpoint, task, idx LIMIT ?",
    thread,
    AT_ONCE,
  );
  blankAll(session, writes.map(bodyOf));
  const lastWrite = writes.at(-1);
  if (lastWrite !== undefined) {
    const [space, checkpoint, task, index] = lastWrite;
    session.run(
      "DELETE FROM pending_write WHERE thread = ? AND (space, checkpoint, task, idx) <= (?, ?, ?, ?)",
      thread,
      space,
      checkpoint,
      task,
      index,
    );
  }
  if (writes.length === AT_ONCE) return false;
  const checkpoints = session.rows<[space: string, id: string, body: number]>(
    "SELECT space, id, body FROM checkpoint WHERE thread = ? ORDER BY space, id LIMIT ?",
    thread,
    AT_ONCE,
  );
  blankAll(session, checkpoints.map(bodyOf));
  const last = checkpoints.at(-1);
  if (last !== undefined) {
    session.run("DELETE FROM checkpoint WHERE thread = ? AND (space, id) <= (?, ?)", thread, last[0], last[1]);
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

const bodyOf = (row: readonly (string | number | null)[]): number | null => {
  const body = row.at(-1);
  return typeof body === "number" ? body : null;
};
