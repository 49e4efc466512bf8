import type { ElementRange } from "@throughline/core";
import { trace, traceEnd } from "./codec/trace.ts";
import { Lru } from "./lru.ts";

/** Lists that are remembered: the newest of each channel of as many conversations. */
const MOST_LISTS = 128;

/** What can't be compared with what it was. */
const OPAQUE = -1;

/** What items held, one after the other; where each begins, {@link OPAQUE} for one that is always written anew, and ends. */
interface Traces {
  trace: unknown[];
  starts: number[];
  ends: number[];
}

/** A list as it was read or written last. Items are only ever added to it. */
interface RememberedList extends Traces {
  items: unknown[];
  numbers: number[];
  /** Places by item, made when the items no longer stand where they stood. */
  places?: Map<unknown, number>;
}

/** Items of a list that are about to be written, with what each new one held as it was read. */
export interface LookedAt {
  items: readonly unknown[];
  /** The list that they were looked for in. */
  list: RememberedList | undefined;
  /** The place of each item in that list; -1 for one that is written. */
  places: Int32Array;
  /** Of those that are written. */
  fresh: Traces;
}

/** The list of a name, within one generation of a conversation's elements. */
export const listKey = (generation: string, name: string): string => `${generation} ${name}`;

/**
 * The numbers under which items are kept already, so that a list that grew by one item costs the writing of one. Each item is
 * compared with what it held: one that was changed since is written anew.
 */
export class KnownElements {
  readonly #lists = new Lru<RememberedList>(MOST_LISTS);

  /** Looks at the items of a list now. */
  look(key: string, items: readonly unknown[]): LookedAt {
    const list = this.#lists.get(key);
    const looked: LookedAt = { items: [...items], list, places: new Int32Array(items.length), fresh: noTraces() };
    for (let place = 0; place < items.length; place++) {
      const at = list === undefined ? -1 : findPlace(list, items[place], place);
      looked.places[place] = at;
      if (at < 0) addTrace(looked.fresh, items[place]);
    }
    return looked;
  }

  /** Remembers a list that was looked at, now that the numbers of all its items are known. */
  learn(key: string, looked: LookedAt, ranges: readonly ElementRange[]): void {
    const { list, places, items, fresh } = looked;
    const numbers = numbersOf(ranges);
    if (list !== undefined && this.#lists.get(key) === list && isLonger(list, places)) {
      for (let place = list.items.length; place < items.length; place++) {
        copyTrace(list, fresh, place - places.length + fresh.starts.length);
        list.items.push(items[place]);
        list.numbers.push(numbers[place] ?? 0);
      }
      delete list.places;
      return;
    }
    const learned: RememberedList = { items: [...items], numbers, ...noTraces() };
    let next = 0;
    for (const at of places) {
      if (at >= 0 && list !== undefined) copyTrace(learned, list, at);
      else copyTrace(learned, fresh, next++);
    }
    this.#lists.set(key, learned);
  }

  /** Remembers a list that was just read. */
  learnList(key: string, items: readonly unknown[], ranges: readonly ElementRange[]): void {
    const list: RememberedList = { items: [...items], numbers: numbersOf(ranges), ...noTraces() };
    for (const item of items) addTrace(list, item);
    this.#lists.set(key, list);
  }
}

/** The number of a place of a list that was looked at; `undefined` where it has to be written. */
export function numberAt({ list, places }: LookedAt, place: number): number | undefined {
  const at = places[place] ?? -1;
  return at < 0 ? undefined : list?.numbers[at];
}

/** True where all of the list comes first, as it is, and the rest is new. */
function isLonger(list: RememberedList, places: Int32Array): boolean {
  const { length } = list.items;
  if (places.length < length) return false;
  for (let place = 0; place < places.length; place++) if (places[place] !== (place < length ? place : -1)) return false;
  return true;
}

const noTraces = (): Traces => ({ trace: [], starts: [], ends: [] });

function addTrace(traces: Traces, item: unknown): void {
  const start = traces.trace.length;
  const isWhole = trace(item, traces.trace);
  traces.starts.push(isWhole ? start : OPAQUE);
  traces.ends.push(traces.trace.length);
}

function copyTrace(to: Traces, from: Traces, index: number): void {
  const start = from.starts[index] ?? OPAQUE;
  const end = from.ends[index] ?? OPAQUE;
  to.starts.push(start === OPAQUE ? OPAQUE : to.trace.length);
  if (start !== OPAQUE) for (let at = start; at < end; at++) to.trace.push(from.trace[at]);
  to.ends.push(to.trace.length);
}

/** Where an unchanged item stands in the list; -1 where it doesn't. */
function findPlace(list: RememberedList, item: unknown, place: number): number {
  let at = place;
  if (list.items[place] !== item || place >= list.items.length) {
    list.places ??= new Map(list.items.map((known, index) => [known, index]));
    at = list.places.get(item) ?? -1;
  }
  const start = at < 0 ? OPAQUE : (list.starts[at] ?? OPAQUE);
  return start !== OPAQUE && traceEnd(item, list.trace, start) === list.ends[at] ? at : -1;
}

function numbersOf(ranges: readonly ElementRange[]): number[] {
  const numbers: number[] = [];
  for (const [first, count] of ranges) for (let number = first; number < first + count; number++) numbers.push(number);
  return numbers;
}
