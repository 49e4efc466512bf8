import { createHash } from "node:crypto";
import { type ElementRange, MemoryError } from "@throughline/core";
import { hashText } from "../hash.ts";
import { blankAll, putText } from "../heap.ts";
import type { Session } from "../session.ts";
import type { Thread } from "./threads.ts";

/** One more than the greatest number of an element. */
export const ELEMENT_LIMIT = 2 ** 24;
/** Elements that one statement joins. */
const AT_ONCE = 1024;
/** Longer texts are hashed by the platform. */
const LONG_TEXT = 4096;

/** The elements of one name. */
export interface Stream {
  ref: number;
  /** The newest number given. */
  last: number;
}

export function findStream(session: Session, thread: number, name: string): Stream | undefined {
  const sql = "SELECT ref, last FROM stream WHERE thread = ? AND name = ?";
  const [ref, last] = session.row<[number, number]>(sql, thread, name) ?? [];
  return ref === undefined || last === undefined ? undefined : { ref, last };
}

function obtainStream(session: Session, thread: number, name: string): Stream {
  return (
    findStream(session, thread, name) ?? {
      ref: session.run("INSERT INTO stream (thread, name, last) VALUES (?, ?, 0)", thread, name).ref,
      last: 0,
    }
  );
}

/** Adds a run to a list, to its last run where it goes on from there. */
function addRange(ranges: [first: number, count: number][], first: number, count: number): void {
  const last = ranges.at(-1);
  if (last !== undefined && last[0] + last[1] === first) last[1] += count;
  else if (count > 0) ranges.push([first, count]);
}

/** Where the elements of a list stand; new ones are kept now, the same text once. */
export function keepList(
  session: Session,
  thread: Thread,
  name: string,
  segments: readonly (ElementRange | string)[],
): ElementRange[] {
  const ranges: [number, number][] = [];
  let stream: Stream | undefined;
  const before = () => {
    stream ??= obtainStream(session, thread.ref, name);
    return stream;
  };
  let given = 0;
  for (const segment of segments) {
    if (typeof segment !== "string") {
      addRange(ranges, segment[0], segment[1]);
      continue;
    }
    const own = before();
    const known = own.last === 0 || thread.pruning !== 0 ? undefined : findElement(session, own, segment);
    if (known !== undefined) {
      addRange(ranges, known, 1);
      continue;
    }
    own.last += 1;
    given += 1;
    if (own.last >= ELEMENT_LIMIT) {
      throw new MemoryError("STORE_FULL", "A conversation keeps no more elements under one name; begin a new one.", {
        retryable: false,
      });
    }
    session.run(
      "INSERT INTO element (key, body, hash) VALUES (?, ?, ?)",
      own.ref * ELEMENT_LIMIT + own.last,
      putText(session, segment),
      hashOf(session, own.ref, segment),
    );
    addRange(ranges, own.last, 1);
  }
  if (stream !== undefined && given > 0)
    session.run("UPDATE stream SET last = ? WHERE ref = ?", stream.last, stream.ref);
  return ranges;
}

function findElement(session: Session, stream: Stream, text: string): number | undefined {
  const rows = session.rows<[key: number, text: string]>(
    "SELECT e.key, h.data FROM element e CROSS JOIN heap h ON h.ref = e.body WHERE e.hash = ? AND e.key BETWEEN ? AND ?",
    hashOf(session, stream.ref, text),
    stream.ref * ELEMENT_LIMIT,
    stream.ref * ELEMENT_LIMIT + stream.last,
  );
  // The heap pads with spaces.
  const found = rows.find(([, kept]) => kept.startsWith(text) && kept.slice(text.length).trim() === "");
  return found === undefined ? undefined : found[0] % ELEMENT_LIMIT;
}

/** Finds texts again. */
export function hashOf(session: Session, stream: number, text: string): number {
  const short = text.length <= LONG_TEXT ? text : createHash("sha256").update(text, "utf16le").digest("base64");
  const [first, second] = session.secret;
  return hashText(short, [first ^ stream, second]);
}

/** The elements of a list as one JSON array. */
export function joinElements(session: Session, stream: Stream | undefined, ranges: readonly ElementRange[]): string {
  if (stream === undefined) return "[]";
  const texts: string[] = [];
  for (const [first, count] of ranges) {
    for (let from = first; from < first + count; from += AT_ONCE) {
      const to = Math.min(first + count, from + AT_ONCE) - 1;
      const [joined] = session.row<[string | null]>(
        `SELECT group_concat(h.data, ',') FROM element e CROSS JOIN heap h ON h.ref = e.body
          WHERE e.key BETWEEN ? AND ?`,
        stream.ref * ELEMENT_LIMIT + from,
        stream.ref * ELEMENT_LIMIT + to,
      ) ?? [null];
      if (joined !== null) texts.push(joined);
    }
  }
  return `[${texts.join(",")}]`;
}

/** Removes up to `limit` elements of the stream that no list holds; the key to go on behind, or `null` at the end. */
export function dropLoose(
  session: Session,
  stream: number,
  isHeld: (number: number) => boolean,
  { after, limit }: { after: number; limit: number },
): number | null {
  const rows = session.rows<[key: number, body: number]>(
    "SELECT key, body FROM element WHERE key > ? AND key < ? ORDER BY key LIMIT ?",
    stream * ELEMENT_LIMIT + after,
    (stream + 1) * ELEMENT_LIMIT,
    limit,
  );
  const loose = rows.filter(([key]) => !isHeld(key % ELEMENT_LIMIT));
  blankAll(
    session,
    loose.map(([, body]) => body),
  );
  const [first, end] = [loose[0], loose.at(-1)];
  if (first !== undefined && end !== undefined && loose.length === rows.length) {
    session.run("DELETE FROM element WHERE key BETWEEN ? AND ?", first[0], end[0]);
  } else {
    for (const [key] of loose) session.run("DELETE FROM element WHERE key = ?", key);
  }
  const last = rows.at(-1);
  return last === undefined || rows.length < limit ? null : last[0] % ELEMENT_LIMIT;
}
