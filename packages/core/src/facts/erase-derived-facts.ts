import type { Fact } from "../contract/fact.ts";
import type { FactOwner } from "../contract/owner.ts";
import { MemoryError } from "../errors/memory-error.ts";
import type { Engine } from "../memory/engine.ts";
import { CONFLICT_TRIES, HISTORY_LIMIT, readOwner } from "./fact-access.ts";
import { revived } from "./undo-fact.ts";

/**
 * Erases the facts of an owner whose evidence is one conversation; what they superseded is live again. No tombstone: the
 * evidence went, the person didn't say that it was to be forgotten. Answers how many went.
 */
export async function eraseDerivedFacts(engine: Engine, owner: FactOwner, conversation: string): Promise<number> {
  const store = await engine.store();
  for (let attempt = 0; attempt < CONFLICT_TRIES; attempt++) {
    const now = engine.now();
    const set = await readOwner(engine, owner, { now, history: true, limit: HISTORY_LIMIT });
    const gone = new Set(set.facts.filter((fact) => fact.source?.conversation === conversation).map((fact) => fact.id));
    if (gone.size === 0) return 0;
    const put = set.facts.filter((fact) => !gone.has(fact.id)).flatMap((fact) => mended(fact, set.facts, gone, now));
    const result = await store.commitFacts(owner, { expectedVersion: set.version, now, put, erase: [...gone] });
    if (result.status === "committed") return gone.size;
  }
  throw new MemoryError("STORE_BUSY", "The facts of this owner change too fast to erase some; try again.");
}

/** A fact that stays, without what pointed at facts that go: handed on along the chain, or live again. */
function mended(fact: Fact, all: readonly Fact[], gone: ReadonlySet<string>, now: string): Fact[] {
  if (fact.disputedWith !== undefined && gone.has(fact.disputedWith)) {
    const { disputedWith: _disputedWith, ...rest } = fact;
    return [{ ...rest, version: fact.version + 1 }];
  }
  if (fact.supersededBy === undefined || !gone.has(fact.supersededBy)) return [];
  let next: string | undefined = fact.supersededBy;
  while (next !== undefined && gone.has(next)) next = all.find((other) => other.id === next)?.supersededBy;
  return [next === undefined ? revived(fact, now) : { ...fact, supersededBy: next, version: fact.version + 1 }];
}
