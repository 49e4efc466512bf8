import type { StoryRecords } from "./read-records.ts";

/** One value that isn't the same. */
export interface StoryDifference {
  /** What it is, without numbers: `conversations.turns.messages.id`. */
  field: string;
  /** Where it is: `conversations.0.turns.3.messages.1.id`. */
  path: string;
  expected: unknown;
  got: unknown;
}

/** Everything in which two stories' records differ, field by field. Ids are compared as what they name, and as they are. */
export function compareRecords(expected: StoryRecords, got: StoryRecords): StoryDifference[] {
  const [one, other] = [expected, got].map((records) => flatten(withNames(records))) as [Flat, Flat];
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

/** The records with every mention of an id as the place of what it names. The ids themselves stay, under `id`. */
function withNames(records: StoryRecords): unknown {
  const names = new Map<string, string>();
  for (const { conversation, turns } of records.conversations) {
    for (const { id, seq, messages } of turns) {
      names.set(id, `turn ${conversation?.id} ${seq}`);
      for (const [index, message] of messages.entries()) names.set(message.id, `message ${conversation?.id} ${seq}.${index}`);
    }
  }
  for (const { scope, facts } of records.facts) {
    for (const [index, { id }] of facts.entries()) names.set(id, `fact ${scope} ${index}`);
  }
  // A longer id may begin with a shorter one.
  const ids = [...names.keys()].toSorted((one, other) => other.length - one.length);
  const named = (value: unknown, key = ""): unknown => {
    if (Array.isArray(value)) return value.map((member) => named(member));
    if (typeof value === "object" && value !== null) {
      return Object.fromEntries(Object.entries(value).map(([name, member]) => [rename(name), named(member, name)]));
    }
    return typeof value === "string" && key !== "id" ? rename(value) : value;
  };
  const rename = (text: string): string =>
    ids.reduce((renamed, id) => (renamed.includes(id) ? renamed.replaceAll(id, names.get(id) ?? id) : renamed), text);
  return named(records);
}
