import { removeThreadRows } from "./checkpoints/remove-thread-rows.ts";
import { obtainEraser } from "./eraser.ts";
import { blank, blankAll } from "./heap.ts";
import { doomDocuments } from "./keyword/mark-documents.ts";
import { settleDocuments } from "./keyword/pending-documents.ts";
import type { Session } from "./session.ts";
import { Pace, type Steps } from "./steps.ts";
import { SEQ_LIMIT } from "./turn-rows.ts";
import { removeVectorsOfBucket, removeVectorsOfTurns } from "./vectors/turn-vectors.ts";

/** Rows removed before it is looked at how long it took. */
export const AT_ONCE = 8;
/** Each may have thousands of rows of other tables. */
const TURNS_AT_ONCE = 1;
const POSTINGS_AT_ONCE = 200;

/** Counts of a receipt, by kind. */
export interface Removed extends Record<string, number> {
  conversations: number;
  turns: number;
  messages: number;
  summaries: number;
  facts: number;
  items: number;
  records: number;
  identities: number;
  vectors: number;
  checkpoints: number;
}

/** One erasure: what it has removed, and what it has written down to be removed. */
export interface Erasure {
  removed: Removed;
  doomed: number[];
  /** Under which it is known while it is under way. */
  eraser?: number;
}

/** An erasure that has done nothing yet. */
export function newErasure(): Erasure {
  const nothing = { conversations: 0, turns: 0, messages: 0, summaries: 0, facts: 0, items: 0, records: 0 };
  return { removed: { ...nothing, identities: 0, vectors: 0, checkpoints: 0 }, doomed: [] };
}

/** Writes down what is to be removed: its rows can't be reached by name any more. */
export function doom(
  session: Session,
  erasure: Erasure,
  kind: "conversation" | "bucket" | "facts" | "items" | "thread",
  target: number,
): void {
  const sql = "INSERT INTO doomed (kind, target, since, eraser) VALUES (?, ?, ?, ?)";
  erasure.doomed.push(session.run(sql, kind, target, Date.now(), obtainEraser(session, erasure)).ref);
}

/** Removes what an erasure has written down. */
export function* removeDoomed(session: Session, { removed, doomed }: Erasure): Steps<void> {
  const pace = new Pace();
  for (const ref of doomed) {
    for (;;) {
      // Another process may have taken it over, and be through.
      const found = session.row<[kind: string, target: number]>("SELECT kind, target FROM doomed WHERE ref = ?", ref);
      if (found === undefined) break;
      session.needsScrub = true;
      const [kind, target] = found;
      const isIndexed = kind === "conversation" && doomNext(session, target);
      if (isIndexed) yield* settleDocuments(session);
      else if (removeSome(session, kind, target, removed)) session.run("DELETE FROM doomed WHERE ref = ?", ref);
      if (pace.isOver) yield* pace.pause();
    }
  }
}

/** Marks what the index has of a conversation's next turns to be removed; false where it has nothing of any. */
function doomNext(session: Session, conversation: number): boolean {
  const sql = `SELECT DISTINCT seq FROM document WHERE conversation = ? ORDER BY seq LIMIT ${AT_ONCE}`;
  const seqs = session.rows<[number]>(sql, conversation);
  for (const [seq] of seqs) doomDocuments(session, conversation, seq);
  return seqs.length > 0;
}

/** Removes some rows of a doomed thing; true where none is left. */
function removeSome(session: Session, kind: string, target: number, removed: Removed): boolean {
  switch (kind) {
    case "conversation":
      return removeTurns(session, target, removed) && removeSummaries(session, target, removed);
    case "bucket":
      return removeBucket(session, target, removed);
    case "thread":
      return removeThreadRows(session, target, removed);
    case "facts":
      return removeFacts(session, target, removed);
    default:
      return removeItems(session, target, removed);
  }
}

