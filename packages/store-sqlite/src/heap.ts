import type { Session } from "./session.ts";

/** Longer texts lie in pages of their own, which go back to the file when they are blanked. */
const LONGEST_KEPT_BYTES = 4000;
/** What always stays of a row in its own page, however long it was. */
const SHORTEST_SLOT_BYTES = 480;
/** Up to here one by one is as fast. */
const FEW = 4;

/** Keeps a text and gives its number. Padded with spaces where it takes the place of a longer one: JSON doesn't mind. */
export function putText(session: Session, text: string): number {
  if (session.hasFreeSlots) {
    const bytes = Buffer.byteLength(text);
    const slot = takeSlot(session, bytes);
    if (slot !== undefined) {
      session.run("UPDATE heap SET data = ? WHERE ref = ?", text.padEnd(text.length + slot.capacity - bytes), slot.ref);
      return slot.ref;
    }
  }
  return session.run("INSERT INTO heap (data) VALUES (?)", text).ref;
}

/** Keeps bytes and gives their number. May be padded: whoever keeps the number keeps the length. */
export function putBytes(session: Session, given: Uint8Array): number {
  // `node:sqlite` of Node 22 takes an empty run of bytes for NULL.
  const bytes = given.length === 0 ? new Uint8Array(1) : given;
  if (session.hasFreeSlots) {
    const slot = takeSlot(session, bytes.length);
    if (slot !== undefined) {
      const padded = new Uint8Array(slot.capacity);
      padded.set(bytes);
      session.run("UPDATE heap SET data = ? WHERE ref = ?", padded, slot.ref);
      return slot.ref;
    }
  }
  return session.run("INSERT INTO heap (data) VALUES (?)", bytes).ref;
}

/** The text under a number. */
export function getText(session: Session, ref: number): string {
  return session.row<[string]>("SELECT data FROM heap WHERE ref = ?", ref)?.[0] ?? "null";
}

/**
 * Overwrites what stands under a number with zeros and gives its place to whatever fits later. The row itself stays:
 * deleting it would make SQLite move its neighbours, and leave copies of them behind. Whoever erases sets
 * `session.needsScrub` besides, for the copies in the write-ahead log.
 */
export function blank(session: Session, ref: number): void {
  const [bytes = 0] = session.row<[number]>("SELECT octet_length(data) FROM heap WHERE ref = ?", ref) ?? [];
  const capacity = bytes > LONGEST_KEPT_BYTES ? SHORTEST_SLOT_BYTES : bytes;
  session.run("UPDATE heap SET data = zeroblob(?) WHERE ref = ?", capacity, ref);
  session.run("INSERT OR IGNORE INTO free_slot (capacity, ref) VALUES (?, ?)", capacity, ref);
  session.hasFreeSlots = true;
}

/** Blanks many. */
export function blankAll(session: Session, refs: readonly (number | null)[]): void {
  if (refs.length <= FEW) {
    for (const ref of refs) if (ref !== null) blank(session, ref);
    return;
  }
  const list = JSON.stringify(refs.filter((ref) => ref !== null));
  const capacity = `CASE WHEN octet_length(data) > ${LONGEST_KEPT_BYTES} THEN ${SHORTEST_SLOT_BYTES} ELSE octet_length(data) END`;
  const these = "ref IN (SELECT value FROM json_each(?))";
  session.run(`INSERT OR IGNORE INTO free_slot (capacity, ref) SELECT ${capacity}, ref FROM heap WHERE ${these}`, list);
  session.run(`UPDATE heap SET data = zeroblob(${capacity}) WHERE ${these}`, list);
  session.hasFreeSlots = true;
}

/** A free place that holds `bytes` and wastes little. */
function takeSlot(session: Session, bytes: number): { ref: number; capacity: number } | undefined {
  if (bytes > LONGEST_KEPT_BYTES) return undefined;
  const [capacity, ref] =
    session.row<[number, number]>(
      "SELECT capacity, ref FROM free_slot WHERE capacity BETWEEN ? AND ? LIMIT 1",
      bytes,
      bytes + (bytes >> 2) + 32,
    ) ?? [];
  if (ref === undefined || capacity === undefined) {
    session.hasFreeSlots = session.row("SELECT 1 FROM free_slot LIMIT 1") !== undefined;
    return undefined;
  }
  session.run("DELETE FROM free_slot WHERE capacity = ? AND ref = ?", capacity, ref);
  return { ref, capacity };
}
