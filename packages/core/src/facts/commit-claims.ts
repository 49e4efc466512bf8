import type { Fact } from "../contract/fact.ts";
import type { Outcome } from "../contract/outcome.ts";
import type { FactOwner } from "../contract/owner.ts";
import { MemoryError } from "../errors/memory-error.ts";
import { callOf } from "../memory/call-options.ts";
import type { Engine } from "../memory/engine.ts";
import { type Claim, decideClaim } from "./decide-claim.ts";
import { CONFLICT_TRIES, HISTORY_LIMIT, readOwner } from "./fact-access.ts";
import { refused } from "./new-fact.ts";
import { takeTurns } from "./take-turns.ts";
import { forgottenAmong, hashesOf } from "./tombstones.ts";

/** What became of claims that were written together. */
export type ClaimsCommit =
  | {
      status: "committed";
      outcomes: Outcome[] /** How many are stored beside what they contradict. */;
      disputed: number;
    }
  /** The same operation was done before; `result` is what was noted with it. */
  | { status: "repeated"; result: string }
  | { status: "erased" };

/** How claims are written together. */
interface ClaimsOptions {
  operation: { key: string; result: (outcomes: readonly Outcome[]) => string };
  beganAt: string;
  subject?: string | undefined;
  signal?: AbortSignal | undefined;
}

/**
 * Writes claims of one owner in one commit, all or none: each is decided by what the ones before it leave. What the person
 * had forgotten is left out and refused. The operation makes a second try of the same work change nothing.
 */
export const commitClaims = (
  engine: Engine,
  owner: FactOwner,
  claims: readonly Claim[],
  options: ClaimsOptions,
): Promise<ClaimsCommit> =>
  takeTurns(engine, owner, () => commitInTurn(engine, owner, claims, options), options.signal);

async function commitInTurn(
  engine: Engine,
  owner: FactOwner,
  claims: readonly Claim[],
  options: ClaimsOptions,
): Promise<ClaimsCommit> {
  const store = await engine.store();
  const call = callOf(options.signal);
  for (let attempt = 0; attempt < CONFLICT_TRIES; attempt++) {
    const now = engine.now();
    const set = await readOwner(engine, owner, { now, limit: HISTORY_LIMIT }, options.signal);
    // Read after the facts: a tombstone that is added meanwhile makes the commit a conflict.
    const tombstones = new Set(await store.readTombstones(owner, call));
    const facts = claims.map(({ fact }) => fact);
    const forgotten = await forgottenAmong(engine, tombstones, facts);
    const taken = facts.filter((fact) => !forgotten.has(fact.id));
    let live: readonly Fact[] = set.facts;
    const put = new Map<string, Fact>();
    const outcomes = claims.map((claim): Outcome => {
      if (forgotten.has(claim.fact.id)) return refused("FORGOTTEN", "The person had this forgotten.");
      const decision = decideClaim(live, claim);
      for (const fact of decision.put) put.set(fact.id, fact);
      const byId = new Map([...live, ...decision.put].map((fact) => [fact.id, fact]));
      live = [...byId.values()].filter((fact) => fact.validTo === undefined);
      return decision.outcome;
    });
    const result = await store.commitFacts(
      owner,
      {
        expectedVersion: set.version,
        now,
        put: [...put.values()],
        unlessTombstoned: await hashesOf(engine, taken),
        operation: { key: options.operation.key, result: options.operation.result(outcomes) },
        beganAt: options.beganAt,
        ...(options.subject === undefined || owner.scope !== "conversation" ? {} : { subject: options.subject }),
      },
      call,
    );
    switch (result.status) {
      case "committed":
        return {
          status: "committed",
          outcomes,
          disputed: facts.filter(({ id }) => put.get(id)?.disputedWith !== undefined).length,
        };
      case "repeated":
        return { status: "repeated", result: result.result };
      case "erased":
        return { status: "erased" };
      // Something else was written or forgotten meanwhile: all is decided anew.
      case "conflict":
      case "tombstoned":
        break;
    }
  }
  throw new MemoryError("STORE_BUSY", "The facts of this owner change too fast to write others; they are tried again.");
}
