import { placeholders, type Session } from "../session.ts";
import { readVector, type VectorBody } from "./vector-body.ts";

/** What is kept of one beside its floats, about. */
const OVERHEAD_BYTES = 400;

/**
 * Floats and ids of the vectors that were read last, within a budget. What stands under a key never changes and a key is
 * never given twice, so they can be outdated and never wrong: whether one is still there is looked up each time.
 */
export class VectorBodies {
  readonly #budget: number;
  /** Least recently used first. */
  readonly #bodies = new Map<number, VectorBody>();
  #bytes = 0;

  constructor(budgetBytes: number) {
    this.#budget = budgetBytes;
  }

  /** The bodies of rows, by key; those that aren't here are read. */
  read(session: Session, rows: readonly { key: number; body: number }[], dimensions: number): Map<number, VectorBody> {
    const found = new Map<number, VectorBody>();
    const missing = new Map<number, number>();
    for (const { key, body } of rows) {
      const known = this.#bodies.get(key);
      if (known === undefined) {
        missing.set(body, key);
        continue;
      }
      this.#bodies.delete(key);
      this.#bodies.set(key, known);
      found.set(key, known);
    }
    if (missing.size === 0) return found;
    const refs = [...missing.keys()];
    // One statement serves several lengths of the list.
    while (refs.length % 8 !== 0) refs.push(refs[0] ?? 0);
    const sql = `SELECT ref, data FROM heap WHERE ref IN (${placeholders(refs.length)})`;
    for (const [ref, data] of session.rows<[ref: number, data: Uint8Array]>(sql, ...refs)) {
      const key = missing.get(ref);
      if (key === undefined) continue;
      const body = readVector(data, dimensions);
      found.set(key, body);
      this.#keep(key, body);
    }
    return found;
  }

  /** Lets go of one whose row is gone. */
  forget(key: number): void {
    const known = this.#bodies.get(key);
    if (known === undefined) return;
    this.#bodies.delete(key);
    this.#bytes -= sizeOf(known);
  }

  #keep(key: number, body: VectorBody): void {
    this.#bodies.set(key, body);
    this.#bytes += sizeOf(body);
    for (const oldest of this.#bodies.keys()) {
      if (this.#bytes <= this.#budget) break;
      this.forget(oldest);
    }
  }
}

const sizeOf = ({ vector }: VectorBody): number => vector.byteLength + OVERHEAD_BYTES;