function removeTurns(session: Session, conversation: number, removed: Removed): boolean {
  const rows = session.rows<[key: number, body: number, replacedBy: number | null, messages: number]>(
    `SELECT t.key, t.body, t.replaced_by, json_array_length(h.data, '$[6]')
      FROM turn t CROSS JOIN heap h ON h.ref = t.body WHERE t.key >= ? AND t.key < ? ORDER BY t.key LIMIT ?`,
    conversation * SEQ_LIMIT,
    (conversation + 1) * SEQ_LIMIT,
    TURNS_AT_ONCE,
  );
  const seqs = rows.map(([key]) => key % SEQ_LIMIT);
  removed.vectors += removeVectorsOfTurns(session, conversation, seqs);
  for (const [key, body, replacedBy, messages] of rows) {
    blankAll(session, [body, replacedBy]);
    session.run("DELETE FROM turn WHERE key = ?", key);
    removed.turns += 1;
    removed.messages += messages;
  }
  if (rows.length === TURNS_AT_ONCE) return false;
  const identities = "SELECT hash, seq FROM identity WHERE conversation = ? LIMIT ?";
  const { changes } = session.run(
    `DELETE FROM identity WHERE conversation = ? AND (hash, seq) IN (${identities})`,
    conversation,
    conversation,
    POSTINGS_AT_ONCE,
  );
  return changes < POSTINGS_AT_ONCE;
}

/** Removes some versions of a conversation's summary; true where none is left. */
export function removeSummaries(session: Session, conversation: number, removed: Removed): boolean {
  const rows = session.rows<[version: number, body: number]>(
    "SELECT version, body FROM summary WHERE conversation = ? LIMIT ?",
    conversation,
    AT_ONCE,
  );
  for (const [version, body] of rows) {
    blank(session, body);
    session.run("DELETE FROM summary WHERE conversation = ? AND version = ?", conversation, version);
  }
  removed.summaries += rows.length;
  return rows.length < AT_ONCE;
}

function removeBucket(session: Session, bucket: number, removed: Removed): boolean {
  const documents = session.rows<[ref: number, terms: number]>(
    "SELECT ref, terms FROM document WHERE bucket = ? LIMIT ?",
    bucket,
    AT_ONCE,
  );
  for (const [ref, terms] of documents) {
    blank(session, terms);
    session.run("DELETE FROM document WHERE ref = ?", ref);
  }
  if (documents.length === AT_ONCE) return false;
  const vectors = removeVectorsOfBucket(session, bucket, AT_ONCE);
  removed.vectors += vectors.removed;
  if (!vectors.isDone) return false;
  session.run("DELETE FROM recent_terms WHERE bucket = ?", bucket);
  const { changes } = session.run(
    `DELETE FROM posting WHERE bucket = ? AND (term, tool, block) IN
      (SELECT term, tool, block FROM posting WHERE bucket = ? LIMIT ?)`,
    bucket,
    bucket,
    POSTINGS_AT_ONCE,
  );
  return changes < POSTINGS_AT_ONCE;
}

function removeFacts(session: Session, owner: number, removed: Removed): boolean {
  const facts = session.rows<[ref: number, body: number]>(
    "SELECT ref, body FROM fact WHERE owner = ? LIMIT ?",
    owner,
    AT_ONCE,
  );
  for (const [ref, body] of facts) {
    blank(session, body);
    session.run("DELETE FROM fact WHERE ref = ?", ref);
  }
  removed.facts += facts.length;
  const operations = session.rows<[key: string, result: number]>(
    "SELECT key, result FROM operation WHERE owner = ? LIMIT ?",
    owner,
    AT_ONCE,
  );
  for (const [key, result] of operations) {
    blank(session, result);
    session.run("DELETE FROM operation WHERE owner = ? AND key = ?", owner, key);
  }
  if (facts.length === AT_ONCE || operations.length === AT_ONCE) return false;
  session.run("DELETE FROM tombstone WHERE owner = ?", owner);
  return true;
}

function removeItems(session: Session, owner: number, removed: Removed): boolean {
  const items = session.rows<[key: Uint8Array, body: number]>(
    "SELECT key, body FROM item WHERE owner = ? LIMIT ?",
    owner,
    AT_ONCE,
  );
  for (const [key, body] of items) {
    blank(session, body);
    session.run("DELETE FROM item WHERE owner = ? AND key = ?", owner, key);
  }
  removed.items += items.length;
  return items.length < AT_ONCE;
}
