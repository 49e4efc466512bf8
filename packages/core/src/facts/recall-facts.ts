import { isoTime } from "../checks/duration.ts";
import type { Fact, FactScope, RecallQuery, RecallResult } from "../contract/fact.ts";
import type { Json } from "../contract/json.ts";
import type { FactOwner } from "../contract/owner.ts";
import type { FactSet } from "../contract/store-rows.ts";
import { callOf } from "../memory/call-options.ts";
import type { Engine } from "../memory/engine.ts";
import { throwIfAborted } from "../memory/resilience.ts";
import { askedPart } from "../search/asked-part.ts";
import { Breath } from "../search/breath.ts";
import { eventIds, READ_LIMIT } from "./fact-access.ts";
import { normaliseKey, normaliseTags } from "./fact-key.ts";
import { type FactContext, readableOwners } from "./fact-owner.ts";
import { rankFactsLater } from "./rank-facts-later.ts";
import { holderOf, withDisputes } from "./settle-slots.ts";

/** The live value of a key in one scope, or in the narrowest that holds it; `null` when there is none. */
export async function recallKey(
  engine: Engine,
  context: FactContext,
  key: string,
  options: { scope?: FactScope | undefined; signal?: AbortSignal | undefined },
): Promise<Json | null> {
  throwIfAborted(options.signal, "recall");
  const normalised = normaliseKey(key);
  const owners = readableOwners(context, options.scope);
  if (owners.length === 0 || !engine.policy.longTerm.enabled) return null;
  const store = await engine.store();
  const query = { now: engine.now(), keys: [normalised], limit: READ_LIMIT };
  const sets = await store.readFacts(owners, query, callOf(options.signal));
  const [fact] = sets.flatMap((set) => holderOf(set.facts) ?? []);
  engine.emit({ type: "memory.recalled", ...eventIds(context), facts: fact ? 1 : 0 });
  return fact?.value ?? null;
}

/** Facts that the context can read and that match, best first. */
export async function recallFacts(engine: Engine, context: FactContext, query: RecallQuery): Promise<RecallResult> {
  throwIfAborted(query.signal, "recall");
  if (!engine.policy.longTerm.enabled) return { facts: [], reason: "Facts are switched off by the policy." };
  const owners = readableOwners(context, query.scope);
  if (owners.length === 0) return { facts: [], reason: `The scope "${query.scope}" needs a subject.` };
  const store = await engine.store();
  const sets = await store.readFacts(
    owners,
    {
      now: engine.now(),
      limit: READ_LIMIT,
      ...(query.type === undefined ? {} : { type: query.type }),
      ...(query.tags === undefined ? {} : { tags: normaliseTags(query.tags) }),
      ...(query.asOf === undefined ? {} : { asOf: isoTime(query.asOf, "asOf") }),
    },
    callOf(query.signal),
  );
  const facts = sets.flatMap((set) => set.facts).sort(byRecency);
  const words = askedPart(query.query?.trim() ?? "");
  const ranked =
    words === "" ? facts : await rankFactsLater(new Breath(query.signal, "recall"), facts, words, engine.factWords);
  const matching =
    (query.order ?? (words === "" ? "recent" : "relevance")) === "recent" ? [...ranked].sort(byRecency) : ranked;
  const result = await markDisputed(engine, owners, sets, matching.slice(0, query.n ?? 10), query);
  engine.emit({ type: "memory.recalled", ...eventIds(context), facts: result.length });
  if (result.length > 0) return { facts: result };
  return {
    facts: [],
    reason:
      facts.length === 0
        ? "Nothing of this kind is remembered yet."
        : "None of the remembered facts matches the words.",
  };
}

/**
 * The facts with their disputes as they stand: both sides are marked, and neither where the other isn't live any more.
 * Where the reading was narrowed, the slots of what was found are read whole.
 */
async function markDisputed<Found extends Fact>(
  engine: Engine,
  owners: readonly FactOwner[],
  sets: readonly FactSet[],
  found: readonly Found[],
  query: RecallQuery,
): Promise<Found[]> {
  const keys = [...new Set(found.flatMap((fact) => fact.key ?? []))];
  const isWhole =
    query.type === undefined && query.tags === undefined && sets.every((set) => set.total <= set.facts.length);
  let slots = sets;
  if (!isWhole && keys.length > 0) {
    const asOf = query.asOf === undefined ? {} : { asOf: isoTime(query.asOf, "asOf") };
    const store = await engine.store();
    slots = await store.readFacts(
      owners,
      { now: engine.now(), keys, limit: READ_LIMIT, ...asOf },
      callOf(query.signal),
    );
  }
  const marked = new Map(slots.flatMap((set) => withDisputes(set.facts, true)).map((fact) => [fact.id, fact]));
  return found.map((fact) => {
    const mark = marked.get(fact.id);
    if (mark === undefined) return fact;
    const { disputedWith: _with, disputedBy: _by, ...rest } = fact;
    const disputes = {
      ...(mark.disputedWith === undefined ? {} : { disputedWith: mark.disputedWith }),
      ...(mark.disputedBy === undefined ? {} : { disputedBy: mark.disputedBy }),
    };
    // Only the marks of disputes differ.
    return { ...rest, ...disputes } as Found;
  });
}

const byRecency = (a: Fact, b: Fact): number =>
  a.updatedAt < b.updatedAt ? 1 : a.updatedAt > b.updatedAt ? -1 : a.id < b.id ? -1 : 1;
