import type { Fact } from "../contract/fact.ts";
import type { FactOwner } from "../contract/owner.ts";
import { MemoryError } from "../errors/memory-error.ts";
import type { Engine } from "../memory/engine.ts";
import { CONFLICT_TRIES, HISTORY_LIMIT, readOwner } from "./fact-access.ts";
import { withHistory } from "./remove-facts.ts";
import { isLive, settleSlot, slotsOf } from "./settle-slots.ts";
import { forgottenAmong } from "./tombstones.ts";

/**
 * Files all facts of one owner under another, history included. Where both hold a live fact of one key, one of them stays
 * live as if both had been said to one owner. What the target had forgotten doesn't come along; what the source had
 * forgotten is forgotten for the target too, and what the target holds already stays. Answers how many facts moved. Put
 * first, erased then: a crash between the two leaves facts under both owners, and moving again settles it.
 */
export async function moveFacts(engine: Engine, from: FactOwner, to: FactOwner): Promise<number> {
  const store = await engine.store();
  for (let attempt = 0; attempt < CONFLICT_TRIES; attempt++) {
    const now = engine.now();
    const query = { now, history: true, limit: HISTORY_LIMIT };
    const [source, target] = [await readOwner(engine, from, query), await readOwner(engine, to, query)];
    const forgotten = new Set(await store.readTombstones(to));
    const add = (await store.readTombstones(from)).filter((hash) => !forgotten.has(hash));
    if (source.facts.length === 0 && add.length === 0) return 0;
    const away = await forgottenAmong(engine, forgotten, source.facts);
    const left = withHistory(
      source.facts,
      source.facts.filter((fact) => away.has(fact.id)),
    );
    const put = mergeFacts(
      source.facts.filter((fact) => !left.has(fact.id)),
      target.facts,
      now,
    );
    const written = await store.commitFacts(to, { expectedVersion: target.version, now, put, tombstones: { add } });
    if (written.status !== "committed") continue;
    if (source.facts.length === 0) return 0;
    const ids = source.facts.map((fact) => fact.id);
    // The source's own tombstones stay: they hold again where a link is ended.
    const erased = await store.commitFacts(from, { expectedVersion: source.version, now, put: [], erase: ids });
    if (erased.status === "committed") return ids.length - left.size;
  }
  throw new MemoryError("STORE_BUSY", "The facts of this owner change too fast to move them; try again.");
}

/**
 * Facts to put into the target: the moved ones, and those of the target that they change. Every slot is left with one
 * value: a lower origin never takes the place of a higher one. Pure.
 */
export function mergeFacts(moved: readonly Fact[], target: readonly Fact[], now: string): Fact[] {
  const whole = new Map([...target, ...moved].map((fact) => [fact.id, fact]));
  const keys = new Set(moved.map((fact) => fact.key));
  const put = new Map(moved.map((fact) => [fact.id, fact]));
  const live = [...whole.values()].filter((fact) => keys.has(fact.key) && isLive(fact, now));
  for (const slot of slotsOf(live).values()) {
    for (const fact of settleSlot(slot, now)) if (fact !== whole.get(fact.id)) put.set(fact.id, fact);
  }
  return [...put.values()];
}
