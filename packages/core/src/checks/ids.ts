import { MemoryError } from "../errors/memory-error.ts";

/** Longest id, in UTF-8 bytes. */
export const MAX_ID_BYTES = 512;

const utf8Length = (text: string): number => {
  // Three bytes a code unit is the most UTF-8 takes, so short ids need no encoding.
  if (text.length * 3 <= MAX_ID_BYTES) return text.length;
  return new TextEncoder().encode(text).length;
};

/**
 * Throws `INVALID_ID` unless `value` is a string of 1 to 512 bytes without NUL and lone surrogates.
 * Everything else is a good id: e-mail addresses, quotes, `%`, `:`, emoji.
 */
export function checkId(value: unknown, what: string): asserts value is string {
  const fault =
    typeof value !== "string"
      ? `is ${value === null ? "null" : typeof value}, not a string`
      : value.length === 0
        ? "is empty"
        : utf8Length(value) > MAX_ID_BYTES
          ? `is longer than ${MAX_ID_BYTES} bytes; use a shorter stable id, or a hash of it`
          : value.includes("\0")
            ? "holds a NUL character"
            : !value.isWellFormed()
              ? "holds a lone surrogate"
              : null;
  if (fault !== null) throw new MemoryError("INVALID_ID", `The ${what} ${fault}.`, { details: { what } });
}

/** {@link checkId} for an optional id; `undefined` passes. */
export function checkOptionalId(value: unknown, what: string): asserts value is string | undefined {
  if (value !== undefined) checkId(value, what);
}
