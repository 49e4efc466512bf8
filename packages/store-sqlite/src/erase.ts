import type { AgentOwner, EraseTarget, FactOwner, Receipt } from "@throughline/core";
import { eraseTurn } from "./change-turns.ts";
import { condemnThread } from "./checkpoints/remove-checkpoints.ts";
import { findThread, findThreadOf, threadsOfSubject } from "./checkpoints/threads.ts";
import { findConversation } from "./conversation-rows.ts";
import { alive } from "./eraser.ts";
import { markErased } from "./erasure-marks.ts";
import { blankAll } from "./heap.ts";
import { FILED } from "./keyword/filing.ts";
import { readPending, settleDocuments } from "./keyword/pending-documents.ts";
import { factOwnerKey, findAgent, findOwner, findSubject, itemOwnerKey } from "./names.ts";
import { removeRecord } from "./records.ts";
import { AT_ONCE, doom, type Erasure, newErasure, removeDoomed, removeSummaries } from "./remove-doomed.ts";
import type { Session } from "./session.ts";
import type { Steps } from "./steps.ts";
import { listIdentities, unlinkIdentity } from "./subject-identities.ts";
import { findTurn, SEQ_LIMIT } from "./turn-rows.ts";

/** What an erasure did. */
export interface Erased {
  removed: Receipt["removed"];
  /** All that was written down to be removed until then, by whichever erasure. */
  through: number;
}

/**
 * Erases in pieces. The first writes down what is to go and makes it unreachable by name; the others remove the rows. What
 * a crash leaves over is written down still, and the next erasure, sweep or opening removes it.
 */
export function* erase(session: Session, owner: AgentOwner, target: EraseTarget, now: string): Steps<Erased> {
  const erasure = newErasure();
  const erased: Erased = { removed: erasure.removed, through: 0 };
  session.needsScrub = true;
  yield* alive(session, erasure, eraseTarget());
  return erased;

  function* eraseTarget(): Steps<void> {
    if (target.kind === "conversation") condemnConversation(session, owner, target.conversation, now, erasure);
    else yield* condemnSubject(session, owner, target.subject, now, erasure);
    erased.through = session.row<[number]>("SELECT ref FROM doomed WHERE ref > 0 ORDER BY ref DESC LIMIT 1")?.[0] ?? 0;
    yield;
    yield* removeDoomed(session, erasure);
    yield* settleDocuments(session);
  }
}

function condemnConversation(session: Session, owner: AgentOwner, id: string, now: string, erasure: Erasure): void {
  const { tenant, agent } = owner;
  markErased(session, [tenant, agent, "conversation", id], now);
  const items = itemOwnerKey(session, { tenant, agent, conversation: id });
  condemnOwner(session, erasure, "items", items);
  condemnFacts(session, erasure, { tenant, agent, scope: "conversation", id });
  const thread = findThread(session, { tenant, agent, conversation: id });
  if (thread !== undefined) condemnThread(session, erasure, thread.ref);
  const conversation = findConversation(session, { tenant, agent, conversation: id });
  if (conversation === undefined) return;
  const { ref, extra } = conversation;
  blankAll(session, [extra]);
  session.run("DELETE FROM conversation WHERE ref = ?", ref);
  session.run("DELETE FROM former_subject WHERE conversation = ?", ref);
  const [bucket] = session.row<[number]>("SELECT ref FROM bucket WHERE conversation = ?", ref) ?? [];
  if (bucket !== undefined) condemnBucket(session, erasure, bucket);
  doom(session, erasure, "conversation", ref);
  erasure.removed.conversations += 1;
}

function condemnOwner(session: Session, erasure: Erasure, kind: "items" | "facts", key: string | undefined): void {
  const owner = key === undefined ? undefined : findOwner(session, key);
  if (owner === undefined) return;
  session.run("DELETE FROM owner WHERE ref = ?", owner.ref);
  doom(session, erasure, kind, owner.ref);
}

function condemnFacts(session: Session, erasure: Erasure, owner: FactOwner): void {
  condemnOwner(session, erasure, "facts", factOwnerKey(session, owner));
}

