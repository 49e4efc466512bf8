import type { Json } from "../contract/json.ts";
import { MemoryError } from "../errors/memory-error.ts";

/** For adapters: why something of a host's message can't be carried over. */
export const unsupportedContent = (what: string, cause?: unknown): MemoryError =>
  new MemoryError("UNSUPPORTED_CONTENT", `${what} can't be kept in the memory.`, cause === undefined ? {} : { cause });

/**
 * For adapters: a host's value as plain JSON, as the wire would show it: dates as text, `undefined` left out. Throws
 * `UNSUPPORTED_CONTENT` naming `what` for one that JSON has no form for.
 */
export function toJson(value: unknown, what: string): Json {
  try {
    const text = JSON.stringify(value);
    return text === undefined ? null : JSON.parse(text);
  } catch (error) {
    throw unsupportedContent(what, error);
  }
}
