import type { CheckpointCommit, CheckpointWrite, ConversationOwner, PendingWrites } from "@throughline/core";
import { blank, blankAll, putText } from "../heap.ts";
import { checkId } from "../names.ts";
import type { Session } from "../session.ts";
import { writeCheckpoint } from "./checkpoint-text.ts";
import { keepList } from "./elements.ts";
import { findThread, generationOf, isOtherThread, makeThread, touchThread, writerOf } from "./threads.ts";

/** The id of the newest checkpoint of a space. */
export function newestOf(session: Session, thread: number, space: string): string | undefined {
  const sql = "SELECT id FROM checkpoint WHERE thread = ? AND space = ? ORDER BY id DESC LIMIT 1";
  return session.row<[string]>(sql, thread, space)?.[0];
}

function bodyOf(session: Session, thread: number, space: string, id: string): number | undefined {
  const sql = "SELECT body FROM checkpoint WHERE thread = ? AND space = ? AND id = ?";
  return session.row<[number]>(sql, thread, space, id)?.[0];
}

/** Writes a checkpoint, or says why not. */
export function putCheckpoint(session: Session, owner: ConversationOwner, write: CheckpointWrite): CheckpointCommit {
  const { space, id, parent, now } = write;
  checkId(id);
  const found = findThread(session, owner);
  const writer = writerOf(session, owner, found, write.subject);
  if (writer === null) return { status: "owner-mismatch" };
  if (parent !== undefined && write.detached !== true) {
    const isThere = found !== undefined && bodyOf(session, found.ref, space, parent) !== undefined;
    if (!isThere) return { status: "late", gone: found === undefined };
  }
  if (write.ifNewest === true) {
    const newest = found === undefined ? undefined : newestOf(session, found.ref, space);
    if (newest !== parent && newest !== id) return { status: "behind" };
  }
  const holdsRanges = write.values.some(({ value }) => typeof value !== "string" && value.some(Array.isArray));
  if (holdsRanges && (found === undefined || write.generation !== generationOf(found))) {
    return { status: "stale", generation: found === undefined ? "" : generationOf(found) };
  }
  const thread = found ?? makeThread(session, owner, now);
  touchThread(session, owner, thread, { subject: writer.subject, login: write.login, now });
  const lists: Extract<CheckpointCommit, { status: "stored" }>["lists"] = [];
  const values = write.values.map(({ name, value }) => {
    if (typeof value === "string") return { name, value };
    const ranges = keepList(session, thread, name, value);
    lists.push({ name, ranges });
    return { name, value: ranges };
  });
  const before = bodyOf(session, thread.ref, space, id);
  if (before !== undefined) {
    session.needsScrub = true;
    blank(session, before);
  }
  const body = putText(session, writeCheckpoint({ values, tags: [...write.tags] }, write.body));
  session.run(
    `INSERT INTO checkpoint (thread, space, id, parent, at, body) VALUES (?, ?, ?, ?, ?, ?)
      ON CONFLICT (thread, space, id) DO UPDATE SET parent = excluded.parent, at = excluded.at, body = excluded.body`,
    thread.ref,
    space,
    id,
    parent ?? null,
    now,
    body,
  );
  return { status: "stored", generation: generationOf(thread), lists };
}

/** Keeps writes of one task; one that is there stays as it is, unless it is to be replaced. */
export function putWrites(
  session: Session,
  owner: ConversationOwner,
  given: PendingWrites,
): "stored" | "late" | "owner-mismatch" {
  const thread = findThread(session, owner);
  if (writerOf(session, owner, thread, given.subject) === null) return "owner-mismatch";
  if (thread === undefined || isOtherThread(thread, given.generation)) return "late";
  const place = [thread.ref, given.space, given.checkpoint, given.task] as const;
  for (const { index, name, text, replaces } of given.writes) {
    const [before] =
      session.row<[number | null]>(
        "SELECT body FROM pending_write WHERE thread = ? AND space = ? AND checkpoint = ? AND task = ? AND idx = ?",
        ...place,
        index,
      ) ?? [];
    if (before !== undefined) {
      if (replaces !== true) continue;
      session.needsScrub = true;
      blankAll(session, [before]);
    }
    session.run(
      `INSERT INTO pending_write (thread, space, checkpoint, task, idx, path, name, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (thread, space, checkpoint, task, idx)
        DO UPDATE SET path = excluded.path, name = excluded.name, body = excluded.body`,
      ...place,
      index,
      given.path,
      name,
      text === "null" ? null : putText(session, text),
    );
  }
  return "stored";
}
