import { setTimeout as wait } from "node:timers/promises";
import type { CallOptions } from "@throughline/core";
import type { Database } from "./database.ts";
import { SILENT_MS } from "./eraser.ts";
import { settleDocuments } from "./keyword/pending-documents.ts";
import { newErasure, removeDoomed } from "./remove-doomed.ts";
import type { Session } from "./session.ts";
import type { Steps } from "./steps.ts";

const PAUSE_MS = 20;

/** True where a change or an erasure has left something over, or is under way in another process. */
export function hasLeftovers(session: Session): boolean {
  if (session.row("SELECT 1 FROM doomed LIMIT 1") !== undefined) return true;
  session.hasPendingDocuments = true;
  return session.row("SELECT 1 FROM document WHERE bucket > 0 AND filed > 1 LIMIT 1") !== undefined;
}

/** Removes what was left over by a crash or a full disk. An erasure that is under way in another process is left to it. */
export function* finishLeftovers(session: Session): Steps<void> {
  yield* settleDocuments(session);
  const now = Date.now();
  const left = session.rows<[number]>(
    `SELECT ref FROM doomed WHERE ref > 0
      AND NOT EXISTS (SELECT 1 FROM eraser e WHERE e.ref = doomed.eraser AND abs(e.beat - ?) < ?)`,
    now,
    SILENT_MS,
  );
  yield* removeDoomed(session, { ...newErasure(), doomed: left.map(([ref]) => ref) });
  session.run(
    `DELETE FROM eraser WHERE ref > 0 AND abs(beat - ?) >= ?
      AND ref NOT IN (SELECT eraser FROM doomed WHERE ref > 0)`,
    now,
    SILENT_MS,
  );
  session.needsScrub = true;
}

/**
 * Finishes what earlier erasures left over, as it may be the same texts that an erasure just promised to remove. Waits for one
 * that is under way elsewhere, and takes it over where that falls silent. False where something is still there.
 */
export async function finishEarlier(
  database: Database,
  call: CallOptions | undefined,
  { through, patienceMs }: { through: number; patienceMs: number },
): Promise<boolean> {
  const deadline = Date.now() + patienceMs;
  const isLeft = (session: Session): boolean => {
    // What another process has removed stands in the same log.
    session.needsScrub = true;
    return session.row("SELECT 1 FROM doomed WHERE ref <= ? LIMIT 1", through) !== undefined;
  };
  for (;;) {
    if (await database.read(undefined, hasLeftovers)) await database.writeSteps(undefined, finishLeftovers);
    if (!(await database.read(undefined, isLeft))) return true;
    if (Date.now() >= deadline || call?.signal?.aborted === true) return false;
    await wait(PAUSE_MS);
  }
}
