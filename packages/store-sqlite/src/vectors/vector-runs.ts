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

/** What is read of runs at once, in bytes, and how many at most. */
const RUNS_BYTES = 1024 * 1024;
const MOST_RUNS = 16;

/** Some runs one behind the other; of the first one only what stands from `start` on is meant. */
export interface ReadRuns {
  runs: CodeRun[];
  start: number;
}

/** The run that begins at a number, or in the middle of which it is, and some that follow. */
export function readRunsAt(session: Session, set: VectorSet, number: number): ReadRuns {
  if (number >= set.sealed) return { runs: [runOfRows(session, set, number, set.next).run], start: 0 };
  const first = Math.floor(number / RUN_SIZE);
  const some = Math.min(MOST_RUNS, Math.max(1, Math.floor(RUNS_BYTES / (RUN_SIZE * set.dimensions))));
  const end = Math.min(set.sealed / RUN_SIZE, first + some);
  const rows = session.rows<[run: number, data: Uint8Array]>(
    `SELECT r.run, h.data FROM vector_run r CROSS JOIN heap h ON h.ref = r.body
      WHERE r.vectors = ? AND r.run >= ? AND r.run < ?`,
    set.ref,
    first,
    end,
  );
  const found = new Map(rows);
  const runs = Array.from({ length: end - first }, (_, index) => {
    const data = found.get(first + index);
    // A run whose vectors are all gone went with them.
    return data === undefined ? emptyRun(RUN_SIZE, set.dimensions).run : readRun(data, set.dimensions);
  });
  return { runs, start: number - first * RUN_SIZE };
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
