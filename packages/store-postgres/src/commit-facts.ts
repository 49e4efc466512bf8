import type { Fact, FactCommit, FactCommitResult, FactOwner } from "@throughline/core";
import { type ErasureMark, lockErasures } from "./erasure-marks.ts";
import { factKey } from "./facts.ts";
import { type Session, Undo } from "./session.ts";
import { checkId, compareText, readText, writeJson, writeText } from "./text.ts";

type Key = [tenant: string, agent: string, scope: string, id: string];

const OF_OWNER = "tenant = $1 AND agent = $2 AND scope = $3 AND owner = $4";

/** Compare-and-set on the facts of one owner. */
export async function commitFacts(session: Session, owner: FactOwner, commit: FactCommit): Promise<FactCommitResult> {
  const { beganAt, operation, unlessTombstoned = [], tombstones = {}, erase = [] } = commit;
  for (const id of [owner.tenant, ...(owner.agent === null ? [] : [owner.agent])]) checkId(id);
  if (owner.scope !== "app") checkId(owner.id);
  const key = factKey(owner);
  const { version, isNew } = await lockOwner(session, key);
  const stop = (answer: FactCommitResult): FactCommitResult => {
    if (isNew) throw new Undo(answer);
    return answer;
  };
  const marks = marksOf(key, commit.subject);
  if (beganAt !== undefined && marks.length > 0) {
    const at = await lockErasures(session, key[0], marks);
    if (at !== null && at >= beganAt) return stop({ status: "erased" });
  }
  if (operation !== undefined) {
    const done = await session.row<{ result: string }>(
      `SELECT result FROM #operation WHERE ${OF_OWNER} AND key = $5`,
      ...key,
      writeText(operation.key),
    );
    if (done !== undefined) return stop({ status: "repeated", result: JSON.parse(done.result) });
  }
  if (commit.expectedVersion !== version) return stop({ status: "conflict", version });
  if (unlessTombstoned.length > 0) {
    const rows = await session.rows<{ hash: string }>(
      `SELECT hash FROM #tombstone WHERE ${OF_OWNER} AND hash = ANY ($5)`,
      ...key,
      unlessTombstoned.map(writeText),
    );
    const found = new Set(rows.map(({ hash }) => hash));
    const hashes = unlessTombstoned.filter((hash) => found.has(writeText(hash)));
    if (hashes.length > 0) return stop({ status: "tombstoned", hashes });
  }

  if (erase.length > 0) {
    await session.run(`DELETE FROM #fact WHERE ${OF_OWNER} AND id = ANY ($5)`, ...key, erase.map(writeText));
  }
  for (const fact of commit.put) await putFact(session, key, fact);
  const { add = [], lift = [] } = tombstones;
  if (lift.length > 0) {
    await session.run(`DELETE FROM #tombstone WHERE ${OF_OWNER} AND hash = ANY ($5)`, ...key, lift.map(writeText));
  }
  if (add.length > 0) {
    await session.run(
      `INSERT INTO #tombstone (tenant, agent, scope, owner, hash)
        SELECT $1, $2, $3, $4, h FROM unnest($5::text[]) h ON CONFLICT DO NOTHING`,
      ...key,
      add.map(writeText),
    );
  }
  if (operation !== undefined) {
    await session.run(
      "INSERT INTO #operation (tenant, agent, scope, owner, key, at, result) VALUES ($1, $2, $3, $4, $5, $6, $7)",
      ...key,
      writeText(operation.key),
      commit.now,
      JSON.stringify(operation.result),
    );
  }
  await session.run(
    "UPDATE #fact_owner SET version = $5 WHERE tenant = $1 AND agent = $2 AND scope = $3 AND id = $4",
    ...key,
    version + 1,
  );
  return { status: "committed", version: version + 1 };
}

/** Hashes of the owner's values that must not come back. */
export async function readTombstones(session: Session, owner: FactOwner): Promise<string[]> {
  const rows = await session.rows<{ hash: string }>(`SELECT hash FROM #tombstone WHERE ${OF_OWNER}`, ...factKey(owner));
  return rows.map(({ hash }) => readText(hash)).sort(compareText);
}

/** The version of an owner's facts, which no other transaction changes until this one ends. */
export async function lockOwner(session: Session, key: Key): Promise<{ version: number; isNew: boolean }> {
  const made = await session.count(
    "INSERT INTO #fact_owner (tenant, agent, scope, id) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING RETURNING 1",
    ...key,
  );
  const found = await session.row<{ version: number }>(
    "SELECT version FROM #fact_owner WHERE tenant = $1 AND agent = $2 AND scope = $3 AND id = $4 FOR UPDATE",
    ...key,
  );
  // Erased in between: made anew.
  return found === undefined ? lockOwner(session, key) : { version: found.version, isNew: made > 0 };
}

async function putFact(session: Session, key: Key, fact: Fact): Promise<void> {
  await session.run(
    `INSERT INTO #fact (tenant, agent, scope, owner, id, key, type, tags, updated_at, expires_at, valid_from, valid_to, body)
      VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13)
      ON CONFLICT (tenant, agent, scope, owner, id) DO UPDATE SET key = excluded.key, type = excluded.type,
        tags = excluded.tags, updated_at = excluded.updated_at, expires_at = excluded.expires_at,
        valid_from = excluded.valid_from, valid_to = excluded.valid_to, body = excluded.body`,
    ...key,
    writeText(fact.id),
    fact.key === undefined ? null : writeText(fact.key),
    fact.type,
    fact.tags.map(writeText),
    fact.updatedAt,
    fact.expiresAt ?? null,
    fact.validFrom,
    fact.validTo ?? null,
    writeJson(fact, "A fact's value"),
  );
}

/** Whose erasure takes the owner's facts with it, none for the agent's own; and the subject's that is named. */
function marksOf([, agent, scope, id]: Key, subject: string | undefined): ErasureMark[] {
  const marks: ErasureMark[] = [];
  if (scope !== "app") marks.push({ agent, kind: scope === "conversation" ? "conversation" : "subject", id });
  if (subject !== undefined) marks.push({ agent, kind: "subject", id: writeText(subject) });
  return marks;
}
