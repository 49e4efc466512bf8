import type { NearMessage } from "@throughline/core";
import { ROLES } from "../keyword/posting-blocks.ts";
import { placeholders, type Session } from "../session.ts";
import { readVector } from "./vector-body.ts";
import { editionOf, numberOf, vectorKey } from "./vector-sets.ts";

/** What is kept of one beside its floats, about. */
const OVERHEAD_BYTES = 700;

/** A vector's floats, and where its message stands. */
export interface KnownVector {
  vector: Float32Array;
  isHidden: boolean;
  place: Omit<NearMessage, "score">;
}

/**
 * Vectors that were read last, with all that a search answers of them. Each holds as long as the edition of
 * its set that it was read under: which one that is now is looked up each time, in the snapshot of the search.
 */
export class KnownVectors {
  /** By key; least recently used first. */
  readonly #known = new Map<number, KnownVector & { edition: number }>();
  #bytes = 0;

  /** The vectors of a set under some numbers; those that are there no more are left out. */
  read(session: Session, set: number, numbers: readonly number[], dimensions: number): Map<number, KnownVector> {
    const edition = editionOf(session, set);
    const found = new Map<number, KnownVector>();
    const missing: number[] = [];
    for (const number of numbers) {
      const key = vectorKey(set, number);
      const known = this.#known.get(key);
      if (known !== undefined) this.#forget(key, known);
      if (known?.edition !== edition) {
        missing.push(key);
        continue;
      }
      this.#keep(key, known);
      found.set(number, known);
    }
    if (missing.length === 0) return found;
    for (const [key, read] of readRows(session, missing, dimensions)) {
      found.set(numberOf(key), read);
      this.#keep(key, { ...read, edition });
    }
    return found;
  }

  /** Lets go of those that were read longest ago, until the others take no more than so many bytes. */
  trim(budgetBytes: number): void {
    for (const [key, oldest] of this.#known) {
      if (this.#bytes <= budgetBytes) break;
      this.#forget(key, oldest);
    }
  }

  #forget(key: number, known: KnownVector): void {
    this.#known.delete(key);
    this.#bytes -= sizeOf(known);
  }

  #keep(key: number, known: KnownVector & { edition: number }): void {
    this.#known.set(key, known);
    this.#bytes += sizeOf(known);
  }
}

const sizeOf = ({ vector }: KnownVector): number => vector.byteLength + OVERHEAD_BYTES;

function readRows(session: Session, keys: readonly number[], dimensions: number): Map<number, KnownVector> {
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
  const found = new Map<number, KnownVector>();
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
    found.set(key, { vector, isHidden: hidden !== 0, place });
  }
  return found;
}
