import type { ConversationOwner, ItemCommit, ItemQuery, ItemRow } from "@throughline/core";
import { MemoryError } from "@throughline/core";
import { endOfPrefix, sortKey, textOfSortKey } from "@throughline/core/store-kit";
import type { SqlValue } from "./driver.ts";
import { type ErasureMark, erasedAt } from "./erasure-marks.ts";
import { blank, putBytes } from "./heap.ts";
import { checkId, findOwner, itemOwnerKey, obtainAgent, obtainOwner } from "./names.ts";
import { placeholders, type Session } from "./session.ts";

type Columns = [key: Uint8Array, size: number, data: Uint8Array];

const SELECT = "SELECT i.key, i.size, h.data FROM item i CROSS JOIN heap h ON h.ref = i.body WHERE i.owner = ?";

/** Byte items of a conversation, in code-unit order of their keys. */
export function readItems(session: Session, owner: ConversationOwner, query: ItemQuery): ItemRow[] {
  const key = itemOwnerKey(session, owner);
  const found = key === undefined ? undefined : findOwner(session, key);
  if (found === undefined) return [];
  if ("keys" in query) {
    const sql = `${SELECT} AND i.key IN (${placeholders(query.keys.length)}) ORDER BY i.key`;
    return session.rows<Columns>(sql, found.ref, ...query.keys.map(sortKey)).map(toItem);
  }
  const { prefix, after, before, order = "ascending", limit } = query;
  const start = sortKey(prefix);
  let sql = `${SELECT} AND i.key >= ? AND i.key < ?`;
  const parameters: SqlValue[] = [start, endOfPrefix(start)];
  if (after !== undefined) {
    sql += " AND i.key > ?";
    parameters.push(sortKey(after));
  }
  if (before !== undefined) {
    sql += " AND i.key < ?";
    parameters.push(sortKey(before));
  }
  sql += ` ORDER BY i.key ${order === "descending" ? "DESC" : "ASC"} LIMIT ?`;
  return session.rows<Columns>(sql, found.ref, ...parameters, Math.max(0, limit)).map(toItem);
}

/** Applies all commits in order; false where the conversation or the subject was erased at or after `beganAt`. */
export function commitItems(
  session: Session,
  owner: ConversationOwner,
  commits: readonly ItemCommit[],
  { beganAt, subject }: { beganAt?: string; subject?: string } = {},
): boolean {
  if (beganAt !== undefined) {
    const marks: ErasureMark[] = [[owner.tenant, owner.agent, "conversation", owner.conversation]];
    if (subject !== undefined) marks.push([owner.tenant, owner.agent, "subject", subject]);
    const at = erasedAt(session, marks);
    if (at !== null && at >= beganAt) return false;
  }
  const { ref } = obtainOwner(session, newKey(session, owner));
  for (const commit of commits) {
    const key = commit.action === "delete-prefix" ? sortKey(commit.prefix) : sortKey(commit.key);
    switch (commit.action) {
      case "put":
        putItem(session, ref, key, commit.bytes, commit.ifAbsent === true);
        break;
      case "delete":
        session.needsScrub = true;
        removeItem(session, ref, key);
        break;
      case "delete-prefix":
        session.needsScrub = true;
        removeItems(session, ref, key);
        break;
    }
  }
  return true;
}

function newKey(session: Session, owner: ConversationOwner): string {
  checkId(owner.conversation);
  obtainAgent(session, owner);
  const key = itemOwnerKey(session, owner);
  if (key === undefined) throw new MemoryError("STORE_FAILED", "An agent that was just written is not there.");
  return key;
}

function putItem(session: Session, owner: number, key: Uint8Array, bytes: Uint8Array, ifAbsent: boolean): void {
  const isThere = session.row("SELECT 1 FROM item WHERE owner = ? AND key = ?", owner, key) !== undefined;
  if (isThere && ifAbsent) return;
  if (isThere) removeItem(session, owner, key);
  session.run(
    "INSERT INTO item (owner, key, size, body) VALUES (?, ?, ?, ?)",
    owner,
    key,
    bytes.length,
    putBytes(session, bytes),
  );
}

function removeItem(session: Session, owner: number, key: Uint8Array): void {
  const [body] = session.row<[number]>("SELECT body FROM item WHERE owner = ? AND key = ?", owner, key) ?? [];
  if (body === undefined) return;
  blank(session, body);
  session.run("DELETE FROM item WHERE owner = ? AND key = ?", owner, key);
}

function removeItems(session: Session, owner: number, prefix: Uint8Array): void {
  const range: SqlValue[] = [owner, prefix, endOfPrefix(prefix)];
  const where = "WHERE owner = ? AND key >= ? AND key < ?";
  for (const [body] of session.rows<[number]>(`SELECT body FROM item ${where}`, ...range)) blank(session, body);
  session.run(`DELETE FROM item ${where}`, ...range);
}

function toItem([key, size, data]: Columns): ItemRow {
  return { key: textOfSortKey(key), bytes: data.length === size ? data : data.slice(0, size) };
}
