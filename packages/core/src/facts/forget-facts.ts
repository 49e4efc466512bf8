import { checkId } from "../checks/ids.ts";
import type { Fact, FactScope, ForgetFilter, ForgetReceipt } from "../contract/fact.ts";
import type { FactOwner } from "../contract/owner.ts";
import { MemoryError } from "../errors/memory-error.ts";
import { callOf } from "../memory/call-options.ts";
import type { Engine } from "../memory/engine.ts";
import { later } from "../memory/later.ts";
import { retryingWrite, throwIfAborted } from "../memory/resilience.ts";
import { CONFLICT_TRIES, eventIds, HISTORY_LIMIT, readOwner, type Writer } from "./fact-access.ts";
import { normaliseKey, normaliseTags } from "./fact-key.ts";
import { type FactContext, factOwner } from "./fact-owner.ts";
import { removeFacts, withHistory } from "./remove-facts.ts";
import { takeTurns } from "./take-turns.ts";
import { hashesOf } from "./tombstones.ts";

const forgetQuarantined = later(async () => (await import("../extract/quarantine.ts")).forgetQuarantined);

/** Forgets facts with their history. Says how many went, and why none did. */
export async function forgetFacts(engine: Engine, writer: Writer, filter: ForgetFilter): Promise<ForgetReceipt> {
  throwIfAborted(filter.signal, "forget");
  const key = filter.key === undefined ? undefined : normaliseKey(filter.key);
  const [tag] = filter.tag === undefined ? [undefined] : normaliseTags([filter.tag]);
  if (key === undefined && filter.id === undefined && tag === undefined && filter.scope === undefined && !filter.all) {
    throw new MemoryError("INVALID_ARGUMENT", "forget needs an id, a key, a tag, a scope, or all: true.");
  }
  if (filter.id !== undefined) checkId(filter.id, "fact id");
  const scopes: FactScope[] = filter.scope ? [filter.scope] : ["user", "conversation"];
  if (
    filter.scope !== undefined &&
    filter.scope !== "user" &&
    filter.scope !== "conversation" &&
    writer.author === "agent"
  ) {
    return readOnly(filter.scope);
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
    const tried: Tried = { ids: [] };
    const erase = () =>
      takeTurns(engine, owner, () => eraseMatching(engine, owner, { matches, filter, tried }), filter.signal);
    ids.push(...(await retryingWrite(engine, "forget", erase, filter.signal)));
  }
  if (filter.dryRun !== true) {
    // Doubtful candidates under the key are what the person wants gone as well; they have neither ids nor tags.
    if (key !== undefined || filter.all) for (const owner of owners) await forgetQuarantined(engine, owner, key);
  }
  if (ids.length === 0 && writer.author === "agent") {
    const named = {
      ...(filter.id === undefined ? {} : { ids: [filter.id] }),
      ...(key === undefined || filter.scope !== undefined ? {} : { keys: [key] }),
    };
    const scope = await readOnlyScopeOf(engine, context, named, filter.signal);
    if (scope !== null) return readOnly(scope);
  }
  if (filter.dryRun !== true) engine.emit({ type: "memory.forgotten", ...eventIds(context), facts: ids.length });
  return {
    forgotten: ids.length,
    ids,
    ...(filter.dryRun ? { dryRun: true } : {}),
    ...(ids.length === 0 ? { code: "NOT_FOUND", reason: "No fact of this conversation's scopes matches." } : {}),
  };
}

const readOnly = (scope: FactScope): ForgetReceipt => ({
  forgotten: 0,
  ids: [],
  code: "SCOPE_READ_ONLY",
  reason: `Facts of the scope "${scope}" are forgotten by the operator only.`,
});

/** The scope of a fact that the context can read and not write; `null` where no such fact has the id or the key. */
async function readOnlyScopeOf(
  engine: Engine,
  context: FactContext,
  named: { ids?: string[]; keys?: string[] },
  signal: AbortSignal | undefined,
): Promise<FactScope | null> {
  if (named.ids === undefined && named.keys === undefined) return null;
  const owners = (["app", "global"] as const).flatMap((scope) => factOwner(context, scope) ?? []);
  const store = await engine.store();
  const sets = await store.readFacts(owners, { now: engine.now(), ...named, limit: 1 }, callOf(signal));
  return sets.find((set) => set.facts.length > 0)?.owner.scope ?? null;
}

/** Facts that the store was told to erase, and may have: its answer was lost. */
interface Tried {
  ids: readonly string[];
}

async function eraseMatching(
  engine: Engine,
  owner: FactOwner,
  { matches, filter, tried }: { matches: (fact: Fact) => boolean; filter: ForgetFilter; tried: Tried },
): Promise<string[]> {
  const store = await engine.store();
  for (let attempt = 0; attempt < CONFLICT_TRIES; attempt++) {
    const now = engine.now();
    const set = await readOwner(engine, owner, { now, history: true, limit: HISTORY_LIMIT }, filter.signal);
    const known = new Set(set.facts.map((fact) => fact.id));
    // History that no fact leads to any more is forgotten by itself.
    const isEnd = (fact: Fact) =>
      fact.validTo === undefined || fact.supersededBy === undefined || !known.has(fact.supersededBy);
    const chosen = set.facts.filter((fact) => isEnd(fact) && matches(fact));
    const went = tried.ids.filter((id) => !known.has(id));
    const ids = [...went, ...chosen.map((fact) => fact.id)];
    // Asked again under the same key, the store answers what went the first time.
    const again = chosen.length === 0 && filter.idempotencyKey !== undefined;
    if (filter.dryRun || (chosen.length === 0 && !again)) return ids;
    const { put, erase } = removeFacts(set.facts, withHistory(set.facts, chosen), now);
    const erased = new Set(erase);
    const gone = set.facts.filter((fact) => erased.has(fact.id));
    tried.ids = ids;
    const result = await store.commitFacts(
      owner,
      {
        expectedVersion: set.version,
        now,
        put,
        erase,
        tombstones: { add: await hashesOf(engine, gone) },
        ...(filter.idempotencyKey === undefined
          ? {}
          : { operation: { key: filter.idempotencyKey, result: JSON.stringify(ids) } }),
      },
      callOf(filter.signal),
    );
    if (result.status === "committed") return ids;
    if (result.status === "repeated") return JSON.parse(result.result) as string[];
    tried.ids = went;
  }
  throw new MemoryError("STORE_BUSY", "The facts of this owner change too fast to forget one; try again.");
}
