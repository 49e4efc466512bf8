import type { Message } from "@throughline/core";
import { sameWords } from "@throughline/core/store-kit";
import { blank, blankAll } from "../heap.ts";
import { messageHash } from "../identities.ts";
import { placeholders, type Session } from "../session.ts";
import { clearFromRuns, saveSet } from "./vector-runs.ts";
import { numberOf, obtainSet, setOf, type VectorSet, vectorKey } from "./vector-sets.ts";

const MOST_AT_ONCE = 64;

/** Takes a turn's vectors out of reach of every search, or brings them back. */
export function hideVectors(session: Session, conversation: number, seq: number, isHidden: boolean): void {
  const hidden = isHidden ? 1 : 0;
  const sql = "UPDATE vector SET hidden = ? WHERE conversation = ? AND seq = ? AND hidden <> ?";
  session.run(sql, hidden, conversation, seq, hidden);
}

/** Removes the vectors of turns; how many. */
export function removeVectorsOfTurns(session: Session, conversation: number, seqs: readonly number[]): number {
  const sql = "SELECT key FROM vector WHERE conversation = ? AND seq = ?";
  const keys = seqs.flatMap((seq) => session.rows<[number]>(sql, conversation, seq).map(([key]) => key));
  removeVectors(session, keys);
  return keys.length;
}

/** Removes vectors, from their rows and their runs. Whoever erases sets `session.needsScrub`. */
export function removeVectors(session: Session, keys: readonly number[]): void {
  for (const [ref, some] of Map.groupBy(keys, setOf)) {
    const set = readSet(session, ref);
    // The runs of a bucket that is being erased go with it.
    if (set !== undefined) clearFromRuns(session, set, some.map(numberOf));
  }
  for (let start = 0; start < keys.length; start += MOST_AT_ONCE) {
    const some = keys.slice(start, start + MOST_AT_ONCE);
    const these = `key IN (${placeholders(some.length)})`;
    const bodies = session.rows<[number]>(`SELECT body FROM vector WHERE ${these}`, ...some);
    blankAll(
      session,
      bodies.map(([body]) => body),
    );
    session.run(`DELETE FROM vector WHERE ${these}`, ...some);
  }
}

/** Removes some vectors and runs of a bucket that is being erased. */
export function removeVectorsOfBucket(
  session: Session,
  bucket: number,
  atOnce: number,
): { removed: number; isDone: boolean } {
  const [set] = session.row<[number]>("SELECT ref FROM vector_set WHERE bucket = ? LIMIT 1", bucket) ?? [];
  if (set === undefined) return { removed: 0, isDone: true };
  const rows = session.rows<[number]>(
    "SELECT key FROM vector WHERE key >= ? AND key < ? LIMIT ?",
    vectorKey(set, 0),
    vectorKey(set + 1, 0),
    atOnce,
  );
  removeVectors(
    session,
    rows.map(([key]) => key),
  );
  if (rows.length === atOnce) return { removed: rows.length, isDone: false };
  const runs = session.rows<[run: number, body: number]>(
    "SELECT run, body FROM vector_run WHERE vectors = ? LIMIT ?",
    set,
    atOnce,
  );
  for (const [run, body] of runs) {
    blank(session, body);
    session.run("DELETE FROM vector_run WHERE vectors = ? AND run = ?", set, run);
  }
  if (runs.length < atOnce) session.run("DELETE FROM vector_set WHERE ref = ?", set);
  return { removed: rows.length, isDone: false };
}

/** A set whose bucket is there. */
function readSet(session: Session, ref: number): VectorSet | undefined {
  const row = session.row<[dimensions: number, next: number, sealed: number]>(
    `SELECT s.dimensions, s.next, s.sealed FROM vector_set s CROSS JOIN bucket b ON b.ref = s.bucket WHERE s.ref = ?`,
    ref,
  );
  if (row === undefined) return undefined;
  const [dimensions, next, sealed] = row;
  return { ref, dimensions, next, sealed };
}

/** Files a turn's vectors under another bucket, as they are. */
export function moveVectors(session: Session, conversation: number, seq: number, bucket: number): void {
  const rows = session.rows<[key: number, model: number, dimensions: number]>(
    `SELECT v.key, s.model, s.dimensions FROM vector v CROSS JOIN vector_set s ON s.ref = v.key / ${vectorKey(1, 0)}
      WHERE v.conversation = ? AND v.seq = ? AND s.bucket <> ? ORDER BY v.key`,
    conversation,
    seq,
    bucket,
  );
  for (const [key, model, dimensions] of rows) {
    const from = readSet(session, setOf(key));
    if (from !== undefined) clearFromRuns(session, from, [numberOf(key)]);
    const set = obtainSet(session, bucket, model, dimensions);
    session.run("UPDATE vector SET key = ? WHERE key = ?", vectorKey(set.ref, set.next), key);
    set.next += 1;
    saveSet(session, set);
  }
}

/** Keeps the vectors of those messages of a rewritten turn that say what they said. */
export function keepVectorsOfWords(
  session: Session,
  place: { conversation: number; seq: number },
  before: readonly Message[],
  after: readonly Message[],
): void {
  const said = new Map(before.map((message) => [message.id, message]));
  const kept = new Map<number, number>();
  for (const [position, message] of after.entries()) {
    const same = said.get(message.id);
    if (same && sameWords(same, message)) kept.set(messageHash(session, message.id), position);
  }
  const rows = session.rows<[key: number, message: number, position: number]>(
    "SELECT key, message, position FROM vector WHERE conversation = ? AND seq = ?",
    place.conversation,
    place.seq,
  );
  const gone: number[] = [];
  for (const [key, message, position] of rows) {
    const now = kept.get(message);
    if (now === undefined) gone.push(key);
    else if (now !== position) session.run("UPDATE vector SET position = ? WHERE key = ?", now, key);
  }
  removeVectors(session, gone);
}
