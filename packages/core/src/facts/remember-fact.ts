import { checkId } from "../checks/ids.ts";
import type { Fact, FactInput, FactSource } from "../contract/fact.ts";
import type { Outcome } from "../contract/outcome.ts";
import type { FactOwner } from "../contract/owner.ts";
import type { FactSet } from "../contract/store-rows.ts";
import { quoteStands } from "../conversation/quote.ts";
import { MemoryError } from "../errors/memory-error.ts";
import { callOf } from "../memory/call-options.ts";
import type { Engine } from "../memory/engine.ts";
import { later } from "../memory/later.ts";
import { asMemoryError, codeOf, retryingWrite, sentenceOf, throwIfAborted } from "../memory/resilience.ts";
import { decideFact, type FactDecision } from "./decide-fact.ts";
import { CONFLICT_TRIES, eventIds, HISTORY_LIMIT, READ_LIMIT, readOwner, type Writer } from "./fact-access.ts";
import { checkScope, type FactContext, factOwner } from "./fact-owner.ts";
import { newFact, refused } from "./new-fact.ts";
import { removeFacts, withHistory } from "./remove-facts.ts";
import { holderOf } from "./settle-slots.ts";
import { takeTurns } from "./take-turns.ts";
import { tombstoneHashes } from "./tombstones.ts";

const dropQuotes = later(async () => (await import("./drop-quotes.ts")).dropQuotes);

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
  const tried: Tried = { decision: null };
  const write = async (): Promise<Outcome> => {
    const context = await contextOf(writer);
    if ("status" in context) return refuse(context);
    const owner = factOwner(context, wanted);
    if (owner === null) {
      const needed = wanted === "conversation" ? "conversation" : "subject";
      return refuse(refused("SUBJECT_REQUIRED", `Facts of the scope "${wanted}" need a ${needed}.`));
    }
    const found = claim.source === undefined ? await quoted(writer, input) : undefined;
    const placed = { ...claim, scope: owner.scope, ...(found === undefined ? {} : { source: found }) };
    const what = { claim: placed, input, subject: context.subject, tried };
    const outcome = withCut(await commitClaim(engine, writer, owner, what), claim, input);
    if (found !== undefined) await dropIfErased(engine, writer, owner, found);
    engine.emit({ type: "memory.remembered", ...eventIds(context), ...pick(outcome) });
    return outcome;
  };
  try {
    return await retryingWrite(engine, "remember", write, input.signal);
  } catch (error) {
    if (engine.strict || isCallers(error)) throw asMemoryError(error, "remember");
    return {
      status: "failed",
      code: codeOf(error),
      reason: `${sentenceOf(error) ?? "The store did not take the fact."} The fact can be remembered again.`,
      retryable: MemoryError.isInstance(error) && error.retryable,
    };
  }
}

/** Tells of a text that was cut how much of it is stored. */
const withCut = (outcome: Outcome, { truncated, value }: Fact, input: FactInput): Outcome =>
  truncated !== true || outcome.status === "refused" || outcome.status === "failed"
    ? outcome
    : { ...outcome, truncated: { kept: String(value).length, of: String(input.value).length } };

/** The recorded turn that a quote comes from, where no turn is named. */
async function quoted(
  { conversation, recorded }: Writer,
  { quote }: FactInput,
): Promise<Required<FactSource> | undefined> {
  if (quote === undefined || conversation === undefined) return undefined;
  const turn = await recorded?.quoted(quote);
  return turn === undefined ? undefined : { conversation, turn, quote };
}

/** What was erased while it was looked up isn't quoted. */
async function dropIfErased(
  engine: Engine,
  { recorded }: Writer,
  owner: FactOwner,
  { conversation, turn, quote }: Required<FactSource>,
): Promise<void> {
  const left = (await recorded?.words(turn)) ?? "";
  if (quoteStands(quote, left)) return;
  await dropQuotes(engine, [owner], { conversation, turns: new Map([[turn, { gone: quote, left }]]) });
}

