import { MemoryError } from "../errors/memory-error.ts";

/**
 * Headers of a request to a provider; later ones win. Throws `INVALID_ARGUMENT` where one can't be sent, without
 * telling its value: it may be a key.
 */
export function requestHeaders(...layers: (Record<string, string | undefined> | undefined)[]): Headers {
  const headers = new Headers({ "content-type": "application/json", accept: "application/json" });
  for (const [name, value] of layers.flatMap((layer) => Object.entries(layer ?? {}))) {
    if (value === undefined) continue;
    try {
      headers.set(name, value);
    } catch {
      // The cause is left out: it quotes the value.
      throw new MemoryError(
        "INVALID_ARGUMENT",
        `The header "${name}" has characters that can't be sent; check the key.`,
        {
          details: { header: name },
        },
      );
    }
  }
  return headers;
}
