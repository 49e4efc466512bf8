import type { Fact } from "../contract/fact.ts";
import { ORIGINS } from "../contract/origin.ts";
import { sameValue } from "./comparable.ts";

/** Greater is of higher authority. */
export const authority = (fact: Fact): number => -ORIGINS.indexOf(fact.origin);

/** Whether a fact is what is believed at `now`. */
export const isLive = (fact: Fact, now: string): boolean =>
  fact.validTo === undefined && (fact.expiresAt === undefined || fact.expiresAt > now);

/** The live facts of each key. */
export function slotsOf(live: readonly Fact[]): Map<string, Fact[]> {
  const slots = new Map<string, Fact[]>();
  for (const fact of live) {
    if (fact.key === undefined) continue;
    const slot = slots.get(fact.key);
    if (slot) slot.push(fact);
    else slots.set(fact.key, [fact]);
  }
  return slots;
}

/** Higher authority first, then the newer one. */
const byRank = (a: Fact, b: Fact): number =>
  authority(b) - authority(a) ||
  (a.updatedAt < b.updatedAt ? 1 : a.updatedAt > b.updatedAt ? -1 : a.id < b.id ? 1 : -1);

/** The one value that a slot holds among its live facts: what disputes it is put aside while what it disputes is live. */
export function holderOf(slot: readonly Fact[]): Fact | undefined {
  const ids = new Set(slot.map((fact) => fact.id));
  const claims = slot.filter((fact) => fact.disputedWith === undefined || !ids.has(fact.disputedWith));
  // A claim whose holder is gone stands back for one that holds the slot by itself.
  const own = claims.filter((fact) => fact.disputedWith === undefined);
  return [...(own.length > 0 ? own : claims)].sort(byRank)[0];
}

/** A fact that is disputed with `holder`, or with none. */
export function disputing(fact: Fact, holder: string | undefined): Fact {
  if (fact.disputedWith === holder) return fact;
  const { disputedWith: _disputedWith, ...rest } = fact;
  return { ...rest, ...(holder === undefined ? {} : { disputedWith: holder }), version: fact.version + 1 };
}

/**
 * The live facts of one key, so that one of them holds the slot: a claim of lower origin that came later is disputed,
 * everything else is superseded. Facts that are right already come back as they are. Pure.
 */
export function settleSlot(slot: readonly Fact[], now: string): Fact[] {
  const holder = holderOf(slot);
  if (holder === undefined) return [];
  return slot.map((fact) => {
    if (fact.id === holder.id) return disputing(fact, undefined);
    if (!sameValue(fact.value, holder.value)) {
      const isClaim = authority(fact) < authority(holder) && fact.updatedAt >= holder.updatedAt;
      if (isClaim || fact.disputedWith !== undefined) return disputing(fact, holder.id);
    }
    return supersededBy(fact, holder, now);
  });
}

/** A fact whose place another one took. */
export function supersededBy(fact: Fact, by: Fact, now: string): Fact {
  return { ...fact, validTo: now, supersededBy: by.id, version: fact.version + 1 };
}

/**
 * Live facts of one owner as they are read: a dispute with what isn't live any more is none, and the fact that live claims
 * dispute says so. Where not all live facts of the owner are given, a dispute with one that is missing stands. Pure.
 */
export function withDisputes(live: readonly Fact[], isWhole: boolean): Fact[] {
  if (!live.some((fact) => fact.disputedWith !== undefined)) return [...live];
  const ids = new Set(live.map((fact) => fact.id));
  const slots = slotsOf(live);
  const holders = new Map([...slots].map(([key, slot]) => [key, holderOf(slot)]));
  const disputes = new Map<string, string[]>();
  const read = live.map((fact) => {
    if (fact.disputedWith === undefined) return fact;
    let target: string | undefined = fact.disputedWith;
    if (!ids.has(target) && isWhole) {
      const holder = fact.key === undefined ? undefined : holders.get(fact.key);
      target = holder === undefined || holder.id === fact.id ? undefined : holder.id;
    }
    if (target !== undefined) disputes.set(target, [...(disputes.get(target) ?? []), fact.id]);
    const { disputedWith: _disputedWith, ...rest } = fact;
    return target === undefined ? rest : { ...rest, disputedWith: target };
  });
  return read.map((fact) => {
    const by = disputes.get(fact.id);
    return by === undefined ? fact : { ...fact, disputedBy: by };
  });
}
