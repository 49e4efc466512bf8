import { ChunkPool } from "./chunk-pool.ts";
import type { ScanKernel } from "./scan-kernel.ts";
import { VectorArena } from "./vector-arena.ts";

/** Vectors of many owners in memory, those that were searched last, within a budget. */
export class VectorArenas {
  readonly #budget: number;
  readonly #pool: ChunkPool;
  /** Least recently used first. */
  readonly #arenas = new Map<string, VectorArena>();

  /** `budgetBytes` is what they hold at most; what one search reads in passing comes on top. */
  constructor(budgetBytes: number, kernel?: ScanKernel) {
    this.#budget = budgetBytes;
    this.#pool = new ChunkPool(kernel);
  }

  /** How vectors are compared: `wasm` or `js`. */
  get kind(): string {
    return this.#pool.kind;
  }

  /** What is held now. */
  get bytes(): number {
    let bytes = 0;
    for (const arena of this.#arenas.values()) bytes += arena.bytes;
    return bytes;
  }

  /** How many owners' vectors are here. */
  get size(): number {
    return this.#arenas.size;
  }

  /** The arena under a key, which stands for one owner and one model for all time. It stays until `release`. */
  use(key: string, dimensions: number): VectorArena {
    const arena = this.#arenas.get(key) ?? new VectorArena(this.#pool, dimensions);
    arena.users += 1;
    this.#arenas.delete(key);
    this.#arenas.set(key, arena);
    return arena;
  }

  /** Ends a use. */
  release(arena: VectorArena): void {
    arena.users -= 1;
  }

  /** An arena that begins at a number and belongs to one search alone, which clears it at the end. It counts nowhere. */
  apart(dimensions: number, from: number): VectorArena {
    const arena = new VectorArena(this.#pool, dimensions);
    arena.clear(from);
    return arena;
  }

  /** Makes room for so many more vectors, at the cost of what wasn't searched for longest. False where there is none. */
  reserve(arena: VectorArena, more: number): boolean {
    const needed = arena.bytesFor(more);
    if (needed <= 0) return true;
    let held = this.bytes;
    // What doesn't fit even so costs nobody else its place.
    if (arena.bytes + needed > this.#budget) return false;
    for (const [key, other] of this.#arenas) {
      if (held + needed <= this.#budget) break;
      if (other.users > 0) continue;
      held -= other.bytes;
      other.clear(0);
      this.#arenas.delete(key);
    }
    return held + needed <= this.#budget;
  }

  /** Gives everything back that no search is at. */
  clear(): void {
    for (const [key, arena] of this.#arenas) {
      if (arena.users > 0) continue;
      arena.clear(0);
      this.#arenas.delete(key);
    }
  }
}
