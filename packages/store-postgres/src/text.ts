import { MemoryError } from "@throughline/core";

const LONGEST_ID_BYTES = 512;
const MARK = "\u0001";

/**
 * A text as a column holds it: PostgreSQL takes neither NUL nor lone surrogates. Others stay as they are, in their order.
 */
export function writeText(text: string): string {
  return text.isWellFormed() && !text.includes("\0") && !text.startsWith(MARK) ? text : MARK + JSON.stringify(text);
}

/** What {@link writeText} wrote. */
export function readText(stored: string): string {
  return stored.startsWith(MARK) ? JSON.parse(stored.slice(1)) : stored;
}

/** Refuses what can't be told apart once it is stored. */
export function checkId(id: string): void {
  if (id.length > 0 && id.isWellFormed() && !id.includes("\0") && Buffer.byteLength(id) <= LONGEST_ID_BYTES) return;
  throw new MemoryError("INVALID_ID", "An id is empty, over 512 bytes, or holds NUL or a lone surrogate.");
}

/** JSON of a value; what isn't JSON is refused with a code. */
export function writeJson(value: unknown, what: string): string {
  try {
    return JSON.stringify(value);
  } catch (cause) {
    throw new MemoryError("INVALID_JSON", `${what} is not plain JSON.`, { cause });
  }
}

/** Code-unit order, whatever the locale. */
export function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/** A number that fits PostgreSQL's `integer`. */
export function toInteger(value: number): number {
  return Math.max(-2_147_483_648, Math.min(2_147_483_647, Math.trunc(value)));
}
