import { MemoryError } from "../../errors/memory-error.ts";

/**
 * A deep copy of plain JSON, as any durable store makes it: members that are `undefined` are left out, and what isn't
 * JSON is refused. What goes in and what comes out of the store is a copy, so that nobody holds a reference into it.
 */
export function copy<Value>(value: Value): Value {
  try {
    // The contract's rows are plain JSON: the round trip gives the same type back.
    return JSON.parse(JSON.stringify(value)) as Value;
  } catch (cause) {
    throw new MemoryError("INVALID_JSON", "The store was given a value that is not plain JSON.", { cause });
  }
}

/** Code-unit order, whatever the locale. */
export function compareText(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}
