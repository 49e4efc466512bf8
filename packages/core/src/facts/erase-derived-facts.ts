import type { FactOwner } from "../contract/owner.ts";
import { MemoryError } from "../errors/memory-error.ts";
import type { Engine } from "../memory/engine.ts";
import { CONFLICT_TRIES, HISTORY_LIMIT, readOwner } from "./fact-access.ts";
import { removeFacts } from "./remove-facts.ts";
import { takeTurns } from "./take-turns.ts";
import { forgottenAmong } from "./tombstones.ts";

/** Of a conversation, or of some of its turns. */
interface Evidence {
  conversation: string;
  turns?: ReadonlySet<string>;
}

/**
 * Erases the facts of an owner whose evidence went: that of one conversation, or of some of its turns. What they superseded
 * is live again. No tombstone: the person didn't say that it was to be forgotten. Answers how many went.
 */
export const eraseDerivedFacts = (engine: Engine, owner: FactOwner, evidence: Evidence): Promise<number> =>
  takeTurns(engine, owner, () => eraseInTurn(engine, owner, evidence));

async function eraseInTurn(engine: Engine, owner: FactOwner, { conversation, turns }: Evidence): Promise<number> {
  const store = await engine.store();
  for (let attempt = 0; attempt < CONFLICT_TRIES; attempt++) {
    const now = engine.now();
    const set = await readOwner(engine, owner, { now, history: true, limit: HISTORY_LIMIT });
    const chosen = set.facts.filter(
      ({ source }) => source?.conversation === conversation && (turns === undefined || turns.has(source.turn)),
    );
    if (chosen.length === 0) return 0;
    const keys = new Set(chosen.map((fact) => fact.key));
    const past = set.facts.filter((fact) => fact.validTo !== undefined && keys.has(fact.key));
    const forgotten = await forgottenAmong(engine, new Set(await store.readTombstones(owner)), past);
    const ids = new Set(chosen.map((fact) => fact.id));
    const { put, erase } = removeFacts(set.facts, ids, now, (fact) => !forgotten.has(fact.id));
    const result = await store.commitFacts(owner, { expectedVersion: set.version, now, put, erase });
    if (result.status === "committed") return erase.length;
  }
  throw new MemoryError("STORE_BUSY", "The facts of this owner change too fast to erase some; try again.");
}
