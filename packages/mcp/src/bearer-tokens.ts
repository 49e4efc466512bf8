import { MemoryError } from "@throughline/core";
import type { RequestIdentity } from "./create-mcp-handler.ts";

/** A token that can be guessed is none; one with a space in it never comes through a header. */
const TOKEN = /^[\x21-\x7e]{16,}$/;

/**
 * An `identify` for a fixed list of secrets, sent as `Authorization: Bearer …`. Comparing takes as long for a near miss
 * as for any other. Throws `INVALID_ARGUMENT` for a token of under 16 characters, or with a space.
 */
export function bearerTokens(
  tokens: Iterable<readonly [token: string, identity: RequestIdentity]>,
): (request: Request) => Promise<RequestIdentity | null> {
  const entries = [...tokens];
  if (entries.some(([token]) => typeof token !== "string" || !TOKEN.test(token))) {
    const why = "A bearer token is too short, or holds what a header can't; give at least 16 random characters.";
    throw new MemoryError("INVALID_ARGUMENT", why);
  }
  let digests: Promise<Uint8Array[]> | undefined;
  return async (request) => {
    const [, sent] = /^Bearer +(\S+)$/i.exec(request.headers.get("authorization") ?? "") ?? [];
    if (sent === undefined) return null;
    digests ??= Promise.all(entries.map(([token]) => digest(token)));
    const [wanted, known] = await Promise.all([digest(sent), digests]);
    let found: RequestIdentity | null = null;
    entries.forEach(([, identity], index) => {
      if (isSame(wanted, known[index])) found = identity;
    });
    return found;
  };
}

const digest = async (text: string): Promise<Uint8Array> =>
  new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));

/** Looks at every byte, whichever differs first. */
function isSame(a: Uint8Array, b: Uint8Array | undefined): boolean {
  let difference = b?.length === a.length ? 0 : 1;
  a.forEach((byte, index) => {
    difference |= byte ^ (b?.[index] ?? 0);
  });
  return difference === 0;
}
