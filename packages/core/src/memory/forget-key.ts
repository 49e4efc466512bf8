import type { MemoryStore } from "../contract/memory-store.ts";

const algorithm = { name: "HMAC", hash: "SHA-256" } as const;

/** What a store without a secret of its own and an app without a key leave: better than none, guessable by who has both. */
const FALLBACK = "throughline forgets";

/**
 * The key of tombstone hashes: the app's, else the secret that the store keeps beside its data. The app's own is needed
 * where several stores are to know the same forgotten values again, as after an export and an import.
 */
export async function importForgetKey(
  given: string | undefined,
  store: () => Promise<MemoryStore>,
): Promise<{ key: CryptoKey; source: "app" | "store" | "fallback" }> {
  // A variable that is set to nothing names no key.
  const own = given === "" ? undefined : given;
  const fromStore = own === undefined ? await (await store()).secret?.() : undefined;
  const bytes = fromStore ?? new TextEncoder().encode(own ?? FALLBACK);
  const key = await crypto.subtle.importKey("raw", bytes as BufferSource, algorithm, false, ["sign"]);
  return { key, source: own !== undefined ? "app" : fromStore ? "store" : "fallback" };
}
