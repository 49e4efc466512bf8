import { checkJson } from "../checks/json.ts";
import type { Json } from "../contract/json.ts";
import type { FactOwner } from "../contract/owner.ts";
import { MemoryError } from "../errors/memory-error.ts";
import type { Engine } from "../memory/engine.ts";
import { comparable, foldText, saysSomething } from "./comparable.ts";
import { CONFLICT_TRIES, readOwner } from "./fact-access.ts";
import { normaliseKey } from "./fact-key.ts";

/** What a value is hashed by. */
export interface Forgettable {
  key?: string | undefined;
  topic?: string | undefined;
  value: Json;
}

/** What a value that says nothing by itself is bound to: its key or topic, whatever the spelling. */
function bindingOf({ key, topic }: Forgettable): string {
  const name = key ?? topic ?? "";
  try {
    return normaliseKey(name);
  } catch {
    return foldText(name);
  }
}

/** A value and, where it is a list, everything in it. */
const withMembers = (value: Json): Json[] => (Array.isArray(value) ? [value, ...value.flatMap(withMembers)] : [value]);

const hex = (bytes: ArrayBuffer): string =>
  [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");

async function sign(engine: Engine, parts: readonly string[]): Promise<string> {
  const text = new TextEncoder().encode(JSON.stringify(parts));
  return hex(await crypto.subtle.sign("HMAC", await engine.forgetKey(), text));
}

/**
 * The hashes by which a forgotten value is known again: HMAC-SHA-256, keyed by the app's secret, over the value as it is
 * compared; for a list also those of its members, so that neither comes back as the other. They hold whatever key the
 * value comes back under; only what says nothing by itself (numbers, `true`, very short texts) is bound to its key or
 * topic.
 */
export async function tombstoneHashes(engine: Engine, fact: Forgettable): Promise<string[]> {
  const values = withMembers(fact.value);
  const hashes = values.map((value) => sign(engine, [saysSomething(value) ? "" : bindingOf(fact), comparable(value)]));
  return [...new Set(await Promise.all(hashes))];
}

/** The hashes of several facts, each once. */
export async function hashesOf(engine: Engine, facts: readonly Forgettable[]): Promise<string[]> {
  const hashes = await Promise.all(facts.map((fact) => tombstoneHashes(engine, fact)));
  return [...new Set(hashes.flat())];
}

/** Tells memories apart whose hashes are keyed differently, and nothing about the key. */
export const forgetKeyMark = (engine: Engine): Promise<string> => sign(engine, ["throughline", "forget key"]);

/** Which of these facts an owner had forgotten, by id. */
export async function forgottenAmong<Item extends Forgettable & { id: string }>(
  engine: Engine,
  tombstones: ReadonlySet<string>,
  facts: readonly Item[],
): Promise<Set<string>> {
  const forgotten = new Set<string>();
  if (tombstones.size === 0) return forgotten;
  for (const fact of facts) {
    if ((await tombstoneHashes(engine, fact)).some((hash) => tombstones.has(hash))) forgotten.add(fact.id);
  }
  return forgotten;
}

/** Lets a forgotten value come back for some owners. Throws for what can't be a fact. */
export async function liftForgotten(
  engine: Engine,
  owners: readonly FactOwner[],
  forgotten: Forgettable,
): Promise<void> {
  checkJson(forgotten.value, "value");
  if (forgotten.key !== undefined) normaliseKey(forgotten.key);
  const hashes = await tombstoneHashes(engine, forgotten);
  for (const owner of owners) await lift(engine, owner, hashes);
}

async function lift(engine: Engine, owner: FactOwner, hashes: readonly string[]): Promise<void> {
  const store = await engine.store();
  for (let attempt = 0; attempt < CONFLICT_TRIES; attempt++) {
    const now = engine.now();
    const { version } = await readOwner(engine, owner, { now, limit: 1 });
    const result = await store.commitFacts(owner, {
      expectedVersion: version,
      now,
      put: [],
      tombstones: { lift: hashes },
    });
    if (result.status === "committed") return;
  }
  throw new MemoryError("STORE_BUSY", "The facts of this owner change too fast to lift a tombstone; try again.");
}
