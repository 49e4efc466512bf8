import { type CodeRun, emptyRun, putCodes, type VectorArena } from "@throughline/core/store-kit";
import { AT_ONCE, type KnownVector, type NearChanges } from "./near-changes.ts";

/**
 * A subject's vectors of one model as one snapshot had them. Several searches may go on from one of them: what it holds stays
 * as it is.
 */
export interface KnownSet {
  /** The vectors, and behind `count` maybe those of a later snapshot. */
  known: KnownVector[];
  count: number;
  /** All their stamps, by exclusive or: what tells two sets of as many vectors apart. */
  stamps: bigint;
  /** The greatest stamp. */
  last: bigint;
  /** The same vectors to be compared as 8-bit numbers, where there are as many in it and {@link isInArena}. */
  arena: VectorArena;
  /** False where another search went on from the same set: behind what both have, the arena has what that one brought. */
  isInArena: boolean;
  /** What conversations are called there. */
  numbers: Map<string, number>;
}

/** A set of nothing, on an arena of its own. */
export function emptySet(arena: VectorArena): KnownSet {
  return { known: [], count: 0, stamps: 0n, last: 0n, arena, isInArena: true, numbers: new Map() };
}

/**
 * The set as it is after some changes; `null` where it isn't what was there and what was written since: something was erased,
 * hidden, written over or moved, or was committed later than what was known already. With a pause behind some vectors each; the
 * set is gone on from behind the last one, so that whoever goes on at once keeps what becomes of it.
 */
export function* nextSet(
  set: KnownSet,
  { count, stamps, written }: NearChanges,
): Generator<void, KnownSet | null, void> {
  if (written === null || set.count + written.length !== count) return null;
  if (written.reduce((all, { stamp }) => all ^ stamp, set.stamps) !== stamps) return null;
  const last = written.at(-1)?.stamp;
  if (last === undefined) return set;
  const added = written.map(({ known }) => known);
  const run = isLast(set) ? yield* codesOf(set, added) : undefined;
  // Where another search went on from here already, this one's answer is its own.
  if (run === undefined || !isLast(set)) {
    return { ...set, known: [...set.known.slice(0, set.count), ...added], count, stamps, last, isInArena: false };
  }
  for (const one of added) set.known.push(one);
  set.arena.append(run);
  set.arena.settle(added.length);
  return { ...set, count, stamps, last };
}

/** True where nothing was brought behind a set. */
const isLast = ({ known, arena, count }: KnownSet): boolean => known.length === count && arena.count === count;

/** Vectors as the set's arena keeps them. */
function* codesOf({ arena, numbers }: KnownSet, added: readonly KnownVector[]): Generator<void, CodeRun, void> {
  const { run } = emptyRun(added.length, arena.dimensions);
  for (const [index, { conversation, seq, vector }] of added.entries()) {
    const number = numbers.get(conversation) ?? numbers.size;
    numbers.set(conversation, number);
    // Of what a scan may leave out by, no more is asked for.
    putCodes(run, index, { conversation: number, seq, role: 0, time: Number.NaN }, vector);
    if (index % AT_ONCE === AT_ONCE - 1) yield;
  }
  return run;
}
