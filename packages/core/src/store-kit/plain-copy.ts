import { MemoryError } from "../errors/memory-error.ts";

/**
 * A deep copy of plain JSON, as any durable store makes it: members that are `undefined` are left out, and what isn't
 * JSON is refused with `INVALID_JSON`. What goes in and what comes out of a store is a copy, so that nobody holds a
 * reference into it.
 */
export function plainCopy<Value>(value: Value): Value {
  try {
    // The contract's rows are plain JSON: the round trip gives the same type back.
    return JSON.parse(JSON.stringify(value)) as Value;
  } catch (cause) {
    throw new MemoryError("INVALID_JSON", "The store was given a value that is not plain JSON.", { cause });
  }
}
