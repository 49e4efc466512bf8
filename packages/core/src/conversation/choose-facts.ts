import type { Fact } from "../contract/fact.ts";
import type { FactSet } from "../contract/store-rows.ts";
import { rankFactsLater } from "../facts/rank-facts-later.ts";
import { withDisputes } from "../facts/settle-slots.ts";
import type { Engine } from "../memory/engine.ts";
import { askedPart } from "../search/asked-part.ts";
import type { Breath } from "../search/breath.ts";

/** App facts that a prompt may hold; they are not counted against `maxMemories`. */
export const MAX_APP_FACTS = 200;

/** Part of `maxMemories` that facts near the question get where not all fit. */
const NEAR_SHARE = 0.2;

/** Which facts a prompt shows. */
export interface ChosenFacts {
  /** App facts, then the most recently updated: the same until a fact changes. */
  shown: Fact[];
  /** Those near the question besides; another question has others. */
  near: Fact[];
  left: Fact[];
  /** Facts there are in all. */
  total: number;
}

const byRecency = (a: Fact, b: Fact): number =>
  a.updatedAt < b.updatedAt ? 1 : a.updatedAt > b.updatedAt ? -1 : a.id < b.id ? -1 : 1;

/** Chooses facts by the policy's preload: the recent ones, those near the question, or both. */
export async function chooseFacts(
  { policy, factWords }: Engine,
  { facts: sets, query }: { facts: readonly FactSet[]; query: string },
  breath: Breath,
): Promise<ChosenFacts> {
  const app: Fact[] = [];
  const others: Fact[] = [];
  let total = 0;
  for (const set of sets) {
    total += set.total;
    const facts = withDisputes(set.facts, set.total <= set.facts.length);
    (set.owner.scope === "app" ? app : others).push(...facts);
  }
  others.sort(byRecency);
  const { maxMemories, preload } = policy.longTerm;
  if (others.length <= maxMemories) {
    return { shown: [...app.slice(0, MAX_APP_FACTS), ...others], near: [], left: [], total };
  }
  const nearRoom =
    preload === "recent" ? 0 : preload === "relevant" ? maxMemories : Math.ceil(maxMemories * NEAR_SHARE);
  const recent = others.slice(0, maxMemories - nearRoom);
  const rest = others.slice(recent.length);
  const ranked =
    nearRoom > 0 && query.trim() !== "" ? await rankFactsLater(breath, rest, askedPart(query), factWords) : [];
  const near = ranked.slice(0, nearRoom);
  const nearIds = new Set(near.map((fact) => fact.id));
  return {
    shown: [...app.slice(0, MAX_APP_FACTS), ...recent],
    near: rest.filter((fact) => nearIds.has(fact.id)),
    left: rest.filter((fact) => !nearIds.has(fact.id)),
    total,
  };
}
