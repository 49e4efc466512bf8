import { DeltaSnapshot, isDeltaSnapshot } from "@langchain/langgraph-checkpoint";
import { type CheckpointValueRow, type CheckpointValueWrite, type ElementRange, MemoryError } from "@throughline/core";
import { decode } from "./codec/decode.ts";
import { encode, type UnknownValues } from "./codec/encode.ts";
import { type KnownElements, type LookedAt, listKey, numberAt } from "./known-elements.ts";

/** A value of up to so many characters stands in its checkpoint. */
const SHORT = 256;

/** What a list in the store stands for: an array, a delta channel's snapshot of one, or one large value. */
export type ListKind = "array" | "snapshot" | "single";

/** A value to write, and what is to be learned of its items once it is written. */
export interface ValueDraft {
  write: CheckpointValueWrite;
  kind?: ListKind;
  looked?: LookedAt;
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
  const text = encode(value, unknown, [name]);
  if (text.length <= SHORT) return { write: { name, value: text } };
  return { write: { name, value: [text] }, kind: "single" };
}

const isDense = (items: readonly unknown[]): boolean => Object.keys(items).length === items.length;

function draftList(
  name: string,
  items: readonly unknown[],
  generation: string,
  known: KnownElements,
  unknown: UnknownValues,
): ValueDraft {
  const looked = known.look(listKey(generation, name), items);
  const value: (ElementRange | string)[] = [];
  let first = 0;
  let count = 0;
  const flush = (): void => {
    if (count > 0) value.push([first, count]);
    count = 0;
  };
  for (let place = 0; place < items.length; place++) {
    const number = numberAt(looked, place);
    if (number === undefined) {
      flush();
      value.push(encode(items[place], unknown, [name, place]));
    } else if (count > 0 && first + count === number) {
      count += 1;
    } else {
      flush();
      first = number;
      count = 1;
    }
  }
  flush();
  return { write: { name, value }, looked };
}

/** A channel's value as it was written. Its items are learned where `generation` is named. */
export function readValue(
  { name, value, elements }: CheckpointValueRow,
  kind: ListKind | undefined,
  learning?: { generation: string; known: KnownElements },
): unknown {
  if (typeof value === "string") return decode(value);
  // Elements are texts of `encode`, one JSON array of them: read as such a text, it is an array.
  const items = decode(elements ?? "[]") as unknown[];
  if (items.length !== value.reduce((sum, [, count]) => sum + count, 0)) {
    throw new MemoryError("STORE_CORRUPT", `The store has not all elements of the state's "${name}" any more.`, {
      details: { name },
    });
  }
  if (kind === "single") return items[0];
  learning?.known.learnList(listKey(learning.generation, name), items, value);
  return kind === "snapshot" ? new DeltaSnapshot(items) : items;
}
