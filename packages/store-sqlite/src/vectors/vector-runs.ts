import { type CodeRun, clearCodes, emptyRun, GONE, putCodes, readRun } from "@throughline/core/store-kit";
import { blank, putBytes } from "../heap.ts";
import type { Session } from "../session.ts";
import { timeOf } from "./time-of.ts";
import { readFloats } from "./vector-body.ts";
import { RUN_SIZE, type VectorSet, vectorKey } from "./vector-sets.ts";

/** Vectors of a set from one number to another, as 8-bit numbers. */
function runOfRows(session: Session, { ref, dimensions }: VectorSet, from: number, to: number) {
  const made = emptyRun(to - from, dimensions);
  const rows = session.rows<
    [key: number, conversation: number, seq: number, role: number, createdAt: string, data: Uint8Array]
  >(
    `SELECT v.key, v.conversation, v.seq, v.role, v.created_at, h.data
      FROM vector v CROSS JOIN heap h ON h.ref = v.body WHERE v.key >= ? AND v.key < ?`,
    vectorKey(ref, from),
    vectorKey(ref, from) + (to - from),
  );
  for (const [key, conversation, seq, role, createdAt, data] of rows) {
    const place = { conversation, seq, role, time: timeOf(createdAt) };
    putCodes(made.run, key - vectorKey(ref, from), place, readFloats(data, dimensions));
  }
  return made;
}

/** The run that begins at a number, or in the middle of which it is, and where in it. */
export function readRunAt(session: Session, set: VectorSet, number: number): { run: CodeRun; start: number } {
  if (number >= set.sealed) return { run: runOfRows(session, set, number, set.next).run, start: 0 };
  const run = Math.floor(number / RUN_SIZE);
  const [data] =
    session.row<[Uint8Array]>(
      "SELECT h.data FROM vector_run r CROSS JOIN heap h ON h.ref = r.body WHERE r.vectors = ? AND r.run = ?",
      set.ref,
      run,
    ) ?? [];
  // A run whose vectors are all gone went with them.
  const read = data === undefined ? emptyRun(RUN_SIZE, set.dimensions).run : readRun(data, set.dimensions);
  return { run: read, start: number - run * RUN_SIZE };
}

/** Writes down how far a set goes, and the runs that are full. */
export function saveSet(session: Session, set: VectorSet): void {
  sealRuns(session, set);
  session.run("UPDATE vector_set SET next = ?, sealed = ? WHERE ref = ?", set.next, set.sealed, set.ref);
}

function sealRuns(session: Session, set: VectorSet): void {
  while (set.next - set.sealed >= RUN_SIZE) {
    const { run, bytes } = runOfRows(session, set, set.sealed, set.sealed + RUN_SIZE);
    if (run.roles.some((role) => role !== GONE)) {
      const sql = "INSERT INTO vector_run (vectors, run, body) VALUES (?, ?, ?)";
      session.run(sql, set.ref, set.sealed / RUN_SIZE, putBytes(session, bytes));
    }
    set.sealed += RUN_SIZE;
  }
}

/** Takes vectors out of their runs; nothing of them stays in the bytes. */
export function clearFromRuns(session: Session, set: VectorSet, numbers: readonly number[]): void {
  const byRun = Map.groupBy(
    numbers.filter((number) => number < set.sealed),
    (number) => Math.floor(number / RUN_SIZE),
  );
  for (const [number, some] of byRun) {
    const [body, data] =
      session.row<[number, Uint8Array]>(
        "SELECT r.body, h.data FROM vector_run r CROSS JOIN heap h ON h.ref = r.body WHERE r.vectors = ? AND r.run = ?",
        set.ref,
        number,
      ) ?? [];
    if (body === undefined || data === undefined) continue;
    const bytes = data.slice();
    const run = readRun(bytes, set.dimensions);
    for (const each of some) clearCodes(run, each - number * RUN_SIZE);
    if (run.roles.some((role) => role !== GONE)) {
      session.run("UPDATE heap SET data = ? WHERE ref = ?", bytes, body);
      continue;
    }
    blank(session, body);
    session.run("DELETE FROM vector_run WHERE vectors = ? AND run = ?", set.ref, number);
  }
}
