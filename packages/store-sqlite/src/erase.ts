import type { AgentOwner, EraseTarget, FactOwner, Receipt } from "@throughline/core";
import { eraseTurn } from "./change-turns.ts";
import { findConversation } from "./conversation-rows.ts";
import type { Steps } from "./database.ts";
import { markErased } from "./erasure-marks.ts";
import { blank, blankAll } from "./heap.ts";
import { removeDocumentsOfTurns } from "./keyword/turn-documents.ts";
import { listIdentities, unlinkIdentity } from "./subject-identities.ts";
import { factOwnerKey, findAgent, findOwner, findSubject, itemOwnerKey } from "./names.ts";
import type { Session } from "./session.ts";
import { findTurn, SEQ_LIMIT } from "./turn-rows.ts";

/** Rows removed in one transaction: a few milliseconds. */
const AT_ONCE = 50;
const POSTINGS_AT_ONCE = 500;

/** Counts of a receipt, by kind. */
interface Removed extends Record<string, number> {
  conversations: number;
  turns: number;
  messages: number;
  summaries: number;
  facts: number;
  items: number;
  records: number;
  identities: number;
}

/**
 * Erases in pieces. The first writes down what is to go and makes it unreachable by name; the others remove the rows. What
 * a crash leaves over is written down still, and the next erasure (or opening) removes it.
 */
export function* erase(session: Session, owner: AgentOwner, target: EraseTarget, now: string): Steps<Receipt["removed"]> {
  const removed = nothingRemoved();
  session.needsScrub = true;
  if (target.kind === "conversation") condemnConversation(session, owner, target.conversation, now, removed);
  else yield* condemnSubject(session, owner, target.subject, now, removed);
  yield;
  yield* removeDoomed(session, removed);
  return removed;
}

function nothingRemoved(): Removed {
  const nothing = { conversations: 0, turns: 0, messages: 0, summaries: 0, facts: 0, items: 0, records: 0 };
  return { ...nothing, identities: 0 };
}

/** Removes what an interrupted erasure left over. */
export function finishErasures(session: Session): Steps<void> {
  return removeDoomed(session, nothingRemoved());
}

/** Removes what is written down as doomed. */
function* removeDoomed(session: Session, removed: Removed): Steps<void> {
  for (;;) {
    const [ref, kind, target] =
      session.row<[ref: number, kind: string, target: number]>(
        "SELECT ref, kind, target FROM doomed ORDER BY ref LIMIT 1",
      ) ?? [];
    if (ref === undefined || target === undefined) return;
    session.needsScrub = true;
    if (removeSome(session, kind ?? "", target, removed)) session.run("DELETE FROM doomed WHERE ref = ?", ref);
    yield;
  }
}

/** True where work of an interrupted erasure is left. */
export function hasDoomed(session: Session): boolean {
  return session.row("SELECT 1 FROM doomed LIMIT 1") !== undefined;
}

function doom(session: Session, kind: string, target: number): void {
  session.run("INSERT INTO doomed (kind, target) VALUES (?, ?)", kind, target);
}

function condemnConversation(session: Session, owner: AgentOwner, id: string, now: string, removed: Removed): void {
  const { tenant, agent } = owner;
  markErased(session, [tenant, agent, "conversation", id], now);
  const items = itemOwnerKey(session, { tenant, agent, conversation: id });
  condemnOwner(session, "items", items);
  condemnFacts(session, { tenant, agent, scope: "conversation", id });
  const conversation = findConversation(session, { tenant, agent, conversation: id });
  if (conversation === undefined) return;
  const { ref, extra } = conversation;
  blankAll(session, [extra]);
  session.run("DELETE FROM conversation WHERE ref = ?", ref);
  session.run("DELETE FROM former_subject WHERE conversation = ?", ref);
  const [bucket] = session.row<[number]>("SELECT ref FROM bucket WHERE conversation = ?", ref) ?? [];
  if (bucket !== undefined) condemnBucket(session, bucket);
  doom(session, "conversation", ref);
  removed.conversations += 1;
}

function condemnOwner(session: Session, kind: "items" | "facts", key: string | undefined): void {
  const owner = key === undefined ? undefined : findOwner(session, key);
  if (owner === undefined) return;
  session.run("DELETE FROM owner WHERE ref = ?", owner.ref);
  doom(session, kind, owner.ref);
}

function condemnFacts(session: Session, owner: FactOwner): void {
  condemnOwner(session, "facts", factOwnerKey(session, owner));
}

/** Takes the name and the secret away: what is left of its postings can't even be guessed at. */
function condemnBucket(session: Session, bucket: number): void {
  const [secret] = session.row<[number | null]>("SELECT secret FROM bucket WHERE ref = ?", bucket) ?? [null];
  blankAll(session, [secret]);
  session.run("DELETE FROM bucket WHERE ref = ?", bucket);
  session.secrets.delete(bucket);
  session.subjects.delete(bucket);
  doom(session, "bucket", bucket);
}

