import type { Fact } from "../../contract/fact.ts";
import type { FactOwner } from "../../contract/owner.ts";
import type { FactCommit, FactCommitResult, FactQuery } from "../../contract/store-facts.ts";
import type { FactSet } from "../../contract/store-rows.ts";
import { compareText, copy } from "./copy.ts";
import type { ErasureMark, State } from "./state.ts";

export function readFacts(state: State, owners: readonly FactOwner[], query: FactQuery): FactSet[] {
  return owners.map((owner) => {
    const { version, facts } = state.facts(owner);
    const found = [...facts.values()]
      .filter((fact) => isAsked(fact, query) && isCurrent(fact, query))
      .sort((left, right) => compareText(right.updatedAt, left.updatedAt) || compareText(left.id, right.id));
    return copy({ owner, version, facts: found.slice(0, query.limit), total: found.length });
  });
}

function isAsked(fact: Fact, query: FactQuery): boolean {
  const { ids, keys, type, tags } = query;
  if (ids !== undefined && !ids.includes(fact.id)) return false;
  if (keys !== undefined && (fact.key === undefined || !keys.includes(fact.key))) return false;
  if (type !== undefined && fact.type !== type) return false;
  return tags === undefined || tags.some((tag) => fact.tags.includes(tag));
}

function isCurrent(fact: Fact, query: FactQuery): boolean {
  if (query.asOf !== undefined) {
    return fact.validFrom <= query.asOf && endsAfter(fact.validTo, query.asOf) && endsAfter(fact.expiresAt, query.asOf);
  }
  return query.history === true || (fact.validTo === undefined && endsAfter(fact.expiresAt, query.now));
}

function endsAfter(end: string | undefined, moment: string): boolean {
  return end === undefined || end > moment;
}

export function commitFacts(state: State, owner: FactOwner, commit: FactCommit): FactCommitResult {
  const stored = state.facts(owner);
  const { beganAt, subject, operation, unlessTombstoned = [], tombstones = {} } = commit;
  const marks = [erasureMarkOf(owner), subject === undefined ? null : ofSubject(owner, subject)];
  if (beganAt !== undefined && marks.some((mark) => mark !== null && state.isErasedSince(mark, beganAt))) {
    return { status: "erased" };
  }
  const before = operation === undefined ? undefined : stored.operations.get(operation.key);
  if (before !== undefined) return { status: "repeated", result: before.result };
  if (commit.expectedVersion !== stored.version) return { status: "conflict", version: stored.version };
  const hashes = unlessTombstoned.filter((hash) => stored.tombstones.has(hash));
  if (hashes.length > 0) return { status: "tombstoned", hashes };

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
