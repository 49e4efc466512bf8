import { durationMs, timeAfter } from "../checks/duration.ts";
import { checkId, checkOptionalId } from "../checks/ids.ts";
import { checkJson } from "../checks/json.ts";
import type {
  Fact,
  FactAuthor,
  FactInput,
  FactScope,
  ForgetFilter,
  ForgetReceipt,
  RecallQuery,
  RecallResult,
} from "../contract/fact.ts";
import type { Json } from "../contract/json.ts";
import { ORIGINS, type Origin } from "../contract/origin.ts";
import type { Outcome } from "../contract/outcome.ts";
import type { FactOwner } from "../contract/owner.ts";
import type { FactSet } from "../contract/store-rows.ts";
import { MemoryError } from "../errors/memory-error.ts";
import type { Engine } from "../memory/engine.ts";
import { asMemoryError, codeOf, retryingWrite, throwIfAborted } from "../memory/resilience.ts";
import { postingsOf, rankPostings } from "../search/rank.ts";
import { countTerms, extractTerms } from "../search/terms.ts";
import { cutAtGrapheme } from "../text/graphemes.ts";
import { decideFact } from "./decide-fact.ts";
import { normaliseKey, normaliseTags } from "./fact-key.ts";
import { checkScope, type FactContext, factOwner, readableOwners } from "./fact-owner.ts";

/** Who writes, and what the claim rests on. */
export interface Writer {
  author: FactAuthor;
  origin: Origin;
  /** Whose facts; reads the store where only the store knows the subject. */
  context: () => Promise<FactContext>;
  /** The conversation it is written in. */
  conversation?: string | undefined;
  /** The turn under way, where there is one. */
  turn?: { id: string; startedAt: string } | undefined;
}

/** Facts of one owner that are read at a time: far above the agent's cap, and a bound for people's own. */
const READ_LIMIT = 1_000;
const CONFLICT_TRIES = 8;
const TYPES = ["fact", "preference", "relationship", "instruction"] as const;
const MAY_INSTRUCT: readonly Origin[] = ["user", "user-confirmed", "operator"];

const refused = (code: string, reason: string): Outcome => ({ status: "refused", code, reason });

/** A fact as it would be stored, from what was given. Throws for malformed input; `refused` for what policy forbids. */
function toFact(engine: Engine, writer: Writer, input: FactInput): Fact | Outcome {
  const { policy } = engine;
  const now = engine.now();
  const key = input.key === undefined ? undefined : normaliseKey(input.key);
  checkJson(input.value, "value");
  let value: Json = input.value;
  let truncated = false;
  const byAgent = writer.author === "agent" || writer.author === "distiller";
  const size = typeof value === "string" ? value.length : JSON.stringify(value).length;
  const limit = byAgent ? policy.longTerm.maxValueChars : MAX_VALUE_CHARS;
  if (size > limit) {
    if (typeof value !== "string" || !byAgent) {
      return refused("VALUE_TOO_LARGE", `The value has ${size} characters and ${limit} are allowed; store less of it.`);
    }
    value = cutAtGrapheme(value, limit);
    truncated = true;
  }
  const origin = input.origin ?? writer.origin;
  if (!ORIGINS.includes(origin)) {
    throw new MemoryError("INVALID_ARGUMENT", `"${String(origin)}" is no origin; use one of ${ORIGINS.join(", ")}.`);
  }
  const type = input.type ?? "fact";
  if (!TYPES.includes(type)) {
    throw new MemoryError("INVALID_ARGUMENT", `"${String(type)}" is no fact type; use one of ${TYPES.join(", ")}.`);
  }
  const { confidence } = input;
  if (confidence !== undefined && !(confidence >= 0 && confidence <= 1)) {
    throw new MemoryError("INVALID_ARGUMENT", "confidence must be a number from 0 to 1.");
  }
  checkOptionalId(input.topic, "topic");
  checkOptionalId(input.turn, "turn id");
  const ttlMs =
    input.ttl !== undefined ? durationMs(input.ttl, "ttl") : byAgent ? policy.longTerm.agentFactTtlMs : null;
  const turn = input.turn ?? writer.turn?.id;
  const fact: Fact = {
    id: engine.createId(),
    value,
    type: type === "instruction" && !MAY_INSTRUCT.includes(origin) ? "fact" : type,
    tags: normaliseTags(input.tags),
    scope: input.scope ?? "user",
    author: writer.author,
    origin,
    createdAt: now,
    updatedAt: now,
    validFrom: now,
    version: 1,
  };
  if (key !== undefined) fact.key = key;
  if (input.topic !== undefined) fact.topic = input.topic;
  if (confidence !== undefined) fact.confidence = confidence;
  if (ttlMs !== null) fact.expiresAt = timeAfter(now, ttlMs);
  if (truncated) fact.truncated = true;
  if (turn !== undefined && writer.conversation !== undefined) {
    fact.source = { conversation: writer.conversation, turn };
    if (input.quote !== undefined) fact.source.quote = input.quote;
  }
  return fact;
}

