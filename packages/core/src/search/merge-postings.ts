import type { Slicer, Slices } from "./slices.ts";

/** Pieces that hold some term, each once: parallel arrays. */
export interface MergedPieces {
  size: number;
  documents: Float64Array;
  /** For each term, in the order of its postings: which of the pieces. */
  unitsOf: readonly Uint32Array[];
}

/** Terms whose next pieces are compared one by one; of more a table of what is known takes less time. */
const MOST_SIDE_BY_SIDE = 32;

/** Numbers the documents of several terms, each once. */
export function* mergeDocuments(lists: readonly (readonly number[])[], slicer: Slicer): Slices<MergedPieces> {
  const total = lists.reduce((sum, { length }) => sum + length, 0);
  const unitsOf = lists.map(({ length }) => slicer.room.integers(length));
  const documents = slicer.room.doubles(total);
  let isAscending = lists.filter(({ length }) => length > 0).length <= MOST_SIDE_BY_SIDE;
  for (const list of lists) {
    if (!isAscending) break;
    yield* slicer.each(list.length, (from, to) => {
      isAscending &&= ascends(list, from, to);
    });
  }
  const merge = isAscending ? mergeAscending : mergeAny;
  const size = yield* merge(lists, { documents, unitsOf }, slicer);
  return { size, documents: documents.subarray(0, size), unitsOf };
}

interface Target {
  documents: Float64Array;
  unitsOf: readonly Uint32Array[];
}

function ascends(list: readonly number[], from: number, to: number): boolean {
  for (let index = Math.max(1, from); index < to; index++) {
    if ((list[index] as number) <= (list[index - 1] as number)) return false;
  }
  return true;
}

/** As stores mostly give them: the least of the next ones is always the next piece. */
function* mergeAscending(
  lists: readonly (readonly number[])[],
  { documents, unitsOf }: Target,
  slicer: Slicer,
): Slices<number> {
  const held = lists.flatMap((list, index) => (list.length > 0 ? [index] : []));
  const some = held.map((index) => lists[index] as readonly number[]);
  const targets = held.map((index) => unitsOf[index] as Uint32Array);
  const terms = some.length;
  const at = slicer.room.integers(terms);
  const next = Float64Array.from(some, (list) => list[0] ?? Number.POSITIVE_INFINITY);
  let unit = 0;
  let isOver = terms === 0;
  const mergeSome = (from: number, to: number): void => {
    for (let step = from; step < to && !isOver; step++) {
      let least = Number.POSITIVE_INFINITY;
      for (let term = 0; term < terms; term++) if ((next[term] as number) < least) least = next[term] as number;
      isOver = least === Number.POSITIVE_INFINITY;
      if (isOver) return;
      documents[unit] = least;
      for (let term = 0; term < terms; term++) {
        if (next[term] !== least) continue;
        const index = at[term] as number;
        (targets[term] as Uint32Array)[index] = unit;
        at[term] = index + 1;
        next[term] = (some[term] as readonly number[])[index + 1] ?? Number.POSITIVE_INFINITY;
      }
      unit++;
    }
  };
  yield* slicer.each(documents.length + 1, mergeSome);
  return unit;
}

function* mergeAny(
  lists: readonly (readonly number[])[],
  { documents, unitsOf }: Target,
  slicer: Slicer,
): Slices<number> {
  const known = new Map<number, number>();
  for (const [term, list] of lists.entries()) {
    const target = unitsOf[term] as Uint32Array;
    yield* slicer.each(list.length, (from, to) => {
      for (let index = from; index < to; index++) {
        const document = list[index] as number;
        let unit = known.get(document);
        if (unit === undefined) {
          unit = known.size;
          known.set(document, unit);
          documents[unit] = document;
        }
        target[index] = unit;
      }
    });
  }
  return known.size;
}
