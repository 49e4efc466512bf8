import type { Fact } from "../contract/fact.ts";
import type { Outcome } from "../contract/outcome.ts";
import { membersOf, sameValue } from "./comparable.ts";
import { similarKeys } from "./fact-key.ts";
import { authority, disputing, settleSlot, supersededBy } from "./settle-slots.ts";

/** What a new claim does to the facts of its owner. */
export interface FactDecision {
  /** Facts to insert or to put in place of those of the same id. */
  put: Fact[];
  /** Facts that the cap pushes out. */
  evict: Fact[];
  outcome: Outcome;
}

const isMachine = ({ author }: Fact): boolean => author === "agent" || author === "distiller";

/** A live fact said again: fresh in recency and expiry, otherwise as it was. */
function renewed(live: Fact, claim: Fact): Fact {
  const higher = authority(claim) > authority(live);
  const { expiresAt, ...rest } = live;
  // How long a person's own fact is kept is not the agent's to say.
  const end = isMachine(claim) && !isMachine(live) ? expiresAt : claim.expiresAt;
  return {
    ...rest,
    ...(end === undefined ? {} : { expiresAt: end }),
    ...(higher ? { origin: claim.origin, author: claim.author, source: claim.source } : {}),
    type: authority(claim) < authority(live) ? live.type : claim.type,
    tags: [...new Set([...live.tags, ...claim.tags])].slice(0, 8),
    updatedAt: claim.updatedAt,
    version: live.version + 1,
  };
}

/**
 * Decides what `claim` does, given the live facts of its owner. A keyed fact is a slot: an equal or higher origin
 * supersedes, a lower one stays beside it as disputed; the same value only renews. `multiple` adds to a list.
 * `cap` bounds the agent's own live facts; the least recently updated one goes. Pure.
 */
export function decideFact(
  live: readonly Fact[],
  claim: Fact,
  options: { multiple?: boolean; cap: number | null },
): FactDecision {
  const { key } = claim;
  const stored = key === undefined ? [] : live.filter((fact) => fact.key === key);
  // What expired or was evicted no longer holds the slot: what disputed it does.
  const settled = settleSlot(stored, claim.updatedAt);
  const slot = settled.filter((fact) => fact.validTo === undefined);
  const holder = slot.find((fact) => fact.disputedWith === undefined);
  const twin =
    key === undefined
      ? live.find((fact) => fact.key === undefined && fact.topic === claim.topic && sameValue(fact.value, claim.value))
      : slot.find((fact) => sameValue(fact.value, claim.value));
  const similar = key === undefined ? [] : similarKeys(key, keysOf(live));
  const extras = similar.length > 0 ? { similarKeys: similar } : {};
  // A disputed twin is settled by an origin that may settle it; any other only says it again.
  if (twin && !(twin.disputedWith && holder && settles(claim, twin, holder))) {
    const status = key === undefined ? "merged" : "unchanged";
    return { put: over(settled, [renewed(twin, claim)]), evict: [], outcome: { status, id: twin.id, ...extras } };
  }
  // Versions of a key go up with every value, so that `ifVersion` never takes one value for another.
  const next: Fact = { ...claim, version: Math.max(0, ...slot.map((fact) => fact.version)) + 1 };
  const disputed = holder === undefined ? next : { ...claim, disputedWith: holder.id };
  let put: Fact[] = [next];
  let status: Outcome["status"] = "stored";
  if (holder && options.multiple) {
    // A list stays one fact; the writer asked for several values under one key.
    const values = membersOf(holder.value);
    const fresh = membersOf(claim.value).filter((value) => !values.some((known) => sameValue(known, value)));
    if (fresh.length === 0) {
      const outcome = { status: "unchanged", id: holder.id, ...extras } as const;
      return { put: over(settled, [renewed(holder, claim)]), evict: [], outcome };
    }
    if (authority(claim) >= authority(holder)) {
      const list = { ...next, value: [...values, ...fresh] };
      // What disputes the list goes on disputing it, not the version that went.
      const claims = slot.filter((fact) => fact !== holder).map((fact) => disputing(fact, list.id));
      put = [supersededBy(holder, list, claim.validFrom), ...claims, list];
      status = "merged";
    } else put = [disputed];
  } else if (holder && authority(claim) < authority(holder)) {
    put = [disputed];
  } else if (slot.length > 0) {
    const rivals = slot.filter((fact) => authority(fact) <= authority(claim));
    put = [...rivals.map((fact) => supersededBy(fact, next, claim.validFrom)), next];
    status = "superseded";
  }
  const closed = new Set(put.filter((fact) => fact.validTo !== undefined).map((fact) => fact.id));
  const evict = overCap(
    live.filter((fact) => !closed.has(fact.id)),
    claim,
    options.cap,
  );
  const evicted = evict.length > 0 ? { evicted: evict.map((fact) => fact.id) } : {};
  return { put: over(settled, put), evict, outcome: { status, id: claim.id, ...extras, ...evicted } };

  /** What is put, and before it what settling the slot changed. */
  function over(before: readonly Fact[], after: readonly Fact[]): Fact[] {
    const ids = new Set(after.map((fact) => fact.id));
    return [...before.filter((fact) => !stored.includes(fact) && !ids.has(fact.id)), ...after];
  }
}

/** Whether a claim that says what `twin` says ends its dispute with `holder`. */
const settles = (claim: Fact, twin: Fact, holder: Fact): boolean =>
  authority(claim) > authority(twin) && authority(claim) >= authority(holder);

const keysOf = (facts: readonly Fact[]): Set<string> =>
  new Set(facts.flatMap((fact) => (fact.key === undefined ? [] : [fact.key])));

/** The agent's facts that must go so that `claim` fits under the cap, least recently updated first. */
function overCap(live: readonly Fact[], claim: Fact, cap: number | null): Fact[] {
  if (cap === null || claim.author !== "agent") return [];
  const own = live
    .filter((fact) => fact.author === "agent")
    .sort((a, b) => (a.updatedAt < b.updatedAt ? -1 : a.updatedAt > b.updatedAt ? 1 : a.id < b.id ? -1 : 1));
  return own.slice(0, Math.max(0, own.length + 1 - cap));
}
