import type { FactOwner } from "../../contract/owner.ts";
import type { FactCommit, FactCommitResult, FactQuery } from "../../contract/store-facts.ts";
import type { FactSet } from "../../contract/store-rows.ts";
import { matchesFactQuery } from "../../store-kit/fact-query.ts";
import { compareText, compareUpdated } from "../../store-kit/orders.ts";
import { plainCopy as copy } from "../../store-kit/plain-copy.ts";
import { refusalOfFacts } from "../../store-kit/refusals.ts";
import type { ErasureMark, State } from "./state.ts";

export function readFacts(state: State, owners: readonly FactOwner[], query: FactQuery): FactSet[] {
  return owners.map((owner) => {
    const { version, facts } = state.facts(owner);
    const found = [...facts.values()].filter((fact) => matchesFactQuery(fact, query)).sort(compareUpdated);
    return copy({ owner, version, facts: found.slice(0, query.limit), total: found.length });
  });
}

export function commitFacts(state: State, owner: FactOwner, commit: FactCommit): FactCommitResult {
  const stored = state.facts(owner);
  const { beganAt, subject, operation, tombstones = {} } = commit;
  const marks = [erasureMarkOf(owner), subject === undefined ? null : ofSubject(owner, subject)];
  const refusal = refusalOfFacts(commit, {
    version: stored.version,
    hasTombstone: (hash) => stored.tombstones.has(hash),
    resultOf: (key) => stored.operations.get(key)?.result,
    isErased: beganAt !== undefined && marks.some((mark) => mark !== null && state.isErasedSince(mark, beganAt)),
  });
  if (refusal !== null) return refusal;

  const put = copy(commit.put);
  for (const id of commit.erase ?? []) stored.facts.delete(id);
  for (const fact of put) stored.facts.set(fact.id, fact);
  for (const hash of tombstones.lift ?? []) stored.tombstones.delete(hash);
  for (const hash of tombstones.add ?? []) stored.tombstones.add(hash);
  if (operation !== undefined) {
    stored.operations.set(operation.key, { result: operation.result, at: commit.now });
  }
  stored.version += 1;
  return { status: "committed", version: stored.version };
}

export function readTombstones(state: State, owner: FactOwner): string[] {
  return [...state.facts(owner).tombstones].sort(compareText);
}

/** What would have to be erased for the owner's facts to be; `null` for the agent's own. */
function erasureMarkOf({ tenant, agent, scope, id }: FactOwner): ErasureMark | null {
  if (scope === "app") return null;
  return [tenant, agent, scope === "conversation" ? "conversation" : "subject", id];
}

const ofSubject = ({ tenant, agent }: FactOwner, subject: string): ErasureMark => [tenant, agent, "subject", subject];

/** Removes an owner's facts with all that belongs to them; nothing says that there were any. */
export function eraseFacts(state: State, owner: FactOwner): number {
  const count = state.facts(owner).facts.size;
  state.dropFacts(owner);
  return count;
}
