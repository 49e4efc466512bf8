import type { Fact, FactOwner, FactQuery, FactSet } from "@throughline/core";
import type { SqlValue } from "./driver.ts";
import { KEY_IN_FACT, readFact, TAGS_IN_FACT } from "./fact-body.ts";
import { hashText } from "./hash.ts";
import { factOwnerKey, findOwner } from "./names.ts";
import { placeholders, type RunResult, type Session } from "./session.ts";

const LIVE = "f.owner = ? AND f.valid_to IS NULL AND (f.expires_at IS NULL OR f.expires_at > ?)";
const FROM = "FROM fact f CROSS JOIN heap h ON h.ref = f.body";
const ORDER = "ORDER BY f.updated_at DESC, f.id LIMIT ?";
const NEWEST = `SELECT h.data ${FROM} WHERE ${LIVE} ${ORDER}`;
const COUNT_LIVE = `SELECT count(*) FROM fact f WHERE ${LIVE}`;

/** The newest live facts of several owners: one look for all of them, and one more for each that has any. */
export function readNewestFacts(session: Session, owners: readonly FactOwner[], now: string, limit: number): FactSet[] {
  const keys = owners.map((owner) => factOwnerKey(session, owner));
  const asked = keys.filter((key) => key !== undefined);
  const rows =
    asked.length === 0
      ? []
      : session.rows<[key: string, ref: number, version: number]>(
          `SELECT key, ref, version FROM owner WHERE key IN (${placeholders(asked.length)})`,
          ...asked,
        );
  return owners.map((owner, index) => {
    const found = rows.find(([key]) => key === keys[index]);
    if (found === undefined) return { owner, version: 0, facts: [], total: 0 };
    const [, ref, version] = found;
    const facts = session.rows<[string]>(NEWEST, ref, now, limit).map(([text]) => readFact(text));
    const total = facts.length < limit ? facts.length : count(session, COUNT_LIVE, ref, now);
    return { owner, version, facts, total };
  });
}

/** Facts of one owner that answer a query. */
export function readFacts(session: Session, owner: FactOwner, query: FactQuery): FactSet {
  const key = factOwnerKey(session, owner);
  const found = key === undefined ? undefined : findOwner(session, key);
  if (found === undefined) return { owner, version: 0, facts: [], total: 0 };
  const { where, parameters } = conditions(session, found.ref, query);
  const limit = Math.max(0, query.limit);
  const rows = session.rows<[string]>(`SELECT h.data ${FROM} WHERE ${where} ${ORDER}`, ...parameters, limit);
  const facts = rows.map(([text]) => readFact(text));
  const total =
    facts.length < limit ? facts.length : count(session, `SELECT count(*) ${FROM} WHERE ${where}`, ...parameters);
  return { owner, version: found.version, facts, total };
}

function conditions(session: Session, owner: number, query: FactQuery): { where: string; parameters: SqlValue[] } {
  const { now, ids, keys, type, tags, history, asOf } = query;
  const where: string[] = [];
  const parameters: SqlValue[] = [];
  const and = (sql: string, ...values: SqlValue[]) => {
    where.push(sql);
    parameters.push(...values);
  };
  if (asOf !== undefined) {
    and("f.owner = ? AND f.valid_from <= ? AND (f.valid_to IS NULL OR f.valid_to > ?)", owner, asOf, asOf);
    and("(f.expires_at IS NULL OR f.expires_at > ?)", asOf);
  } else if (history === true) {
    and("f.owner = ?", owner);
  } else {
    and(LIVE, owner, now);
  }
  if (ids !== undefined) and(`f.id IN (${placeholders(ids.length)})`, ...ids);
  if (keys !== undefined) {
    and(`f.key_hash IN (${placeholders(keys.length)})`, ...keys.map((key) => keyHash(session, key)));
    and(`${KEY_IN_FACT} IN (${placeholders(keys.length)})`, ...keys);
  }
  if (type !== undefined) and("f.type = ?", type);
  if (tags !== undefined) {
    and(`EXISTS (SELECT 1 FROM ${TAGS_IN_FACT} WHERE value IN (${placeholders(tags.length)}))`, ...tags);
  }
  return { where: where.join(" AND "), parameters };
}

/** Hashes of what the owner had forgotten. */
export function readTombstones(session: Session, owner: FactOwner): string[] {
  const key = factOwnerKey(session, owner);
  const found = key === undefined ? undefined : findOwner(session, key);
  if (found === undefined) return [];
  const rows = session.rows<[string]>("SELECT hash FROM tombstone WHERE owner = ?", found.ref);
  return rows.map(([hash]) => hash).sort();
}

/** Writes a fact's text and columns; the text of an earlier state is the caller's to blank. */
export function insertFact(
  session: Session,
  { agent, ref: owner }: { agent: number; ref: number },
  fact: Fact,
  body: number,
): RunResult {
  return session.run(
    `INSERT INTO fact (agent, owner, id, key_hash, type, updated_at, expires_at, valid_from, valid_to, body)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    agent,
    owner,
    fact.id,
    fact.key === undefined ? null : keyHash(session, fact.key),
    fact.type,
    fact.updatedAt,
    fact.expiresAt ?? null,
    fact.validFrom,
    fact.validTo ?? null,
    body,
  );
}

function keyHash(session: Session, key: string): number {
  return hashText(`k${key}`, session.secret);
}

function count(session: Session, sql: string, ...parameters: SqlValue[]): number {
  return session.row<[number]>(sql, ...parameters)?.[0] ?? 0;
}
