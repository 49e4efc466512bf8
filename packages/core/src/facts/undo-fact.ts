import { checkId } from "../checks/ids.ts";
import type { Fact } from "../contract/fact.ts";
import type { Json } from "../contract/json.ts";
import type { Outcome } from "../contract/outcome.ts";
import type { FactOwner } from "../contract/owner.ts";
import { MemoryError } from "../errors/memory-error.ts";
import type { Engine } from "../memory/engine.ts";
import { retryingWrite } from "../memory/resilience.ts";
import { addedMembers, membersOf, sameValue } from "./comparable.ts";
import { CONFLICT_TRIES, HISTORY_LIMIT, readOwner } from "./fact-access.ts";
import { removeFacts } from "./remove-facts.ts";
import { takeTurns } from "./take-turns.ts";
import { forgottenAmong, hashesOf, tombstoneHashes } from "./tombstones.ts";

/** Owners that are looked through at a time. */
const OWNERS = 200;

/**
 * Takes back a change that the agent or a distiller made: the fact goes and leaves a tombstone, what it superseded is
 * live again unless the person had that forgotten or the slot has another value by now. What it added to a list goes from
 * the list. `refused` with `NOT_FOUND` where none of the owners holds it, with `NOT_UNDOABLE` where a person, an operator
 * or an import wrote it.
 */
export async function undoFact(engine: Engine, owners: readonly FactOwner[], id: string): Promise<Outcome> {
  checkId(id, "fact id");
  const owner = await holderAmong(engine, owners, id);
  const tried: Tried = { isUnsure: false };
  const undo = (holder: FactOwner) => takeTurns(engine, holder, () => undoIn(engine, holder, id, tried));
  const outcome = owner && (await retryingWrite(engine, "undo", () => undo(owner)));
  if (!outcome) return { status: "refused", id, code: "NOT_FOUND", reason: "There is no such fact to undo." };
  if (outcome.status === "stored") engine.emit({ type: "memory.changed", operation: "undo", items: 1 });
  return outcome;
}

async function holderAmong(engine: Engine, owners: readonly FactOwner[], id: string): Promise<FactOwner | null> {
  const store = await engine.store();
  for (let from = 0; from < owners.length; from += OWNERS) {
    const query = { now: engine.now(), ids: [id], history: true, limit: 1 };
    const sets = await store.readFacts(owners.slice(from, from + OWNERS), query);
    const found = sets.find((set) => set.facts.length > 0);
    if (found) return found.owner;
  }
  return null;
}

/** Whether the store was told to undo the fact, and may have: its answer was lost. */
interface Tried {
  isUnsure: boolean;
}

async function undoIn(engine: Engine, owner: FactOwner, id: string, tried: Tried): Promise<Outcome | null> {
  const store = await engine.store();
  for (let attempt = 0; attempt < CONFLICT_TRIES; attempt++) {
    const now = engine.now();
    const set = await readOwner(engine, owner, { now, history: true, limit: HISTORY_LIMIT });
    const fact = set.facts.find((candidate) => candidate.id === id);
    if (fact === undefined) return tried.isUnsure ? { status: "stored", id } : null;
    if (fact.author !== "agent" && fact.author !== "distiller") {
      const reason = "Only what the agent or a distiller wrote can be undone; forget it instead.";
      return { status: "refused", id, code: "NOT_UNDOABLE", reason };
    }
    // Read after the facts: a tombstone that is added meanwhile makes the commit a conflict.
    const tombstones = new Set(await store.readTombstones(owner));
    const before = set.facts.filter((older) => older.supersededBy === id);
    const past = set.facts.filter((older) => older.validTo !== undefined && older.key === fact.key);
    const forgotten = await forgottenAmong(engine, tombstones, past);
    const facts = withoutMembers(set.facts, fact, before);
    const { put, erase } = removeFacts(facts, new Set([id]), now, (older) => !forgotten.has(older.id));
    const changed = new Map(facts.filter((later) => !set.facts.includes(later)).map((later) => [later.id, later]));
    for (const end of put) changed.set(end.id, end);
    for (const gone of erase) changed.delete(gone);
    const kept = new Set(await hashesOf(engine, before));
    tried.isUnsure = true;
    const result = await store.commitFacts(owner, {
      expectedVersion: set.version,
      now,
      put: [...changed.values()],
      erase,
      // What was there before the change isn't the change's to have forgotten.
      tombstones: { add: (await tombstoneHashes(engine, fact)).filter((hash) => !kept.has(hash)) },
    });
    if (result.status === "committed") return { status: "stored", id };
    tried.isUnsure = false;
  }
  throw new MemoryError("STORE_BUSY", "The facts of this owner change too fast to undo one; try again.");
}

/** The facts, with what one of them added to a list taken out of that list's later versions. Pure. */
function withoutMembers(all: readonly Fact[], fact: Fact, before: readonly Fact[]): Fact[] {
  const added = before.map((older) => addedMembers(older.value, fact.value)).find((members) => members !== null);
  const members = added ?? membersOf(fact.value);
  const isUndone = (value: Json): boolean => members.some((member) => sameValue(member, value));
  const byId = new Map(all.map((other) => [other.id, other]));
  const shorter = new Map<string, Fact>();
  for (let version: Fact = fact; version.supersededBy !== undefined; ) {
    const next = byId.get(version.supersededBy);
    if (next === undefined || shorter.has(next.id) || addedMembers(version.value, next.value) === null) break;
    const value = membersOf(next.value).filter((member) => !isUndone(member));
    shorter.set(next.id, { ...next, value, version: next.version + 1 });
    version = next;
  }
  return all.map((other) => shorter.get(other.id) ?? other);
}
