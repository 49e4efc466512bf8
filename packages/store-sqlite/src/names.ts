import type { ConversationOwner, FactOwner } from "@throughline/core";
import { MemoryError } from "@throughline/core";
import { newSecret, type Secret } from "./hash.ts";
import { getText, putText } from "./heap.ts";
import type { Session } from "./session.ts";

const LONGEST_ID_BYTES = 512;
const MOST_REMEMBERED = 10_000;

/** The number of an agent; `undefined` where it never wrote. */
export function findAgent(session: Session, { tenant, agent }: { tenant: string; agent: string }): number | undefined {
  const name = `${tenant.length}:${tenant}${agent}`;
  const known = session.agents.get(name);
  if (known !== undefined) return known;
  const row = session.row<[number]>("SELECT ref FROM agent WHERE tenant = ? AND agent = ?", tenant, agent);
  if (row !== undefined) remember(session.agents, name, row[0]);
  return row?.[0];
}

/** The number of an agent, given now where there is none. */
export function obtainAgent(session: Session, owner: { tenant: string; agent: string }): number {
  const known = findAgent(session, owner);
  if (known !== undefined) return known;
  checkId(owner.tenant);
  if (owner.agent !== "") checkId(owner.agent);
  return session.run("INSERT INTO agent (tenant, agent) VALUES (?, ?)", owner.tenant, owner.agent).ref;
}

/** The bucket of a subject: it files the subject's turns in the keyword index and stands for the subject elsewhere. */
export function findSubject(session: Session, agent: number, subject: string): number | undefined {
  return session.row<[number]>("SELECT ref FROM bucket WHERE agent = ? AND subject = ?", agent, subject)?.[0];
}

/** {@link findSubject}, made now where there is none. */
export function obtainSubject(session: Session, agent: number, subject: string): number {
  const known = findSubject(session, agent, subject);
  if (known !== undefined) return known;
  checkId(subject);
  return session.run("INSERT INTO bucket (agent, subject) VALUES (?, ?)", agent, subject).ref;
}

/** The subject's id. */
export function subjectOf(session: Session, bucket: number): string | undefined {
  const known = session.subjects.get(bucket);
  if (known !== undefined) return known;
  const [subject] = session.row<[string | null]>("SELECT subject FROM bucket WHERE ref = ?", bucket) ?? [null];
  if (subject === null) return undefined;
  remember(session.subjects, bucket, subject);
  return subject;
}

/** The bucket of a conversation's turns that have no subject. */
export function obtainConversationBucket(session: Session, agent: number, conversation: number): number {
  const [known] = session.row<[number]>("SELECT ref FROM bucket WHERE conversation = ?", conversation) ?? [];
  return known ?? session.run("INSERT INTO bucket (agent, conversation) VALUES (?, ?)", agent, conversation).ref;
}

/** What makes a bucket's term hashes its own; zeros where nothing was indexed in it yet. */
export function secretOf(session: Session, bucket: number): Secret {
  const known = session.secrets.get(bucket);
  if (known !== undefined) return known;
  const [ref] = session.row<[number | null]>("SELECT secret FROM bucket WHERE ref = ?", bucket) ?? [null];
  if (ref === null) return [0, 0];
  const [first, second] = getText(session, ref).split(" ").map(Number);
  const secret: Secret = [first ?? 0, second ?? 0];
  remember(session.secrets, bucket, secret);
  return secret;
}

/** {@link secretOf}, made now where the bucket has none yet. */
export function obtainSecret(session: Session, bucket: number): Secret {
  const [ref] = session.row<[number | null]>("SELECT secret FROM bucket WHERE ref = ?", bucket) ?? [null];
  if (ref !== null) return secretOf(session, bucket);
  const secret = newSecret();
  session.run("UPDATE bucket SET secret = ? WHERE ref = ?", putText(session, `${secret[0]} ${secret[1]}`), bucket);
  remember(session.secrets, bucket, secret);
  return secret;
}

/** What an owner's facts are filed under; `undefined` where its agent never wrote. */
export function factOwnerKey(session: Session, owner: FactOwner): string | undefined {
  const agent = findAgent(session, { tenant: owner.tenant, agent: owner.agent ?? "" });
  return agent === undefined ? undefined : `${agent} ${owner.scope} ${owner.id}`;
}

/** What a conversation's items are filed under; `undefined` where its agent never wrote. */
export function itemOwnerKey(session: Session, owner: ConversationOwner): string | undefined {
  const agent = findAgent(session, owner);
  return agent === undefined ? undefined : `${agent} items ${owner.conversation}`;
}

/** The number of a fact or item owner and the version of its facts. */
export function findOwner(session: Session, key: string): { ref: number; version: number } | undefined {
  const [ref, version] = session.row<[number, number]>("SELECT ref, version FROM owner WHERE key = ?", key) ?? [];
  return ref === undefined || version === undefined ? undefined : { ref, version };
}

/** {@link findOwner}, made now where there is none. */
export function obtainOwner(session: Session, key: string): { ref: number; version: number } {
  return (
    findOwner(session, key) ?? {
      ref: session.run("INSERT INTO owner (key, version) VALUES (?, 0)", key).ref,
      version: 0,
    }
  );
}

/** Refuses what can't be told apart once it is stored. */
export function checkId(id: string): void {
  if (id.length > 0 && id.isWellFormed() && !id.includes("\0") && Buffer.byteLength(id) <= LONGEST_ID_BYTES) return;
  throw new MemoryError("INVALID_ID", "An id is empty, over 512 bytes, or holds NUL or a lone surrogate.");
}

function remember<Key, Value>(map: Map<Key, Value>, key: Key, value: Value): void {
  if (map.size >= MOST_REMEMBERED) map.clear();
  map.set(key, value);
}
