import {
  type AgentOwner,
  MemoryError,
  type RecordCommit,
  type RecordCommitResult,
  type RecordQuery,
  type RecordRow,
} from "@throughline/core";
import { endOfPrefix, labelsOfNamespaceKey, namespaceKey, sortKey, textOfSortKey } from "@throughline/core/store-kit";
import type { SqlValue } from "./driver.ts";
import { blank, putText } from "./heap.ts";
import { findAgent, obtainAgent } from "./names.ts";
import { placeholders, type Session, Undo } from "./session.ts";

type Columns = [
  namespace: Uint8Array,
  key: Uint8Array,
  version: number,
  createdAt: string,
  updatedAt: string,
  expiresAt: string | null,
  subject: string | null,
  value: string,
];

const SELECT = `SELECT r.namespace, r.key, r.version, r.created_at, r.updated_at, r.expires_at, r.subject, h.data
  FROM record r CROSS JOIN heap h ON h.ref = r.body`;
const LIVE = "(r.expires_at IS NULL OR r.expires_at > ?)";

/** Live records by key or by the first labels of their namespace. */
export function readRecords(session: Session, owner: AgentOwner, query: RecordQuery): RecordRow[] {
  const agent = findAgent(session, owner);
  if (agent === undefined) return [];
  const { namespace, keys, now, order = "namespace", limit, offset = 0 } = query;
  const prefix = namespaceKey(namespace);
  const which =
    keys === undefined
      ? { sql: "r.namespace >= ? AND r.namespace < ?", parameters: [prefix, endOfPrefix(prefix)] }
      : {
          sql: `r.namespace = ? AND r.key IN (${placeholders(keys.length)})`,
          parameters: [prefix, ...keys.map(sortKey)],
        };
  const by = order === "updated" ? "r.updated_at DESC, r.namespace, r.key" : "r.namespace, r.key";
  const sql = `${SELECT} WHERE r.agent = ? AND ${which.sql} AND ${LIVE} ORDER BY ${by} LIMIT ? OFFSET ?`;
  const page: SqlValue[] = [now, Math.max(0, limit), Math.max(0, offset)];
  return session.rows<Columns>(sql, agent, ...which.parameters, ...page).map(toRecord);
}

/** Applies all commits in order, or none. */
export function commitRecords(
  session: Session,
  owner: AgentOwner,
  commits: readonly RecordCommit[],
  now: string,
): RecordCommitResult {
  const agent = obtainAgent(session, owner);
  const versions = commits.map((commit, index) => {
    const result = commitRecord(session, agent, commit, now);
    if (result.isConflict) {
      throw new Undo<RecordCommitResult>({ status: "conflict", index, version: result.version });
    }
    return result.version;
  });
  return { status: "committed", versions };
}

function commitRecord(
  session: Session,
  agent: number,
  commit: RecordCommit,
  now: string,
): { isConflict: boolean; version: number } {
  const namespace = namespaceKey(commit.namespace);
  const key = sortKey(commit.key);
  const found = session.row<[version: number, createdAt: string, expiresAt: string | null, body: number]>(
    "SELECT version, created_at, expires_at, body FROM record WHERE agent = ? AND namespace = ? AND key = ?",
    agent,
    namespace,
    key,
  );
  // A record that has expired is not there; the next one begins anew.
  const [version, createdAt] = found !== undefined && (found[2] === null || found[2] > now) ? found : [0, now];
  if (commit.ifVersion !== undefined && commit.ifVersion !== version) return { isConflict: true, version };
  if (found !== undefined) {
    removeRecord(session, agent, namespace, key, found[3]);
  }
  if (commit.value === undefined) {
    if (found !== undefined) session.needsScrub = true;
    return { isConflict: false, version: 0 };
  }
  session.run(
    `INSERT INTO record (agent, namespace, key, version, created_at, updated_at, expires_at, subject, body)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    agent,
    namespace,
    key,
    version + 1,
    createdAt,
    now,
    commit.expiresAt ?? null,
    commit.subject ?? null,
    putText(session, writeValue(commit.value)),
  );
  return { isConflict: false, version: version + 1 };
}

/** Distinct namespaces with live records, each found by one look behind the one before. */
export function listNamespaces(
  session: Session,
  owner: AgentOwner,
  query: { prefix?: readonly string[]; limit: number; after?: readonly string[]; now: string },
): string[][] {
  const agent = findAgent(session, owner);
  if (agent === undefined) return [];
  const prefix = namespaceKey(query.prefix ?? []);
  const end = endOfPrefix(prefix);
  const next = (
    isFirst: boolean,
  ) => `SELECT r.namespace FROM record r WHERE r.agent = ? AND r.namespace ${isFirst ? ">=" : ">"} ?
    AND r.namespace < ? AND ${LIVE} ORDER BY r.namespace LIMIT 1`;
  const found: string[][] = [];
  let behind = query.after === undefined ? undefined : namespaceKey(query.after);
  // What comes before the prefix doesn't narrow it.
  if (behind !== undefined && Buffer.compare(behind, prefix) < 0) behind = undefined;
  while (found.length < query.limit) {
    const from = behind ?? prefix;
    const [namespace] = session.row<[Uint8Array]>(next(behind === undefined), agent, from, end, query.now) ?? [];
    if (namespace === undefined) break;
    found.push(labelsOfNamespaceKey(namespace));
    behind = namespace;
  }
  return found;
}

function toRecord([namespace, key, version, createdAt, updatedAt, expiresAt, subject, value]: Columns): RecordRow {
  const record: RecordRow = {
    namespace: labelsOfNamespaceKey(namespace),
    key: textOfSortKey(key),
    value: JSON.parse(value),
    version,
    createdAt,
    updatedAt,
  };
  if (expiresAt !== null) record.expiresAt = expiresAt;
  if (subject !== null) record.subject = subject;
  return record;
}

function writeValue(value: RecordCommit["value"]): string {
  try {
    return JSON.stringify(value);
  } catch (cause) {
    throw new MemoryError("INVALID_JSON", "A record's value is not plain JSON.", { cause });
  }
}

/** Removes one record, its text's bytes too. */
export function removeRecord(
  session: Session,
  agent: number,
  namespace: Uint8Array,
  key: Uint8Array,
  body: number,
): void {
  blank(session, body);
  session.run("DELETE FROM record WHERE agent = ? AND namespace = ? AND key = ?", agent, namespace, key);
}
