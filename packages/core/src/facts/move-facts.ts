import type { Fact } from "../contract/fact.ts";
import type { FactOwner } from "../contract/owner.ts";
import { MemoryError } from "../errors/memory-error.ts";
import type { Engine } from "../memory/engine.ts";
import { CONFLICT_TRIES, HISTORY_LIMIT, readOwner } from "./fact-access.ts";

/**
 * Files all facts of one owner under another, history included. Where both hold a live fact of one key the newer one
 * stays live and the other becomes its history. Answers how many facts moved. Put first, erased then: a crash between
 * the two leaves facts under both owners, and moving again settles it.
 */
export async function moveFacts(engine: Engine, from: FactOwner, to: FactOwner): Promise<number> {
  const store = await engine.store();
  for (let attempt = 0; attempt < CONFLICT_TRIES; attempt++) {
    const now = engine.now();
    const query = { now, history: true, limit: HISTORY_LIMIT };
    const [source, target] = [await readOwner(engine, from, query), await readOwner(engine, to, query)];
    if (source.facts.length === 0) return 0;
    const put = mergeFacts(source.facts, target.facts, now);
    const written = await store.commitFacts(to, { expectedVersion: target.version, now, put });
    if (written.status !== "committed") continue;
    const ids = source.facts.map((fact) => fact.id);
    const erased = await store.commitFacts(from, { expectedVersion: source.version, now, put: [], erase: ids });
    if (erased.status === "committed") return ids.length;
  }
  throw new MemoryError("STORE_BUSY", "The facts of this owner change too fast to move them; try again.");
}

/** Facts to put into the target: the moved ones, and those of the target that a newer one supersedes. Pure. */
export function mergeFacts(moved: readonly Fact[], target: readonly Fact[], now: string): Fact[] {
  const isLive = (fact: Fact) => fact.validTo === undefined && fact.disputedWith === undefined;
  const put: Fact[] = [];
  for (const fact of moved) {
    const rival =
      fact.key !== undefined && isLive(fact)
        ? target.find((other) => other.key === fact.key && isLive(other))
        : undefined;
    if (rival === undefined || rival.id === fact.id) put.push(fact);
    else if (rival.updatedAt >= fact.updatedAt) put.push(superseded(fact, rival, now));
    else put.push(fact, superseded(rival, fact, now));
  }
  return put;
}

const superseded = (fact: Fact, by: Fact, now: string): Fact => ({
  ...fact,
  validTo: now,
  supersededBy: by.id,
  version: fact.version + 1,
});
