import { MemoryError } from "@throughline/core";
import type { RequestIdentity } from "./create-mcp-handler.ts";

/** A token that can be guessed is none. */
const MIN_TOKEN_CHARS = 16;

/**
 * An `identify` for a fixed list of secrets, sent as `Authorization: Bearer …`. Comparing takes as long for a near miss
 * as for any other. Throws `INVALID_ARGUMENT` for a token of under 16 characters.
 */
export function bearerTokens(
  tokens: Iterable<readonly [token: string, identity: RequestIdentity]>,
): (request: Request) => Promise<RequestIdentity | null> {
  const entries = [...tokens];
  if (entries.some(([token]) => typeof token !== "string" || token.length < MIN_TOKEN_CHARS)) {
    const why = `A bearer token has fewer than ${MIN_TOKEN_CHARS} characters; make it of random bytes.`;
    throw new MemoryError("INVALID_ARGUMENT", why);
  }
  return async (request) => {
    const [, sent] = /^Bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "") ?? [];
    if (sent === undefined) return null;
    const wanted = await digest(sent);
    let found: RequestIdentity | null = null;
    for (const [token, identity] of entries) if (isSame(wanted, await digest(token))) found = identity;
    return found;
  };
}

const digest = async (text: string): Promise<Uint8Array> =>
  new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));

/** Looks at every byte, whichever differs first. */
function isSame(a: Uint8Array, b: Uint8Array): boolean {
  let difference = a.length ^ b.length;
  a.forEach((byte, index) => {
    difference |= byte ^ (b[index] ?? 0);
  });
  return difference === 0;
}