function* condemnSubject(
  session: Session,
  owner: AgentOwner,
  subject: string,
  now: string,
  removed: Removed,
): Steps<void> {
  const { tenant, agent: name } = owner;
  markErased(session, [tenant, name, "subject", subject], now);
  // The person's global facts are every agent's, and go with the first erasure of the person.
  markErased(session, [tenant, null, "subject", subject], now);
  condemnFacts(session, { tenant, agent: name, scope: "user", id: subject });
  condemnFacts(session, { tenant, agent: null, scope: "global", id: subject });
  const agent = findAgent(session, owner);
  if (agent === undefined) return;
  for (const { identity } of listIdentities(session, owner, { subject })) {
    // A late write that names the identity is one of the subject.
    markErased(session, [tenant, name, "subject", identity], now);
    markErased(session, [tenant, null, "subject", identity], now);
    unlinkIdentity(session, owner, identity);
    removed.identities += 1;
  }
  for (;;) {
    const records = removeRecords(session, agent, subject);
    removed.records += records;
    if (records < AT_ONCE) break;
    yield;
  }
  const bucket = findSubject(session, agent, subject);
  if (bucket === undefined) return;
  for (;;) {
    const ids = session.rows<[string]>("SELECT id FROM conversation WHERE subject = ? LIMIT ?", bucket, AT_ONCE);
    for (const [id] of ids) condemnConversation(session, owner, id, now, removed);
    if (ids.length < AT_ONCE) break;
    yield;
  }
  for (const [conversation] of session.rows<[number]>(
    "SELECT conversation FROM former_subject WHERE subject = ?",
    bucket,
  )) {
    yield* removeTurnsOfSubject(session, conversation, bucket, removed);
  }
  session.run("DELETE FROM former_subject WHERE subject = ?", bucket);
  condemnBucket(session, bucket);
}

function removeRecords(session: Session, agent: number, subject: string): number {
  const rows = session.rows<[namespace: Uint8Array, key: Uint8Array, body: number]>(
    "SELECT namespace, key, body FROM record WHERE agent = ? AND subject = ? LIMIT ?",
    agent,
    subject,
    AT_ONCE,
  );
  for (const [namespace, key, body] of rows) {
    blank(session, body);
    session.run("DELETE FROM record WHERE agent = ? AND namespace = ? AND key = ?", agent, namespace, key);
  }
  return rows.length;
}

/** What the subject said in a conversation that is another's now. Its summary may repeat it, and is folded anew. */
function* removeTurnsOfSubject(
  session: Session,
  conversation: number,
  subject: number,
  removed: Removed,
): Steps<void> {
  let turns = 0;
  let counted = 0;
  let after = conversation * SEQ_LIMIT;
  for (;;) {
    const rows = session.rows<[key: number, counted: number, hidden: number, subject: number | null]>(
      "SELECT key, counted, hidden, subject FROM turn WHERE key > ? AND key < ? ORDER BY key LIMIT ?",
      after,
      (conversation + 1) * SEQ_LIMIT,
      AT_ONCE,
    );
    let count = 0;
    for (const [key, messages, hidden, whose] of rows) {
      after = key;
      if (whose !== subject) continue;
      const turn = findTurn(session, conversation, key % SEQ_LIMIT);
      if (turn === undefined) continue;
      eraseTurn(session, conversation, turn);
      count += 1;
      removed.turns += 1;
      removed.messages += turn.body.messages.length;
      if (hidden !== 0) continue;
      turns += 1;
      counted += messages;
    }
    if (count > 0) {
      session.run(
        "UPDATE conversation SET turns = turns - ?, messages = messages - ? WHERE ref = ?",
        turns,
        counted,
        conversation,
      );
      while (!removeSummaries(session, conversation, removed));
      session.run("UPDATE conversation SET summary = 0 WHERE ref = ?", conversation);
      turns = 0;
      counted = 0;
    }
    if (rows.length < AT_ONCE) return;
    yield;
  }
}

/** Removes some rows of a doomed thing; true where none is left. */
function removeSome(session: Session, kind: string, target: number, removed: Removed): boolean {
  switch (kind) {
    case "conversation":
      return removeTurns(session, target, removed) && removeSummaries(session, target, removed);
    case "bucket":
      return removeBucket(session, target);
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
    AT_ONCE,
  );
  removeDocumentsOfTurns(
    session,
    conversation,
    rows.map(([key]) => key % SEQ_LIMIT),
  );
  for (const [key, body, replacedBy, messages] of rows) {
    blankAll(session, [body, replacedBy]);
    session.run("DELETE FROM turn WHERE key = ?", key);
    removed.turns += 1;
    removed.messages += messages;
  }
  if (rows.length === AT_ONCE) return false;
  const identities = "SELECT hash, seq FROM identity WHERE conversation = ? LIMIT ?";
  const { changes } = session.run(
    `DELETE FROM identity WHERE conversation = ? AND (hash, seq) IN (${identities})`,
    conversation,
    conversation,
    POSTINGS_AT_ONCE,
  );
  return changes < POSTINGS_AT_ONCE;
}

function removeSummaries(session: Session, conversation: number, removed: Removed): boolean {
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

function removeBucket(session: Session, bucket: number): boolean {
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
