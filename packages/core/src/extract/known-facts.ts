import type { Fact } from "../contract/fact.ts";
import { type FactContext, readableOwners } from "../facts/fact-owner.ts";
import { rankFacts } from "../facts/rank-facts.ts";
import type { Engine } from "../memory/engine.ts";
import { Breath } from "../search/breath.ts";

/** Facts that a distiller is shown, so that it updates them instead of repeating them. */
const MAX_NEW = 40;
const MAX_NEAR = 20;
const READ_LIMIT = 500;

/** What is known already: the newest facts, and those nearest to what was said. The agent's own for everybody aren't the person's. */
export async function knownFacts(
  engine: Engine,
  context: FactContext,
  said: string,
  signal?: AbortSignal,
): Promise<Fact[]> {
  const store = await engine.store();
  const owners = readableOwners(context).filter(({ scope }) => scope !== "app");
  const sets = await store.readFacts(owners, { now: engine.now(), limit: READ_LIMIT });
  const facts = sets.flatMap((set) => set.facts).sort((a, b) => (a.updatedAt < b.updatedAt ? 1 : -1));
  const newest = facts.slice(0, MAX_NEW);
  const ranked = await new Breath(signal, "distill").through(rankFacts(facts.slice(MAX_NEW), said, engine.factWords));
  return [...newest, ...ranked.slice(0, MAX_NEAR).map(({ score: _score, ...fact }) => fact)];
}
