import { type JsonObject, toJson } from "@throughline/core";

export { toJson, unsupportedContent as unsupported } from "@throughline/core";

/** An object's members that are there, as plain JSON; `undefined` where none is. */
export function definedJson(members: object | undefined, what: string): JsonObject | undefined {
  const defined = Object.entries(members ?? {}).filter(([, value]) => value !== undefined);
  if (defined.length === 0) return undefined;
  return Object.fromEntries(defined.map(([key, value]) => [key, toJson(value, what)]));
}
