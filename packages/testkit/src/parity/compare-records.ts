import type { StoryRecords } from "./read-records.ts";
import { byPlace } from "./records-by-place.ts";

/** One value that isn't the same. */
export interface StoryDifference {
  /** What it is, without numbers: `conversations.turns.messages.id`. */
  field: string;
  /** Where it is: `conversations.0.turns.3.messages.1.id`. */
  path: string;
  /** What core alone left there; `undefined` where nothing is. */
  expected: unknown;
  /** What the host left there; `undefined` where nothing is. */
  got: unknown;
}

/**
 * Everything in which what two hosts have left differs, field by field. Ids and sequence numbers are compared twice: as
 * what they name, everywhere, and as they are, in the rows that they belong to.
 */
export function compareRecords(expected: StoryRecords, got: StoryRecords): StoryDifference[] {
  const [one, other] = [flatten(byPlace(expected)), flatten(byPlace(got))];
  const paths = [...new Set([...one.keys(), ...other.keys()])].toSorted();
  return paths.flatMap((path) => {
    if (Object.is(one.get(path), other.get(path))) return [];
    return [{ field: fieldOf(path), path, expected: one.get(path), got: other.get(path) }];
  });
}

type Flat = Map<string, unknown>;

const fieldOf = (path: string): string =>
  path
    .split(".")
    .filter((step) => !/^\d+$/.test(step))
    .join(".");

function flatten(value: unknown, path = "", flat: Flat = new Map()): Flat {
  if (typeof value === "object" && value !== null) {
    const entries = Object.entries(value).filter(([, member]) => member !== undefined);
    // An empty list is not the same as none.
    if (entries.length === 0) flat.set(path, Array.isArray(value) ? "[]" : "{}");
    for (const [key, member] of entries) flatten(member, path === "" ? key : `${path}.${key}`, flat);
  } else flat.set(path, value);
  return flat;
}
