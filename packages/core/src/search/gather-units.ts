import { mergeDocuments } from "./merge-postings.ts";
import { type NearUnits, nearUnits } from "./near-units.ts";
import type { Slicer, Slices } from "./slices.ts";
import { orderOf, restOf, seqOf } from "./unit-place.ts";

/** Where one term stands, in parallel arrays. */
export interface UnitPostings {
  term: string;
  documentFrequency: number;
  documents: readonly number[];
  frequencies: readonly number[];
  lengths: readonly number[];
  conversations: readonly number[];
  places: readonly number[];
}

/** Pieces that hold some term, numbered from 0 in the order of their conversations: arrays are parallel. */
export interface GatheredUnits {
  size: number;
  documents: Float64Array;
  lengths: Float64Array;
  /** The sequence number of each one's turn. */
  seqs: Float64Array;
  /** What else its place says, as `restOf` gives it. */
  rests: Uint16Array;
  /** Conversations are numbered from 0. */
  conversationOf: Uint32Array;
  conversations: number;
  /** What each conversation's number is in postings. */
  conversationNumbers: readonly number[];
  /** Of each term: which pieces hold it, and how often each. */
  terms: readonly { held: Uint32Array; frequencies: readonly number[] }[];
  near: NearUnits;
}

/** Brings the postings of several terms together by the pieces that hold them. */
export function* gatherUnits(terms: readonly UnitPostings[], slicer: Slicer): Slices<GatheredUnits> {
  const { room } = slicer;
  const { size, documents, unitsOf } = yield* mergeDocuments(
    terms.map((term) => term.documents),
    slicer,
  );
  const [lengths, codes, named] = [room.doubles(size), room.doubles(size), room.doubles(size)];
  for (const [index, term] of terms.entries()) {
    const units = unitsOf[index] as Uint32Array;
    yield* slicer.each(units.length, (from, to) => {
      for (let at = from; at < to; at++) {
        const unit = units[at] as number;
        lengths[unit] = term.lengths[at] as number;
        codes[unit] = term.places[at] as number;
        named[unit] = term.conversations[at] as number;
      }
    });
  }
  const { numbers, names } = yield* numberConversations(named, slicer);
  const conversations = names.length;
  const order = yield* inOrder({ numbers, codes, documents }, conversations, slicer);
  const sorted = {
    documents: room.doubles(size),
    lengths: room.doubles(size),
    seqs: room.doubles(size),
    rests: room.shorts(size),
    conversationOf: room.integers(size),
  };
  const rank = room.integers(size);
  yield* slicer.each(size, (from, to) => {
    for (let place = from; place < to; place++) {
      const unit = order[place] as number;
      const code = codes[unit] as number;
      rank[unit] = place;
      sorted.documents[place] = documents[unit] as number;
      sorted.lengths[place] = lengths[unit] as number;
      sorted.seqs[place] = seqOf(code);
      sorted.rests[place] = restOf(code);
      sorted.conversationOf[place] = numbers[unit] as number;
    }
  });
  for (const units of unitsOf) {
    yield* slicer.each(units.length, (from, to) => {
      for (let at = from; at < to; at++) units[at] = rank[units[at] as number] as number;
    });
  }
  return {
    size,
    ...sorted,
    conversations,
    conversationNumbers: names,
    terms: terms.map(({ frequencies }, index) => ({ held: unitsOf[index] as Uint32Array, frequencies })),
    near: yield* nearUnits(sorted, slicer),
  };
}

/** Numbers conversations from 0, as they come. Most pieces are of the same one as the piece before. */
function* numberConversations(named: Float64Array, slicer: Slicer): Slices<{ numbers: Uint32Array; names: number[] }> {
  const numbers = slicer.room.integers(named.length);
  const known = new Map<number, number>();
  let last = Number.NaN;
  let number = 0;
  yield* slicer.each(named.length, (from, to) => {
    for (let unit = from; unit < to; unit++) {
      const name = named[unit] as number;
      if (name !== last) {
        number = known.get(name) ?? known.size;
        known.set(name, number);
        last = name;
      }
      numbers[unit] = number;
    }
  });
  return { numbers, names: [...known.keys()] };
}

/**
 * The pieces conversation by conversation, each in its order; those of one place as they were numbered, which is the order that
 * they were indexed in. Postings come in that order mostly: then nothing is sorted.
 */
function* inOrder(
  { numbers, codes, documents }: { numbers: Uint32Array; codes: Float64Array; documents: Float64Array },
  conversations: number,
  slicer: Slicer,
): Slices<Uint32Array> {
  const ends = slicer.room.integers(conversations + 1);
  for (const number of numbers) ends[number + 1] = (ends[number + 1] as number) + 1;
  for (let index = 0; index < conversations; index++)
    ends[index + 1] = (ends[index + 1] as number) + (ends[index] as number);
  const next = ends.slice();
  const order = slicer.room.integers(numbers.length);
  yield* slicer.each(numbers.length, (from, to) => {
    for (let unit = from; unit < to; unit++) {
      const number = numbers[unit] as number;
      const place = next[number] as number;
      next[number] = place + 1;
      order[place] = unit;
    }
  });
  const compare = (left: number, right: number): number =>
    orderOf(codes[left] as number) - orderOf(codes[right] as number) ||
    (documents[left] as number) - (documents[right] as number);
  for (let index = 0; index < conversations; index++) {
    const some = order.subarray(ends[index] as number, ends[index + 1] as number);
    let isAscending = true;
    yield* slicer.each(some.length, (from, to) => {
      for (let at = Math.max(1, from); at < to; at++) {
        if (compare(some[at - 1] as number, some[at] as number) > 0) isAscending = false;
      }
    });
    // Mostly in order all the same, which sorting an ordinary array is quick with.
    if (!isAscending) some.set([...some].sort(compare));
  }
  return order;
}
