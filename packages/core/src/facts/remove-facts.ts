import type { Fact } from "../contract/fact.ts";
import { isLive, settleSlot, slotsOf } from "./settle-slots.ts";

/** What a removal writes. */
export interface Removal {
  /** Facts that stay and are not what they were. */
  put: Fact[];
  erase: string[];
}

/** Ids of facts and of everything they superseded: forgetting removes history too. */
export function withHistory(all: readonly Fact[], chosen: readonly Fact[]): Set<string> {
  const older = new Map<string, string[]>();
  for (const { id, supersededBy } of all) {
    if (supersededBy === undefined) continue;
    const ids = older.get(supersededBy);
    if (ids) ids.push(id);
    else older.set(supersededBy, [id]);
  }
  const ids = new Set(chosen.map((fact) => fact.id));
  for (const id of ids) for (const before of older.get(id) ?? []) ids.add(before);
  return ids;
}

/**
 * What is left of the facts of an owner (all of them, history included) once some go. What these had superseded is handed
 * on to what superseded them, else it is live again, unless `mayReturn` says no: then it goes as well. A slot is left with
 * one value, and nothing disputes what is gone. Pure.
 */
export function removeFacts(
  all: readonly Fact[],
  chosen: ReadonlySet<string>,
  now: string,
  mayReturn: (fact: Fact) => boolean = () => true,
): Removal {
  const gone = new Set(chosen);
  const byId = new Map(all.map((fact) => [fact.id, fact]));
  let left: Fact[] = [];
  for (let grew = true; grew; ) {
    grew = false;
    left = all.filter((fact) => !gone.has(fact.id)).map((fact) => mended(fact, byId, gone, now));
    for (const fact of left) {
      if (fact.validTo !== undefined || byId.get(fact.id)?.validTo === undefined || mayReturn(fact)) continue;
      gone.add(fact.id);
      grew = true;
    }
  }
  const touched = new Set<string | undefined>();
  for (const id of gone) touched.add(byId.get(id)?.key);
  const slots = slotsOf(left.filter((fact) => isLive(fact, now) && touched.has(fact.key)));
  const settled = new Map(
    [...slots.values()].flatMap((slot) => settle(slot, byId, now)).map((fact) => [fact.id, fact]),
  );
  const put = left.flatMap((fact) => {
    const end = settled.get(fact.id) ?? fact;
    return end === byId.get(fact.id) ? [] : [end];
  });
  return { put, erase: [...gone] };
}

/** {@link settleSlot}, where what held the slot all along comes before what is live again. */
function settle(slot: readonly Fact[], byId: ReadonlyMap<string, Fact>, now: string): Fact[] {
  const wasLive = (fact: Fact) => byId.get(fact.id)?.validTo === undefined;
  const holder = slot.find((fact) => wasLive(fact) && fact.disputedWith === undefined);
  if (holder === undefined) return settleSlot(slot, now);
  return slot.map((fact) => (wasLive(fact) ? fact : { ...fact, validTo: now, supersededBy: holder.id }));
}

/** A fact that stays, without what pointed at facts that go. */
function mended(fact: Fact, byId: ReadonlyMap<string, Fact>, gone: ReadonlySet<string>, now: string): Fact {
  if (fact.supersededBy === undefined || !gone.has(fact.supersededBy)) {
    // A keyed one is settled with its slot.
    if (fact.disputedWith === undefined || !gone.has(fact.disputedWith) || fact.key !== undefined) return fact;
    const { disputedWith: _disputedWith, ...rest } = fact;
    return { ...rest, version: fact.version + 1 };
  }
  let next: string | undefined = fact.supersededBy;
  let last: Fact | undefined;
  while (next !== undefined && gone.has(next)) {
    last = byId.get(next);
    next = last?.supersededBy;
  }
  const { supersededBy: _supersededBy, ...rest } = fact;
  if (next !== undefined) return { ...rest, supersededBy: next, version: fact.version + 1 };
  // Closed, and by nothing that is known: its end stands.
  if (last?.validTo !== undefined) return { ...rest, version: fact.version + 1 };
  const { validTo: _validTo, ...live } = rest;
  return { ...live, updatedAt: now, version: Math.max(fact.version, last?.version ?? 0) + 1 };
}
