import { checkId } from "../checks/ids.ts";
import type { Fact, FactInput } from "../contract/fact.ts";
import type { Outcome } from "../contract/outcome.ts";
import type { FactOwner } from "../contract/owner.ts";
import { MemoryError } from "../errors/memory-error.ts";
import { callOf } from "../memory/call-options.ts";
import type { Engine } from "../memory/engine.ts";
import { asMemoryError, codeOf, retryingWrite, throwIfAborted } from "../memory/resilience.ts";
import { decideFact } from "./decide-fact.ts";
import { CONFLICT_TRIES, eventIds, READ_LIMIT, readOwner, type Writer } from "./fact-access.ts";
import { checkScope, factOwner } from "./fact-owner.ts";
import { newFact, refused } from "./new-fact.ts";
import { tombstoneHash } from "./tombstones.ts";

/** Writes one fact. Malformed input and `ifVersion` mismatches throw; everything else is an outcome. */
export async function rememberFact(engine: Engine, writer: Writer, input: FactInput): Promise<Outcome> {
  throwIfAborted(input.signal, "remember");
  const refuse = (outcome: Outcome): Outcome => {
    engine.emit({ type: "memory.remembered", ...pick(outcome) });
    return outcome;
  };
  if (!engine.policy.longTerm.enabled) return refuse(refused("TIER_OFF", "The policy switches facts off."));
  const wanted = input.scope ?? "user";
  checkScope(wanted);
  if (wanted !== "user" && wanted !== "conversation" && writer.author === "agent") {
    return refuse(refused("SCOPE_READ_ONLY", `Facts of the scope "${wanted}" are written by the operator only.`));
  }
  if (input.idempotencyKey !== undefined) checkId(input.idempotencyKey, "idempotency key");
  const claim = newFact(engine, writer, input);
  if ("status" in claim) return refuse(claim);
  try {
    return await retryingWrite(engine, "remember", async () => {
      const context = await writer.context();
      const owner = factOwner(context, wanted);
      if (owner === null) {
        const needed = wanted === "conversation" ? "conversation" : "subject";
        return refuse(refused("SUBJECT_REQUIRED", `Facts of the scope "${wanted}" need a ${needed}.`));
      }
      const outcome = await commitClaim(engine, writer, owner, { ...claim, scope: owner.scope }, input);
      engine.emit({ type: "memory.remembered", ...eventIds(context), ...pick(outcome) });
      return outcome;
    });
  } catch (error) {
    if (engine.strict || isCallers(error)) throw asMemoryError(error, "remember");
    return { status: "failed", code: codeOf(error), retryable: MemoryError.isInstance(error) && error.retryable };
  }
}

const isCallers = (error: unknown): boolean =>
  MemoryError.isInstance(error) && ["VERSION_CONFLICT", "ABORTED"].includes(error.code);

const pick = ({ id, status, code }: Outcome) => ({
  status,
  ...(id === undefined ? {} : { id }),
  ...(code === undefined ? {} : { code }),
});

/** What a repeated call is answered: nothing that was remembered, since forgetting doesn't reach what is kept of calls. */
const repeatable = ({ similarKeys: _similarKeys, ...outcome }: Outcome): Outcome => outcome;

async function commitClaim(
  engine: Engine,
  writer: Writer,
  owner: FactOwner,
  claim: Fact,
  input: FactInput,
): Promise<Outcome> {
  const store = await engine.store();
  const now = claim.updatedAt;
  const hash = await tombstoneHash(engine, claim);
  // What a person says of themselves lifts what they had forgotten; nobody else's word does.
  const forgotten = writer.author === "user" ? { tombstones: { lift: [hash] } } : { unlessTombstoned: [hash] };
  for (let attempt = 0; attempt < CONFLICT_TRIES; attempt++) {
    const set = await readOwner(engine, owner, { now, limit: READ_LIMIT }, input.signal);
    const slot = set.facts.find((fact) => fact.key !== undefined && fact.key === claim.key && !fact.disputedWith);
    if (input.ifVersion !== undefined && (slot?.version ?? 0) !== input.ifVersion) {
      throw new MemoryError(
        "VERSION_CONFLICT",
        `The fact "${claim.key ?? ""}" has version ${slot?.version ?? 0}, not ${input.ifVersion}; read it again.`,
        { details: { version: slot?.version ?? 0 } },
      );
    }
    const decision = decideFact(set.facts, claim, {
      multiple: input.multiple === true,
      cap: writer.author === "agent" ? engine.policy.longTerm.maxAgentFacts : null,
    });
    const result = await store.commitFacts(
      owner,
      {
        expectedVersion: set.version,
        now,
        put: decision.put,
        erase: decision.erase,
        ...forgotten,
        ...(input.idempotencyKey === undefined
          ? {}
          : { operation: { key: input.idempotencyKey, result: JSON.stringify(repeatable(decision.outcome)) } }),
        ...(writer.turn === undefined ? {} : { beganAt: writer.turn.startedAt }),
      },
      callOf(input.signal),
    );
    switch (result.status) {
      case "committed":
        return decision.outcome;
      case "repeated":
        return JSON.parse(result.result) as Outcome;
      case "tombstoned":
        return refused("FORGOTTEN", "The person had this forgotten; it is not stored again.");
      case "erased":
        return refused("ERASED", "What this fact belongs to was erased after the turn began.");
      case "conflict":
        break;
    }
  }
  throw new MemoryError("STORE_BUSY", "The facts of this owner change too fast to write another one; try again.");
}