/** Whose facts the writer writes; a refusal where the conversation is another's. */
async function contextOf(writer: Writer): Promise<FactContext | Outcome> {
  try {
    return await writer.context();
  } catch (error) {
    if (!MemoryError.isInstance(error) || error.code !== "CONVERSATION_OWNER_MISMATCH") throw error;
    return refused(error.code, error.message);
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

/**
 * The live facts that a claim is decided by: those of its slot, however many facts the owner has, and all of them where
 * the agent's cap or the same value without a key is looked for. `null` where they changed between two reads.
 */
async function readRivals(engine: Engine, owner: FactOwner, claim: Fact, input: FactInput): Promise<FactSet | null> {
  const now = claim.updatedAt;
  const newest = await readOwner(engine, owner, { now, limit: READ_LIMIT }, input.signal);
  if (newest.total <= newest.facts.length) return newest;
  const isWhole = claim.author === "agent" || claim.key === undefined;
  const query =
    isWhole || claim.key === undefined ? { now, limit: HISTORY_LIMIT } : { now, keys: [claim.key], limit: READ_LIMIT };
  const more = await readOwner(engine, owner, query, input.signal);
  if (more.version !== newest.version) return null;
  const ids = new Set(more.facts.map((fact) => fact.id));
  return { ...newest, facts: [...more.facts, ...newest.facts.filter((fact) => !ids.has(fact.id))] };
}

/**
 * What a decision writes: what the cap pushes out goes with its history, so that forgetting has nothing left to reach.
 * `null` where the facts changed since they were read.
 */
async function toWrite(
  engine: Engine,
  owner: FactOwner,
  { put, evict }: FactDecision,
  read: { version: number; now: string },
  signal: AbortSignal | undefined,
): Promise<{ put: Fact[]; erase: string[] } | null> {
  const keys = [...new Set(evict.flatMap((fact) => fact.key ?? []))];
  if (keys.length === 0) return { put, erase: evict.map((fact) => fact.id) };
  const query = { now: read.now, keys, history: true, limit: HISTORY_LIMIT };
  const history = await readOwner(engine, owner, query, signal);
  if (history.version !== read.version) return null;
  const all = new Map([...history.facts, ...evict, ...put].map((fact) => [fact.id, fact]));
  const removal = removeFacts([...all.values()], withHistory([...all.values()], evict), read.now);
  const gone = new Set(removal.erase);
  const end = new Map([...put, ...removal.put].map((fact) => [fact.id, fact]));
  return { put: [...end.values()].filter((fact) => !gone.has(fact.id)), erase: removal.erase };
}

/** The decision that was given to the store last: stored, unless it said otherwise, or its answer was lost. */
interface Tried {
  decision: FactDecision | null;
}

/** Whether what a decision put is there: nobody else writes a fact of that id and version at that moment. */
const isStored = ({ put }: FactDecision, { facts }: FactSet): boolean =>
  put
    .filter(({ validTo }) => validTo === undefined)
    .every(({ id, version, updatedAt }) =>
      facts.some((fact) => fact.id === id && fact.version === version && fact.updatedAt === updatedAt),
    );

async function commitClaim(
  engine: Engine,
  writer: Writer,
  owner: FactOwner,
  { claim, input, subject, tried }: { claim: Fact; input: FactInput; subject: string | undefined; tried: Tried },
): Promise<Outcome> {
  const store = await engine.store();
  const now = claim.updatedAt;
  const hashes = await tombstoneHashes(engine, claim);
  // What a person says of themselves lifts what they had forgotten; nobody else's word does.
  const forgotten = writer.author === "user" ? { tombstones: { lift: hashes } } : { unlessTombstoned: hashes };
  const write = async (): Promise<Outcome> => {
    for (let attempt = 0; attempt < CONFLICT_TRIES; attempt++) {
      const set = await readRivals(engine, owner, claim, input);
      if (set === null) continue;
      if (tried.decision !== null && isStored(tried.decision, set)) return tried.decision.outcome;
      const slot = claim.key === undefined ? undefined : holderOf(set.facts.filter((fact) => fact.key === claim.key));
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
      const changes = await toWrite(engine, owner, decision, { version: set.version, now }, input.signal);
      if (changes === null) continue;
      tried.decision = decision;
      const result = await store.commitFacts(
        owner,
        {
          expectedVersion: set.version,
          now,
          ...changes,
          ...forgotten,
          ...(input.idempotencyKey === undefined
            ? {}
            : { operation: { key: input.idempotencyKey, result: JSON.stringify(repeatable(decision.outcome)) } }),
          ...(writer.beganAt === undefined ? {} : { beganAt: writer.beganAt }),
          // A conversation's facts don't name whom they are about; they go with the subject all the same.
          ...(subject === undefined || owner.scope !== "conversation" ? {} : { subject }),
        },
        callOf(input.signal),
      );
      if (result.status !== "committed") tried.decision = null;
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
  };
  return takeTurns(engine, owner, write, input.signal);
}
