import type { Erasure } from "./remove-doomed.ts";
import type { Session } from "./session.ts";
import type { Steps } from "./steps.ts";

/** An erasure that was not heard of for so long has ended, whatever ended it. */
export const SILENT_MS = 1000;
const BEAT_MS = 200;

/** The number of the erasure, given now where it has none yet. */
export function obtainEraser(session: Session, erasure: Erasure): number {
  erasure.eraser ??= session.run("INSERT INTO eraser (beat) VALUES (?)", Date.now()).ref;
  return erasure.eraser;
}

/** Does the work of an erasure, and lets other processes know that it goes on. */
export function* alive(session: Session, erasure: Erasure, work: Steps<void>): Steps<void> {
  let last = Date.now();
  while (work.next().done !== true) {
    const now = Date.now();
    if (erasure.eraser !== undefined && now - last >= BEAT_MS) {
      session.run("UPDATE eraser SET beat = ? WHERE ref = ?", now, erasure.eraser);
      last = now;
    }
    yield;
  }
  if (erasure.eraser !== undefined) session.run("DELETE FROM eraser WHERE ref = ?", erasure.eraser);
}
