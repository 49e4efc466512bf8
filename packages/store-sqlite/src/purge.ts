import type { AgentOwner } from "@throughline/core";
import { blank } from "./heap.ts";
import { findAgent } from "./names.ts";
import { removeRecord } from "./records.ts";
import type { Session } from "./session.ts";

/** Removes, at most `limit` of each kind, what is over. Facts that all agents of the tenant share are among them. */
export function purgeExpired(
  session: Session,
  owner: AgentOwner,
  query: { now: string; operationsBefore: string; limit: number },
): Record<string, number> {
  const counts = { facts: 0, operations: 0, records: 0, leases: 0 };
  const limit = Math.max(0, query.limit);
  const own = findAgent(session, owner);
  const shared = findAgent(session, { tenant: owner.tenant, agent: "" });
  for (const agent of [own, shared]) {
    if (agent === undefined) continue;
    counts.facts += purgeFacts(session, agent, query.now, limit - counts.facts);
    counts.operations += purgeOperations(session, agent, query.operationsBefore, limit - counts.operations);
  }
  if (own !== undefined) {
    counts.records = purgeRecords(session, own, query.now, limit);
    const over = "SELECT name FROM lease WHERE agent = ? AND until <= ? LIMIT ?";
    const { changes } = session.run(
      `DELETE FROM lease WHERE agent = ? AND name IN (${over})`,
      own,
      own,
      query.now,
      limit,
    );
    counts.leases = changes;
  }
  if (counts.facts + counts.operations + counts.records > 0) session.needsScrub = true;
  return counts;
}

function purgeFacts(session: Session, agent: number, now: string, limit: number): number {
  const rows = session.rows<[ref: number, owner: number, body: number]>(
    "SELECT ref, owner, body FROM fact WHERE agent = ? AND expires_at <= ? ORDER BY expires_at LIMIT ?",
    agent,
    now,
    limit,
  );
  for (const [ref, , body] of rows) {
    blank(session, body);
    session.run("DELETE FROM fact WHERE ref = ?", ref);
  }
  for (const owner of new Set(rows.map(([, ref]) => ref))) {
    session.run("UPDATE owner SET version = version + 1 WHERE ref = ?", owner);
  }
  return rows.length;
}

function purgeOperations(session: Session, agent: number, before: string, limit: number): number {
  const rows = session.rows<[owner: number, key: string, result: number]>(
    "SELECT owner, key, result FROM operation WHERE agent = ? AND at < ? ORDER BY at LIMIT ?",
    agent,
    before,
    limit,
  );
  for (const [owner, key, result] of rows) {
    blank(session, result);
    session.run("DELETE FROM operation WHERE owner = ? AND key = ?", owner, key);
  }
  return rows.length;
}

function purgeRecords(session: Session, agent: number, now: string, limit: number): number {
  const rows = session.rows<[namespace: Uint8Array, key: Uint8Array, body: number]>(
    "SELECT namespace, key, body FROM record WHERE agent = ? AND expires_at <= ? ORDER BY expires_at LIMIT ?",
    agent,
    now,
    limit,
  );
  for (const [namespace, key, body] of rows) {
    removeRecord(session, agent, namespace, key, body);
  }
  return rows.length;
}
