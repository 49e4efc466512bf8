import { DeltaSnapshot, isDeltaSnapshot } from "@langchain/langgraph-checkpoint";
import type { CheckpointValueRow, CheckpointValueWrite, ElementRange } from "@throughline/core";
import { decode, revive } from "./codec/decode.ts";
import { encode, type UnknownValues } from "./codec/encode.ts";
import type { Encoded } from "./codec/format.ts";
import { type KnownElements, listKey, type Written } from "./known-elements.ts";

/** A value of up to so many characters stands in its checkpoint. */
const SHORT = 256;

/** What a list in the store stands for: an array, a delta channel's snapshot of one, or one large value. */
export type ListKind = "array" | "snapshot" | "single";

/** A value to write, and what is to be learned of its items once it is written. */
export interface ValueDraft {
  write: CheckpointValueWrite;
  kind?: ListKind;
  /** By the place among the list's elements. */
  fresh: [place: number, written: Written][];
}

/** A channel's value as the store takes it. Reads the value in this tick. */
export function draftValue(
  name: string,
  value: unknown,
  { generation, known, unknown }: { generation: string; known: KnownElements; unknown: UnknownValues },
): ValueDraft {
  const items = isDeltaSnapshot(value) ? value.value : value;
  if (Array.isArray(items) && items.length > 0 && isDense(items)) {
    const draft = draftList(name, items, generation, known, unknown);
    return { ...draft, kind: items === value ? "array" : "snapshot" };
  }
  const text = encode(value, unknown);
  if (text.length <= SHORT) return { write: { name, value: text }, fresh: [] };
  return { write: { name, value: [text] }, kind: "single", fresh: [] };
}

const isDense = (items: readonly unknown[]): boolean => Object.keys(items).length === items.length;

function draftList(
  name: string,
  items: readonly unknown[],
  generation: string,
  known: KnownElements,
  unknown: UnknownValues,
): ValueDraft {
  const list = listKey(generation, name);
  const value: (ElementRange | string)[] = [];
  const fresh: ValueDraft["fresh"] = [];
  let first = 0;
  let count = 0;
  const flush = (): void => {
    if (count > 0) value.push([first, count]);
    count = 0;
  };
  for (const [place, item] of items.entries()) {
    const number = known.find(list, item);
    if (number === undefined) {
      flush();
      value.push(encode(item, unknown));
      fresh.push([place, known.look(item)]);
    } else if (count > 0 && first + count === number) {
      count += 1;
    } else {
      flush();
      first = number;
      count = 1;
    }
  }
  flush();
  return { write: { name, value }, fresh };
}

/** The number at a place of a list. */
export function numberAt(ranges: readonly ElementRange[], place: number): number | undefined {
  let before = 0;
  for (const [first, count] of ranges) {
    if (place < before + count) return first + place - before;
    before += count;
  }
  return undefined;
}

/** A channel's value as it was written. Its items are learned where `generation` is named. */
export function readValue(
  { name, value, elements }: CheckpointValueRow,
  kind: ListKind | undefined,
  learning?: { generation: string; known: KnownElements },
): unknown {
  if (typeof value === "string") return decode(value);
  // Elements are texts of `encode`, one JSON array of them.
  const items = (JSON.parse(elements ?? "[]") as Encoded[]).map(revive);
  if (kind === "single") return items[0];
  learning?.known.learnList(listKey(learning.generation, name), items, value);
  return kind === "snapshot" ? new DeltaSnapshot(items) : items;
}
