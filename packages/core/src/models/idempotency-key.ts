/**
 * A key of a request, derived from its address and body (SHA-256), so that a provider or proxy that knows it answers
 * a repeated request once. `undefined` where the runtime has no `crypto.subtle`: a weaker hash could give two people's
 * requests the same key.
 */
export async function idempotencyKey(url: string, body: string): Promise<string | undefined> {
  const subtle = globalThis.crypto?.subtle;
  if (subtle === undefined) return undefined;
  const digest = await subtle.digest("SHA-256", new TextEncoder().encode(`${url}\n${body}`));
  const hex = Array.from(new Uint8Array(digest).subarray(0, 16), (byte) => byte.toString(16).padStart(2, "0"));
  return `throughline-${hex.join("")}`;
}
