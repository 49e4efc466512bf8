import { type Json, type JsonObject, MemoryError } from "@throughline/core";

/** Why something can't be carried over. */
export const unsupported = (what: string, cause?: unknown): MemoryError =>
  new MemoryError("UNSUPPORTED_CONTENT", `${what} can't be kept in the memory.`, cause === undefined ? {} : { cause });

/** A value as plain JSON, as LangGraph's own serializer would show it: dates as text, `undefined` left out. */
export function toJson(value: unknown, what: string): Json {
  try {
    const text = JSON.stringify(value);
    return text === undefined ? null : JSON.parse(text);
  } catch (error) {
    throw unsupported(what, error);
  }
}

/** An object's members that are there, as plain JSON; `undefined` where none is. */
export function definedJson(members: object | undefined, what: string): JsonObject | undefined {
  const defined = Object.entries(members ?? {}).filter(([, value]) => value !== undefined);
  if (defined.length === 0) return undefined;
  return Object.fromEntries(defined.map(([key, value]) => [key, toJson(value, what)]));
}