/** Takes the name and the secret away: what is left of its postings can't even be guessed at. */
function condemnBucket(session: Session, erasure: Erasure, bucket: number): void {
  const [secret] = session.row<[number | null]>("SELECT secret FROM bucket WHERE ref = ?", bucket) ?? [null];
  blankAll(session, [secret]);
  leaveBucket(session, bucket);
  session.run("DELETE FROM bucket WHERE ref = ?", bucket);
  session.secrets.delete(bucket);
  session.subjects.delete(bucket);
  doom(session, erasure, "bucket", bucket);
}

/** Documents that were on their way out of the bucket stay with whom their turns are. */
function leaveBucket(session: Session, bucket: number): void {
  if (readPending(session, [bucket]) === null) return;
  const turn = `FROM turn t WHERE t.key = document.conversation * ${SEQ_LIMIT} + document.seq AND t.subject <> ?`;
  session.run(
    `UPDATE document SET filed = CASE filed WHEN ${FILED.moving} THEN ${FILED.coming} ELSE ${FILED.no} END,
      bucket = (SELECT t.subject ${turn})
      WHERE bucket = ? AND filed > 1 AND filed <> ${FILED.doomed} AND EXISTS (SELECT 1 ${turn})`,
    bucket,
    bucket,
    bucket,
  );
}

function* condemnSubject(
  session: Session,
  owner: AgentOwner,
  subject: string,
  now: string,
  erasure: Erasure,
): Steps<void> {
  const { tenant, agent: name } = owner;
  markErased(session, [tenant, name, "subject", subject], now);
  // The person's global facts are every agent's, and go with the first erasure of the person.
  markErased(session, [tenant, null, "subject", subject], now);
  condemnFacts(session, erasure, { tenant, agent: name, scope: "user", id: subject });
  condemnFacts(session, erasure, { tenant, agent: null, scope: "global", id: subject });
  const agent = findAgent(session, owner);
  if (agent === undefined) return;
  for (const { identity } of listIdentities(session, owner, { subject })) {
    // A late write that names the identity is one of the subject.
    markErased(session, [tenant, name, "subject", identity], now);
    markErased(session, [tenant, null, "subject", identity], now);
    unlinkIdentity(session, owner, identity);
    erasure.removed.identities += 1;
  }
  for (;;) {
    const records = removeRecords(session, agent, subject);
    erasure.removed.records += records;
    if (records < AT_ONCE) break;
    yield;
  }
  for (const thread of threadsOfSubject(session, agent, subject)) condemnThread(session, erasure, thread);
  const bucket = findSubject(session, agent, subject);
  if (bucket === undefined) return;
  for (;;) {
    const ids = session.rows<[string]>("SELECT id FROM conversation WHERE subject = ? LIMIT ?", bucket, AT_ONCE);
    for (const [id] of ids) condemnConversation(session, owner, id, now, erasure);
    if (ids.length < AT_ONCE) break;
    yield;
  }
  for (const [conversation] of session.rows<[number]>(
    "SELECT conversation FROM former_subject WHERE subject = ?",
    bucket,
  )) {
    const thread = findThreadOf(session, conversation);
    if (thread !== undefined) condemnThread(session, erasure, thread);
    yield* removeTurnsOfSubject(session, conversation, bucket, erasure);
  }
  session.run("DELETE FROM former_subject WHERE subject = ?", bucket);
  condemnBucket(session, erasure, bucket);
}

function removeRecords(session: Session, agent: number, subject: string): number {
  const rows = session.rows<[namespace: Uint8Array, key: Uint8Array, body: number]>(
    "SELECT namespace, key, body FROM record WHERE agent = ? AND subject = ? LIMIT ?",
    agent,
    subject,
    AT_ONCE,
  );
  for (const [namespace, key, body] of rows) {
    removeRecord(session, agent, namespace, key, body);
  }
  return rows.length;
}

/** What the subject said in a conversation that is another's now. Its summary may repeat it, and is folded anew. */
function* removeTurnsOfSubject(session: Session, conversation: number, subject: number, erasure: Erasure): Steps<void> {
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
      erasure.removed.vectors += eraseTurn(session, conversation, turn);
      count += 1;
      erasure.removed.turns += 1;
      erasure.removed.messages += turn.body.messages.length;
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
      while (!removeSummaries(session, conversation, erasure.removed));
      session.run("UPDATE conversation SET summary = 0 WHERE ref = ?", conversation);
      turns = 0;
      counted = 0;
    }
    if (rows.length < AT_ONCE) return;
    yield;
  }
}
