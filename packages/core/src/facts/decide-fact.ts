import { canonicalJson } from "../checks/json.ts";
import type { Fact } from "../contract/fact.ts";
import type { Json } from "../contract/json.ts";
import { ORIGINS } from "../contract/origin.ts";
import type { Outcome } from "../contract/outcome.ts";
import { similarKeys } from "./fact-key.ts";

/** What a new claim does to the facts of its owner. */
export interface FactDecision {
  /** Facts to insert or to put in place of those of the same id. */
  put: Fact[];
  /** Ids to erase: pushed out by the cap. */
  erase: string[];
  outcome: Outcome;
}

/** Greater is of higher authority. */
const authority = (fact: Fact): number => -ORIGINS.indexOf(fact.origin);

const sameValue = (a: Json, b: Json): boolean => comparable(a) === comparable(b);

/** A value as it is compared: texts without regard to case, compatibility forms and spaces. */
export const comparable = (value: Json): string =>
  typeof value === "string"
    ? `"${value.normalize("NFKC").trim().replace(/\s+/g, " ").toLowerCase()}"`
    : canonicalJson(value);

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
  const slot = claim.key === undefined ? [] : live.filter((fact) => fact.key === claim.key);
  const twin =
    claim.key === undefined
      ? live.find((fact) => fact.key === undefined && fact.topic === claim.topic && sameValue(fact.value, claim.value))
      : slot.find((fact) => sameValue(fact.value, claim.value));
  const similar = claim.key === undefined ? [] : similarKeys(claim.key, keysOf(live));
  const extras = similar.length > 0 ? { similarKeys: similar } : {};
  // A twin that was only disputed so far is settled by an origin that may settle it.
  if (twin && !(twin.disputedWith && slot.length > 0 && authority(claim) > authority(twin))) {
    return {
      put: [renewed(twin, claim)],
      erase: [],
      outcome: { status: claim.key === undefined ? "merged" : "unchanged", id: twin.id, ...extras },
    };
  }
  const holder = slot.find((fact) => fact.disputedWith === undefined);
  const close = (fact: Fact): Fact => ({
    ...fact,
    validTo: claim.validFrom,
    supersededBy: claim.id,
    version: fact.version + 1,
  });
  // Versions of a key go up with every value, so that `ifVersion` never takes one value for another.
  const next: Fact = { ...claim, version: Math.max(0, ...slot.map((fact) => fact.version)) + 1 };
  let put: Fact[] = [next];
  let status: Outcome["status"] = "stored";
  if (holder && options.multiple) {
    // A list stays one fact; the writer asked for several values under one key.
    const values = Array.isArray(holder.value) ? holder.value : [holder.value];
    const added = Array.isArray(claim.value) ? claim.value : [claim.value];
    const fresh = added.filter((value) => !values.some((known) => sameValue(known, value)));
    if (fresh.length === 0) {
      return { put: [renewed(holder, claim)], erase: [], outcome: { status: "unchanged", id: holder.id, ...extras } };
    }
    if (authority(claim) >= authority(holder)) {
      put = [close(holder), { ...next, value: [...values, ...fresh] }];
      status = "merged";
    } else put = [{ ...claim, disputedWith: holder.id }];
  } else if (holder && authority(claim) < authority(holder)) {
    put = [{ ...claim, disputedWith: holder.id }];
  } else if (slot.length > 0) {
    put = [...slot.filter((fact) => authority(fact) <= authority(claim)).map(close), next];
    status = "superseded";
  }
  const closed = new Set(put.filter((fact) => fact.validTo !== undefined).map((fact) => fact.id));
  const erase = overCap(
    live.filter((fact) => !closed.has(fact.id)),
    claim,
    options.cap,
  );
  const evicted = erase.length > 0 ? { evicted: erase } : {};
  return { put, erase, outcome: { status, id: claim.id, ...extras, ...evicted } };
}

const keysOf = (facts: readonly Fact[]): Set<string> =>
  new Set(facts.flatMap((fact) => (fact.key === undefined ? [] : [fact.key])));

/** Ids of the agent's facts that must go so that `claim` fits under the cap, least recently updated first. */
function overCap(live: readonly Fact[], claim: Fact, cap: number | null): string[] {
  if (cap === null || claim.author !== "agent") return [];
  const own = live
    .filter((fact) => fact.author === "agent")
    .sort((a, b) => (a.updatedAt < b.updatedAt ? -1 : a.updatedAt > b.updatedAt ? 1 : a.id < b.id ? -1 : 1));
  return own.slice(0, Math.max(0, own.length + 1 - cap)).map((fact) => fact.id);
}
