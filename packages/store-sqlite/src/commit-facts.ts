import { type FactCommit, type FactCommitResult, type FactOwner, MemoryError } from "@throughline/core";
import { type ErasureMark, erasedAt } from "./erasure-marks.ts";
import { QUOTE_IN_FACT, writeFact } from "./fact-body.ts";
import { insertFact } from "./facts.ts";
import { blank, getText, putText } from "./heap.ts";
import { checkId, factOwnerKey, findOwner, obtainAgent, obtainOwner } from "./names.ts";
import type { Session } from "./session.ts";

/** Compare-and-set on the facts of one owner. */
export function commitFacts(session: Session, owner: FactOwner, commit: FactCommit): FactCommitResult {
  const { beganAt, operation, unlessTombstoned = [], tombstones = {}, erase = [] } = commit;
  if (beganAt !== undefined) {
    const at = erasedAt(session, erasureMarksOf(owner, commit.subject));
    if (at !== null && at >= beganAt) return { status: "erased" };
  }
  const known = factOwnerKey(session, owner);
  const stored = known === undefined ? undefined : findOwner(session, known);
  const version = stored?.version ?? 0;
  if (operation !== undefined && stored !== undefined) {
    const [result] =
      session.row<[number]>("SELECT result FROM operation WHERE owner = ? AND key = ?", stored.ref, operation.key) ??
      [];
    if (result !== undefined) return { status: "repeated", result: JSON.parse(getText(session, result)) };
  }
  if (commit.expectedVersion !== version) return { status: "conflict", version };
  if (stored !== undefined) {
    const hashes = unlessTombstoned.filter(
      (hash) => session.row("SELECT 1 FROM tombstone WHERE owner = ? AND hash = ?", stored.ref, hash) !== undefined,
    );
    if (hashes.length > 0) return { status: "tombstoned", hashes };
  }

  const agent = obtainAgent(session, { tenant: owner.tenant, agent: owner.agent ?? "" });
  const { ref } = stored ?? obtainOwner(session, newKey(session, owner));
  if (erase.length > 0) session.needsScrub = true;
  for (const id of erase) removeFact(session, ref, id);
  for (const fact of commit.put) {
    // Words that were erased: no copy of them may stay in the log. A value that is replaced stays in the history.
    if (fact.source?.quote === undefined && isQuoting(session, ref, fact.id)) session.needsScrub = true;
    removeFact(session, ref, fact.id);
    insertFact(session, { agent, ref }, fact, putText(session, writeFact(fact)));
  }
  for (const hash of tombstones.lift ?? []) {
    session.run("DELETE FROM tombstone WHERE owner = ? AND hash = ?", ref, hash);
  }
  for (const hash of tombstones.add ?? []) {
    session.run("INSERT OR IGNORE INTO tombstone (owner, hash) VALUES (?, ?)", ref, hash);
  }
  if (operation !== undefined) {
    const result = putText(session, JSON.stringify(operation.result));
    session.run(
      "INSERT INTO operation (owner, key, agent, at, result) VALUES (?, ?, ?, ?, ?)",
      ref,
      operation.key,
      agent,
      commit.now,
      result,
    );
  }
  session.run("UPDATE owner SET version = ? WHERE ref = ?", version + 1, ref);
  return { status: "committed", version: version + 1 };
}

/** Whose erasure takes the owner's facts with it, none for the agent's own; and the subject's that is named. */
function erasureMarksOf({ tenant, agent, scope, id }: FactOwner, subject: string | undefined): ErasureMark[] {
  const marks: ErasureMark[] = [];
  if (scope !== "app") marks.push([tenant, agent, scope === "conversation" ? "conversation" : "subject", id]);
  if (subject !== undefined) marks.push([tenant, agent, "subject", subject]);
  return marks;
}

function newKey(session: Session, owner: FactOwner): string {
  if (owner.scope !== "app") checkId(owner.id);
  const key = factOwnerKey(session, owner);
  if (key === undefined) throw new MemoryError("STORE_FAILED", "An agent that was just written is not there.");
  return key;
}

function isQuoting(session: Session, owner: number, id: string): boolean {
  const stored = `SELECT ${QUOTE_IN_FACT} FROM fact f JOIN heap h ON h.ref = f.body WHERE f.owner = ? AND f.id = ?`;
  return typeof session.row<[string | null]>(stored, owner, id)?.[0] === "string";
}

/** Removes a fact with its bytes. */
export function removeFact(session: Session, owner: number, id: string): void {
  const [body] = session.row<[number]>("SELECT body FROM fact WHERE owner = ? AND id = ?", owner, id) ?? [];
  if (body === undefined) return;
  blank(session, body);
  session.run("DELETE FROM fact WHERE owner = ? AND id = ?", owner, id);
}
