import type { Fact } from "../contract/fact.ts";
import { ORIGINS, type Origin } from "../contract/origin.ts";
import type { FactOwner } from "../contract/owner.ts";
import type { ImportReport } from "../contract/subject-export.ts";
import { MemoryError } from "../errors/memory-error.ts";
import { CONFLICT_TRIES, HISTORY_LIMIT, readOwner } from "../facts/fact-access.ts";
import { mergeFacts } from "../facts/move-facts.ts";
import { mayInstruct } from "../facts/new-fact.ts";
import { withHistory } from "../facts/remove-facts.ts";
import { forgottenAmong } from "../facts/tombstones.ts";
import type { Engine } from "./engine.ts";
import type { ReadFact } from "./subject-schema.ts";

/** What an origin counts for once it is imported: no more than `import`, unless the operator vouches for it. */
export function importedOrigin(given: Origin | undefined, trusted: boolean): Origin {
  if (given === undefined) return "import";
  return trusted || ORIGINS.indexOf(given) > ORIGINS.indexOf("import") ? given : "import";
}

/** A fact as it is taken in. */
function toFact(read: ReadFact, owner: FactOwner, trusted: boolean, now: string): Fact {
  const { author, disputedWith, ...fact } = read;
  const origin = importedOrigin(fact.origin, trusted);
  const isPersons = author === "user" || author === "operator";
  // Nothing was said later than now: it would be the newest for as long as that time is to come.
  const past = (time: string): string => (time > now ? now : time);
  // The schema read JSON: members that are `undefined` aren't there.
  return {
    ...fact,
    scope: owner.scope,
    origin,
    author: isPersons && !trusted ? "import" : author,
    type: fact.type === "instruction" && !mayInstruct(origin) ? "fact" : fact.type,
    createdAt: past(fact.createdAt),
    updatedAt: past(fact.updatedAt),
    validFrom: past(fact.validFrom),
    ...(fact.validTo === undefined ? {} : { validTo: past(fact.validTo) }),
    ...(disputedWith === undefined || fact.key === undefined ? {} : { disputedWith }),
  } as Fact;
}

/** Takes facts of one owner in, each once, and what was forgotten of them elsewhere (`hashes`). */
export async function importFacts(
  engine: Engine,
  owner: FactOwner,
  given: { facts: readonly ReadFact[]; hashes: readonly string[]; trusted: boolean },
  report: ImportReport,
): Promise<void> {
  if (given.facts.length === 0 && given.hashes.length === 0) return;
  const store = await engine.store();
  const moment = engine.now();
  const facts = new Map(given.facts.map((fact) => [fact.id, toFact(fact, owner, given.trusted, moment)]));
  for (let attempt = 0; attempt < CONFLICT_TRIES; attempt++) {
    const now = engine.now();
    const set = await readOwner(engine, owner, { now, history: true, limit: HISTORY_LIMIT });
    const here = new Set(set.facts.map((fact) => fact.id));
    const fresh = [...facts.values()].filter((fact) => !here.has(fact.id));
    // Read after the facts: a tombstone that is added meanwhile makes the commit a conflict.
    const tombstones = new Set(await store.readTombstones(owner));
    const add = [...new Set(given.hashes)].filter((hash) => !tombstones.has(hash));
    for (const hash of add) tombstones.add(hash);
    const forgotten = await forgottenAmong(engine, tombstones, fresh);
    const left = withHistory(
      fresh,
      fresh.filter((fact) => forgotten.has(fact.id)),
    );
    const taken = fresh.filter((fact) => !left.has(fact.id));
    if (taken.length > 0 || add.length > 0) {
      const put = mergeFacts(taken, set.facts, now);
      const result = await store.commitFacts(owner, { expectedVersion: set.version, now, put, tombstones: { add } });
      if (result.status !== "committed") continue;
    }
    report.facts += taken.length;
    for (const id of left) {
      report.refused.push({ kind: "fact", id, code: "FORGOTTEN", reason: "The person had this forgotten." });
    }
    return;
  }
  throw new MemoryError("STORE_BUSY", "The facts of this owner change too fast to import into; import again.");
}
