import type { Json } from "../contract/json.ts";
import type { FactOwner } from "../contract/owner.ts";
import { MemoryError } from "../errors/memory-error.ts";
import type { Engine } from "../memory/engine.ts";
import { comparable } from "./decide-fact.ts";
import { CONFLICT_TRIES, readOwner } from "./fact-access.ts";

const isComposite = (value: Json): boolean => typeof value === "object" && value !== null;

/** Texts shorter than this say too little by themselves: they are remembered together with their key. */
const MIN_LONE_CHARS = 4;

/**
 * The hash by which a forgotten value is known again: HMAC-SHA-256, keyed by the app's secret, over the value as it is
 * compared (compatibility forms, case and spaces folded). It holds whatever key the value comes back under; only what
 * says nothing by itself (numbers, `true`, very short texts) is bound to its key or topic.
 */
export async function tombstoneHash(
  engine: Engine,
  fact: { key?: string | undefined; topic?: string | undefined; value: Json },
): Promise<string> {
  const value = comparable(fact.value);
  const lone = typeof fact.value === "string" ? fact.value.trim().length >= MIN_LONE_CHARS : isComposite(fact.value);
  const bound = lone ? "" : (fact.key ?? fact.topic ?? "");
  const text = new TextEncoder().encode(JSON.stringify([bound, value]));
  const signature = await crypto.subtle.sign("HMAC", await engine.forgetKey(), text);
  return [...new Uint8Array(signature)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Lets a value come back for one owner. */
export async function liftTombstone(engine: Engine, owner: FactOwner, hash: string): Promise<void> {
  const store = await engine.store();
  for (let attempt = 0; attempt < CONFLICT_TRIES; attempt++) {
    const now = engine.now();
    const { version } = await readOwner(engine, owner, { now, limit: 1 });
    const result = await store.commitFacts(owner, {
      expectedVersion: version,
      now,
      put: [],
      tombstones: { lift: [hash] },
    });
    if (result.status === "committed") return;
  }
  throw new MemoryError("STORE_BUSY", "The facts of this owner change too fast to lift a tombstone; try again.");
}
