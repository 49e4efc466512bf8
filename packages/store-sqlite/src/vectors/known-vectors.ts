import type { NearMessage } from "@throughline/core";
import { ROLES } from "../keyword/posting-blocks.ts";
import { placeholders, type Session } from "../session.ts";
import { readVector } from "./vector-body.ts";
import { editionOf, vectorKey } from "./vector-sets.ts";

/** What is kept of one beside its floats, about. */
const OVERHEAD_BYTES = 700;

/** A vector's floats, and where its message stands. */
export interface KnownVector {
  /** Of its set, when it was read. */
  edition: number;
  vector: Float32Array;
  isHidden: boolean;
  place: Omit<NearMessage, "score">;
}

interface Kept extends KnownVector {
  /** Asked for since it was last looked at whether it may go. */
  isWanted: boolean;
}

/**
 * Vectors that were read lately, with all that a search answers of them. Each holds as long as the edition of
 * its set that it was read under: which one that is now is looked up each time, in the snapshot of the search.
 */
export class KnownVectors {
  /** By key; those in front are the next to go, unless they were asked for. */
  readonly #known = new Map<number, Kept>();
  #bytes = 0;
  /** What was looked at last, added up: looking is left out by whoever optimises where nobody has use for it. */
  touched = 0;

  /** The vectors of a set under some numbers, in their order; `undefined` for each that is there no more. */
  read(session: Session, set: number, numbers: readonly number[], dimensions: number): (KnownVector | undefined)[] {
    const edition = editionOf(session, set);
    const missing: number[] = [];
    const found = numbers.map((number): KnownVector | undefined => {
      const key = vectorKey(set, number);
      const known = this.#known.get(key);
      if (known?.edition === edition) {
        known.isWanted = true;
        return known;
      }
      if (known !== undefined) this.#forget(key, known);
      missing.push(key);
      return undefined;
    });
    this.#touch(found);
    if (missing.length === 0) return found;
    const read = readRows(session, missing, { edition, dimensions });
    for (const [key, one] of read) {
      this.#known.set(key, one);
      this.#bytes += sizeOf(one);
    }
    return found.map((one, index) => one ?? read.get(vectorKey(set, numbers[index] as number)));
  }

  /**
   * Looks at a few numbers of each vector. They lie all over the memory, and a processor waits for many of them at once where
   * none hangs on another; each product by itself would wait for its own vector as long as it takes to add it up.
   */
  #touch(found: readonly (KnownVector | undefined)[]): void {
    let touched = 0;
    for (const one of found) {
      if (one === undefined) continue;
      const { vector, place } = one;
      // Each index is within the vector, which is not empty.
      touched += (vector[0] as number) + (vector[vector.length >> 2] as number) + place.seq;
      touched += (vector[vector.length >> 1] as number) + (vector[vector.length - 1] as number);
    }
    this.touched = touched;
  }

  /** Lets go of those that weren't asked for longest, until the others take no more than so many bytes. */
  trim(budgetBytes: number): void {
    for (const [key, known] of this.#known) {
      if (this.#bytes <= budgetBytes) break;
      if (known.isWanted && budgetBytes > 0) {
        // Moving it back when it is asked for would cost each search more than all else here.
        known.isWanted = false;
        this.#known.delete(key);
        this.#known.set(key, known);
      } else this.#forget(key, known);
    }
  }

  #forget(key: number, known: KnownVector): void {
    this.#known.delete(key);
    this.#bytes -= sizeOf(known);
  }
}

const sizeOf = ({ vector }: KnownVector): number => vector.byteLength + OVERHEAD_BYTES;

function readRows(
  session: Session,
  keys: readonly number[],
  { edition, dimensions }: { edition: number; dimensions: number },
): Map<number, Kept> {
  const found = new Map<number, Kept>();
  if (keys.length === 0) return found;
  const listed = [...keys];
  // One statement serves several lengths of the list.
  while (listed.length % 8 !== 0) listed.push(listed[0] ?? 0);
  const rows = session.rows<
    [
      key: number,
      conversation: number,
      seq: number,
      position: number,
      role: number,
      createdAt: string,
      hidden: number,
      data: Uint8Array,
    ]
  >(
    `SELECT v.key, v.conversation, v.seq, v.position, v.role, v.created_at, v.hidden, h.data
      FROM vector v CROSS JOIN heap h ON h.ref = v.body WHERE v.key IN (${placeholders(listed.length)})`,
    ...listed,
  );
  const conversations = new Map<number, string | undefined>();
  for (const [key, ref, seq, position, role, createdAt, hidden, data] of rows) {
    let conversation = conversations.get(ref);
    if (conversation === undefined) {
      [conversation] = session.row<[string]>("SELECT id FROM conversation WHERE ref = ?", ref) ?? [];
      // Its conversation is being erased.
      if (conversation === undefined) continue;
      conversations.set(ref, conversation);
    }
    const { vector, turn, message } = readVector(data, dimensions);
    const place = { conversation, turn, seq, position, message, role: ROLES[role] ?? "user", createdAt };
    found.set(key, { edition, vector, isHidden: hidden !== 0, isWanted: false, place });
  }
  return found;
}
