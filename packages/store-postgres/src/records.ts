import type { AgentOwner, RecordCommit, RecordCommitResult, RecordQuery, RecordRow } from "@throughline/core";
import { endOfPrefix, labelsOfNamespaceKey, namespaceKey, sortKey, textOfSortKey } from "@throughline/core/store-kit";
import { toBytes } from "./bytes.ts";
import { agentKey } from "./conversation-rows.ts";
import { Parameters, type Session, Undo } from "./session.ts";
import { checkId, readText, toInteger, writeJson, writeText } from "./text.ts";

interface Columns {
  namespace: unknown;
  key: unknown;
  version: number;
  created_at: string;
  updated_at: string;
  expires_at: string | null;
  subject: string | null;
  value: string;
}

/** Live records by key or by the first labels of their namespace. */
export async function readRecords(session: Session, owner: AgentOwner, query: RecordQuery): Promise<RecordRow[]> {
  const { namespace, keys, now, order = "namespace", limit, offset = 0 } = query;
  const parameters = new Parameters();
  const [tenant, agent] = agentKey(owner).map((name) => parameters.add(name));
  const prefix = namespaceKey(namespace);
  const where = [`tenant = ${tenant} AND agent = ${agent}`];
  where.push(`(expires_at IS NULL OR expires_at > ${parameters.add(now)})`);
  if (keys === undefined) {
    where.push(`namespace >= ${parameters.add(prefix)} AND namespace < ${parameters.add(endOfPrefix(prefix))}`);
  } else {
    where.push(`namespace = ${parameters.add(prefix)} AND key = ANY (${parameters.add(keys.map(sortKey))}::bytea[])`);
  }
  const rows = await session.rows<Columns>(
    `SELECT namespace, key, version, created_at, updated_at, expires_at, subject, value FROM #record
      WHERE ${where.join(" AND ")}
      ORDER BY ${order === "updated" ? "updated_at DESC, " : ""}namespace, key
      LIMIT ${parameters.add(Math.max(0, toInteger(limit)))} OFFSET ${parameters.add(Math.max(0, toInteger(offset)))}`,
    ...parameters.values,
  );
  return rows.map(toRecord);
}

function toRecord(columns: Columns): RecordRow {
  const record: RecordRow = {
    namespace: labelsOfNamespaceKey(toBytes(columns.namespace)),
    key: textOfSortKey(toBytes(columns.key)),
    value: JSON.parse(columns.value),
    version: columns.version,
    createdAt: columns.created_at,
    updatedAt: columns.updated_at,
  };
  if (columns.expires_at !== null) record.expiresAt = columns.expires_at;
  if (columns.subject !== null) record.subject = readText(columns.subject);
  return record;
}

/** Applies all commits in order, or none. */
export async function commitRecords(
  session: Session,
  owner: AgentOwner,
  commits: readonly RecordCommit[],
  now: string,
): Promise<RecordCommitResult> {
  for (const id of [owner.tenant, owner.agent]) checkId(id);
  const versions: number[] = [];
  for (const [index, commit] of commits.entries()) {
    const { version, isConflict } = await commitRecord(session, agentKey(owner), commit, now);
    if (isConflict) throw new Undo<RecordCommitResult>({ status: "conflict", index, version });
    versions.push(version);
  }
  return { status: "committed", versions };
}

const ONE_RECORD = "tenant = $1 AND agent = $2 AND namespace = $3 AND key = $4";

async function commitRecord(
  session: Session,
  agent: [string, string],
  commit: RecordCommit,
  now: string,
): Promise<{ version: number; isConflict: boolean }> {
  const key = [...agent, namespaceKey(commit.namespace), sortKey(commit.key)];
  const found = await session.row<{ version: number; created_at: string; expires_at: string | null }>(
    `SELECT version, created_at, expires_at FROM #record WHERE ${ONE_RECORD} FOR UPDATE`,
    ...key,
  );
  // A record that has expired is not there; the next one begins anew.
  const isLive = found !== undefined && (found.expires_at === null || found.expires_at > now);
  const version = isLive ? found.version : 0;
  if (commit.ifVersion !== undefined && commit.ifVersion !== version) return { version, isConflict: true };
  if (commit.value === undefined) {
    if (found !== undefined) await session.run(`DELETE FROM #record WHERE ${ONE_RECORD}`, ...key);
    return { version: 0, isConflict: false };
  }
  const values = [
    version + 1,
    isLive ? found.created_at : now,
    now,
    commit.expiresAt ?? null,
    commit.subject === undefined ? null : writeText(commit.subject),
    writeJson(commit.value, "A record's value"),
  ];
  // Where another transaction inserts it at the same time, one of both begins again and sees the other's.
  const sql =
    found === undefined
      ? `INSERT INTO #record (tenant, agent, namespace, key, version, created_at, updated_at, expires_at, subject, value)
          VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)`
      : `UPDATE #record SET version = $5, created_at = $6, updated_at = $7, expires_at = $8, subject = $9, value = $10
          WHERE ${ONE_RECORD}`;
  await session.run(sql, ...key, ...values);
  return { version: version + 1, isConflict: false };
}

/** Distinct namespaces with live records. */
export async function listNamespaces(
  session: Session,
  owner: AgentOwner,
  query: { prefix?: readonly string[]; limit: number; after?: readonly string[]; now: string },
): Promise<string[][]> {
  const prefix = namespaceKey(query.prefix ?? []);
  const rows = await session.rows<{ namespace: unknown }>(
    `SELECT DISTINCT namespace FROM #record WHERE tenant = $1 AND agent = $2 AND namespace >= $3 AND namespace < $4
      AND ($5::bytea IS NULL OR namespace > $5) AND (expires_at IS NULL OR expires_at > $6) ORDER BY namespace LIMIT $7`,
    ...agentKey(owner),
    prefix,
    endOfPrefix(prefix),
    query.after === undefined ? null : namespaceKey(query.after),
    query.now,
    Math.max(0, toInteger(query.limit)),
  );
  return rows.map(({ namespace }) => labelsOfNamespaceKey(toBytes(namespace)));
}
