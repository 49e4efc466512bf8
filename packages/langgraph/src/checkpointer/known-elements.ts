import type { ElementRange } from "@throughline/core";
import { isUnchanged, type Trace, traceOf } from "./codec/trace.ts";
import { Lru } from "./lru.ts";

/** Lists whose texts and numbers are remembered. */
const MOST_LISTS = 64;

/** Where an object is kept, and what it held then. */
interface Place {
  list: string;
  number: number;
  trace: Trace;
}

type Primitive = string | number | boolean | null;

const isPrimitive = (value: unknown): value is Primitive =>
  value === null ||
  typeof value === "string" ||
  typeof value === "boolean" ||
  (typeof value === "number" && Number.isFinite(value) && value !== 0);

/** An item that is about to be written, with what it held as it was read. */
export interface Written {
  item: unknown;
  trace: Trace | null;
}

/** The list of a name, within one generation of a conversation's elements. */
export const listKey = (generation: string, name: string): string => `${generation} ${name}`;

/**
 * The numbers under which items are kept already, so that a list that grew by one item costs the writing of one. An object that
 * was changed since is written anew.
 */
export class KnownElements {
  readonly #objects = new WeakMap<object, Place>();
  readonly #primitives = new Lru<Map<Primitive, number>>(MOST_LISTS);

  /** The number of an item; `undefined` where it has to be written. */
  find(list: string, item: unknown): number | undefined {
    if (isPrimitive(item)) return this.#primitives.get(list)?.get(item);
    if (typeof item !== "object" || item === null) return undefined;
    const place = this.#objects.get(item);
    if (place === undefined || place.list !== list || !isUnchanged(item, place.trace)) return undefined;
    return place.number;
  }

  /** What an item holds now, to be handed to {@link learn} once its number is known. */
  look(item: unknown): Written {
    return { item, trace: typeof item === "object" && item !== null ? traceOf(item) : null };
  }

  learn(list: string, { item, trace }: Written, number: number): void {
    if (isPrimitive(item)) {
      let known = this.#primitives.get(list);
      if (known === undefined) {
        known = new Map();
        this.#primitives.set(list, known);
      }
      known.set(item, number);
    } else if (typeof item === "object" && item !== null && trace !== null) {
      this.#objects.set(item, { list, number, trace });
    }
  }

  /** Learns the items of a list that was just read. */
  learnList(list: string, items: readonly unknown[], ranges: readonly ElementRange[]): void {
    let index = 0;
    for (const [first, count] of ranges) {
      for (let number = first; number < first + count; number++) {
        this.learn(list, this.look(items[index]), number);
        index += 1;
      }
    }
  }
}
