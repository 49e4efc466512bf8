import { type Json, type JsonObject, toJson } from "@throughline/core";

export { toJson } from "@throughline/core";

/** An object's members without those named, as plain JSON; `undefined` where none is left. */
export function otherMembers(holder: object, ...named: string[]): JsonObject | undefined {
  const rest = Object.entries(holder).filter(([key, value]) => value !== undefined && !named.includes(key));
  if (rest.length === 0) return undefined;
  return Object.fromEntries(rest.map(([key, value]): [string, Json] => [key, toJson(value, "A row")]));
}

/** Are both the same as JSON, whatever the order of their members? */
export const isSameJson = (left: unknown, right: unknown): boolean => canonical(left) === canonical(right);

function canonical(value: unknown): string | undefined {
  return JSON.stringify(value, (_key, member: unknown) =>
    typeof member === "object" && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}