/** Largest value of a fact that a person or an operator writes, in characters. */
const MAX_VALUE_CHARS = 1_000_000;

/** Writes one fact. Malformed input and `ifVersion` mismatches throw; everything else is an outcome. */
export async function rememberFact(engine: Engine, writer: Writer, input: FactInput): Promise<Outcome> {
  throwIfAborted(input.signal, "remember");
  if (!engine.policy.longTerm.enabled) return refused("TIER_OFF", "The policy switches facts off.");
  const wanted = input.scope ?? "user";
  checkScope(wanted);
  if (wanted !== "user" && wanted !== "conversation" && writer.author === "agent") {
    return refused("SCOPE_READ_ONLY", `Facts of the scope "${wanted}" are written by the operator only.`);
  }
  if (input.idempotencyKey !== undefined) checkId(input.idempotencyKey, "idempotency key");
  const claim = toFact(engine, writer, input);
  if ("status" in claim) return claim;
  try {
    return await retryingWrite(engine, "remember", async () => {
      const context = await writer.context();
      const owner = factOwner(context, wanted);
      if (owner === null) {
        const needed = wanted === "conversation" ? "conversation" : "subject";
        return refused("SUBJECT_REQUIRED", `Facts of the scope "${wanted}" need a ${needed}.`);
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

const eventIds = ({ conversation, subject }: FactContext) => ({
  ...(conversation === undefined ? {} : { conversation }),
  ...(subject === undefined ? {} : { subject }),
});

async function commitClaim(
  engine: Engine,
  writer: Writer,
  owner: FactOwner,
  claim: Fact,
  input: FactInput,
): Promise<Outcome> {
  const store = await engine.store();
  const now = claim.updatedAt;
  for (let attempt = 0; attempt < CONFLICT_TRIES; attempt++) {
    const set = await readOne(engine, owner, { now, limit: READ_LIMIT }, input.signal);
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
        ...(input.idempotencyKey === undefined
          ? {}
          : { operation: { key: input.idempotencyKey, result: JSON.stringify(decision.outcome) } }),
        ...(writer.turn === undefined ? {} : { beganAt: writer.turn.startedAt }),
      },
      signalOption(input.signal),
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

const signalOption = (signal: AbortSignal | undefined) => (signal === undefined ? {} : { signal });

async function readOne(
  engine: Engine,
  owner: FactOwner,
  query: Parameters<Awaited<ReturnType<Engine["store"]>>["readFacts"]>[1],
  signal?: AbortSignal,
): Promise<FactSet> {
  const store = await engine.store();
  const [set] = await store.readFacts([owner], query, signalOption(signal));
  return set ?? { owner, version: 0, facts: [], total: 0 };
}

/** The live value of a key in one scope; `null` when there is none. */
export async function recallKey(
  engine: Engine,
  context: FactContext,
  key: string,
  options: { scope?: FactScope | undefined; signal?: AbortSignal | undefined },
): Promise<Json | null> {
  throwIfAborted(options.signal, "recall");
  const normalised = normaliseKey(key);
  const owner = factOwner(context, options.scope ?? "user");
  if (owner === null || !engine.policy.longTerm.enabled) return null;
  const set = await readOne(engine, owner, { now: engine.now(), keys: [normalised], limit: 10 }, options.signal);
  const fact = set.facts.find((candidate) => candidate.disputedWith === undefined);
  engine.emit({ type: "memory.recalled", ...eventIds(context), facts: fact ? 1 : 0 });
  return fact?.value ?? null;
}

/** Facts that the context can read and that match, best first. */
export async function recallFacts(engine: Engine, context: FactContext, query: RecallQuery): Promise<RecallResult> {
  throwIfAborted(query.signal, "recall");
  if (!engine.policy.longTerm.enabled) return { facts: [], reason: "Facts are switched off by the policy." };
  const owner = query.scope === undefined ? undefined : factOwner(context, query.scope);
  const owners = query.scope === undefined ? readableOwners(context) : owner ? [owner] : [];
  if (owners.length === 0) return { facts: [], reason: `The scope "${query.scope}" needs a subject.` };
  const store = await engine.store();
  const sets = await store.readFacts(
    owners,
    {
      now: engine.now(),
      limit: READ_LIMIT,
      ...(query.type === undefined ? {} : { type: query.type }),
      ...(query.tags === undefined ? {} : { tags: normaliseTags(query.tags) }),
      ...(query.asOf === undefined ? {} : { asOf: query.asOf }),
    },
    signalOption(query.signal),
  );
  const facts = sets.flatMap((set) => set.facts).sort(byRecency);
  const n = query.n ?? 10;
  const words = query.query?.trim() ?? "";
  const ranked = words === "" ? facts : rankFacts(facts, words);
  const matching =
    (query.order ?? (words === "" ? "recent" : "relevance")) === "recent" ? [...ranked].sort(byRecency) : ranked;
  const result = matching.slice(0, n);
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

const byRecency = (a: Fact, b: Fact): number =>
  a.updatedAt < b.updatedAt ? 1 : a.updatedAt > b.updatedAt ? -1 : a.id < b.id ? -1 : 1;

/** What a fact is found by. */
const factText = (fact: Fact): string =>
  [
    fact.key?.replaceAll("_", " "),
    fact.topic,
    ...fact.tags,
    typeof fact.value === "string" ? fact.value : JSON.stringify(fact.value),
  ]
    .filter((text) => text !== undefined)
    .join(" ");

/** Facts that share a word with the query, best first, with their scores. Ties keep the given order. Pure. */
export function rankFacts(facts: readonly Fact[], query: string): (Fact & { score: number })[] {
  const terms = [...new Set(extractTerms(query))];
  const postings = postingsOf(
    terms,
    facts.map((fact) => countTerms(factText(fact))),
  );
  return rankPostings(postings)
    .sort((a, b) => b.score - a.score || a.document - b.document)
    .map(({ document, score }) => ({ ...(facts[document] as Fact), score }));
}

/** Forgets facts with their history. Says how many went, and why none did. */
export async function forgetFacts(engine: Engine, writer: Writer, filter: ForgetFilter): Promise<ForgetReceipt> {
  throwIfAborted(filter.signal, "forget");
  const key = filter.key === undefined ? undefined : normaliseKey(filter.key);
  const [tag] = filter.tag === undefined ? [undefined] : normaliseTags([filter.tag]);
  if (key === undefined && filter.id === undefined && tag === undefined && filter.scope === undefined && !filter.all) {
    throw new MemoryError("INVALID_ARGUMENT", "forget needs an id, a key, a tag, a scope, or all: true.");
  }
  if (filter.id !== undefined) checkId(filter.id, "fact id");
  const scopes: FactScope[] = filter.scope ? [filter.scope] : key !== undefined ? ["user"] : ["user", "conversation"];
  if (
    filter.scope !== undefined &&
    filter.scope !== "user" &&
    filter.scope !== "conversation" &&
    writer.author === "agent"
  ) {
    return {
      forgotten: 0,
      ids: [],
      code: "SCOPE_READ_ONLY",
      reason: `Facts of the scope "${filter.scope}" are forgotten by the operator only.`,
    };
  }
  const context = await writer.context();
  const owners = scopes.map((scope) => factOwner(context, scope)).filter((owner) => owner !== null);
  const matches = (fact: Fact) =>
    (key === undefined || fact.key === key) &&
    (filter.id === undefined || fact.id === filter.id) &&
    (tag === undefined || fact.tags.includes(tag));
  const ids: string[] = [];
  const seen = new Set<string>();
  for (const owner of owners) {
    if (seen.has(owner.scope)) continue;
    seen.add(owner.scope);
    ids.push(...(await retryingWrite(engine, "forget", () => eraseMatching(engine, owner, matches, filter))));
  }
  if (filter.dryRun !== true) engine.emit({ type: "memory.forgotten", ...eventIds(context), facts: ids.length });
  return {
    forgotten: ids.length,
    ids,
    ...(filter.dryRun ? { dryRun: true } : {}),
    ...(ids.length === 0 ? { code: "NOT_FOUND", reason: "No fact of this conversation's scopes matches." } : {}),
  };
}

async function eraseMatching(
  engine: Engine,
  owner: FactOwner,
  matches: (fact: Fact) => boolean,
  filter: ForgetFilter,
): Promise<string[]> {
  const store = await engine.store();
  for (let attempt = 0; attempt < CONFLICT_TRIES; attempt++) {
    const now = engine.now();
    const set = await readOne(engine, owner, { now, history: true, limit: 100_000 }, filter.signal);
    const chosen = set.facts.filter((fact) => fact.validTo === undefined && matches(fact));
    if (filter.dryRun || chosen.length === 0) return chosen.map((fact) => fact.id);
    const result = await store.commitFacts(
      owner,
      {
        expectedVersion: set.version,
        now,
        put: [],
        erase: withHistory(set.facts, chosen),
        ...(filter.idempotencyKey === undefined
          ? {}
          : { operation: { key: filter.idempotencyKey, result: JSON.stringify(chosen.map((fact) => fact.id)) } }),
      },
      signalOption(filter.signal),
    );
    if (result.status === "committed") return chosen.map((fact) => fact.id);
    if (result.status === "repeated") return JSON.parse(result.result) as string[];
  }
  throw new MemoryError("STORE_BUSY", "The facts of this owner change too fast to forget one; try again.");
}

/** Ids of facts and of everything they superseded: forgetting removes history too. */
function withHistory(all: readonly Fact[], chosen: readonly Fact[]): string[] {
  const ids = new Set(chosen.map((fact) => fact.id));
  for (let grew = true; grew; ) {
    grew = false;
    for (const fact of all) {
      if (fact.supersededBy !== undefined && ids.has(fact.supersededBy) && !ids.has(fact.id)) {
        ids.add(fact.id);
        grew = true;
      }
    }
  }
  return [...ids];
}
