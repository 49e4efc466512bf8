import { checkId } from "../checks/ids.ts";
import type { Fact } from "../contract/fact.ts";
import type { Outcome } from "../contract/outcome.ts";
import type { FactOwner } from "../contract/owner.ts";
import { MemoryError } from "../errors/memory-error.ts";
import type { Engine } from "../memory/engine.ts";
import { retryingWrite } from "../memory/resilience.ts";
import { CONFLICT_TRIES, HISTORY_LIMIT, readOwner } from "./fact-access.ts";
import { tombstoneHash } from "./tombstones.ts";

/**
 * Takes back a change that the agent or a distiller made: the fact goes and leaves a tombstone, what it superseded is
 * live again. `refused` with `NOT_FOUND` where none of the owners holds it.
 */
export async function undoFact(engine: Engine, owners: readonly FactOwner[], id: string): Promise<Outcome> {
  checkId(id, "fact id");
  for (const owner of owners) {
    const outcome = await retryingWrite(engine, "undo", () => undoIn(engine, owner, id));
    if (outcome === null) continue;
    engine.emit({ type: "memory.changed", operation: "undo", items: 1 });
    return outcome;
  }
  return { status: "refused", id, code: "NOT_FOUND", reason: "There is no such fact to undo." };
}

async function undoIn(engine: Engine, owner: FactOwner, id: string): Promise<Outcome | null> {
  const store = await engine.store();
  for (let attempt = 0; attempt < CONFLICT_TRIES; attempt++) {
    const now = engine.now();
    const set = await readOwner(engine, owner, { now, history: true, limit: HISTORY_LIMIT });
    const fact = set.facts.find((candidate) => candidate.id === id);
    if (fact === undefined) return null;
    const before = set.facts.filter((candidate) => candidate.supersededBy === id);
    const result = await store.commitFacts(owner, {
      expectedVersion: set.version,
      now,
      put:
        fact.validTo === undefined
          ? before.map((older) => revived(older, now, fact.version))
          : before.map((older) => handedOn(older, fact)),
      erase: [id],
      tombstones: { add: [await tombstoneHash(engine, fact)] },
    });
    if (result.status === "committed") return { status: "stored", id };
  }
  throw new MemoryError("STORE_BUSY", "The facts of this owner change too fast to undo one; try again.");
}

/** A superseded fact that is live again, with a version that its key didn't have before. */
export function revived(fact: Fact, now: string, lastVersion = 0): Fact {
  const { validTo: _validTo, supersededBy: _supersededBy, ...rest } = fact;
  return { ...rest, updatedAt: now, version: Math.max(fact.version, lastVersion) + 1 };
}

/** A fact whose successor goes: what superseded that one supersedes it. */
function handedOn(fact: Fact, gone: Fact): Fact {
  const { supersededBy: _supersededBy, ...rest } = fact;
  return {
    ...rest,
    ...(gone.supersededBy === undefined ? {} : { supersededBy: gone.supersededBy }),
    version: fact.version + 1,
  };
}
