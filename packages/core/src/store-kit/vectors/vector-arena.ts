import { CHUNK_BYTES, type ChunkPool } from "./chunk-pool.ts";
import { type CodeRun, GONE } from "./code-run.ts";
import { strideOf } from "./quantise.ts";

/** What is kept of a vector beside its 8-bit numbers. */
const PLACE_BYTES = 8 + 8 + 4 * 4 + 1;
const FEWEST_PLACES = 128;

type Places = Omit<CodeRun, "count" | "stride" | "codes">;

const noPlaces = (capacity: number): Places => ({
  conversations: new Float64Array(capacity),
  times: new Float64Array(capacity),
  scales: new Float32Array(capacity),
  lengths: new Float32Array(capacity),
  errors: new Float32Array(capacity),
  seqs: new Int32Array(capacity),
  roles: new Uint8Array(capacity),
});

/** One owner's vectors of one model in memory, by number. Numbers from `from` to `through` are here. */
export class VectorArena {
  /** Numbers in every vector. */
  readonly dimensions: number;
  /** Bytes from one vector to the next. */
  readonly stride: number;
  /** The number of the first vector that is here. */
  from = 0;
  /** One more than the number of the last vector that is here. */
  through = 0;
  /** How many searches are at it: it isn't given up meanwhile. */
  users = 0;
  /** What is kept of each beside its numbers, from `from` on. */
  places: Places = noPlaces(0);
  readonly #pool: ChunkPool;
  readonly #chunks: number[] = [];
  /** Vectors that lie one behind the other. */
  readonly perChunk: number;

  constructor(pool: ChunkPool, dimensions: number) {
    this.#pool = pool;
    this.dimensions = dimensions;
    this.stride = strideOf(dimensions);
    this.perChunk = Math.floor(CHUNK_BYTES / this.stride);
  }

  /** Vectors that are here. */
  get count(): number {
    return this.through - this.from;
  }

  /** What is held in memory. */
  get bytes(): number {
    return this.#chunks.length * CHUNK_BYTES + this.places.roles.length * PLACE_BYTES;
  }

  /** What `more` vectors would add to `bytes`, at most. */
  bytesFor(more: number): number {
    const chunks = Math.ceil((this.count + more) / this.perChunk) - this.#chunks.length;
    return chunks * CHUNK_BYTES + (this.#capacityFor(more) - this.places.roles.length) * PLACE_BYTES;
  }

  /** Makes room for so many more vectors at once. False where memory is short. */
  expect(more: number): boolean {
    const missing = Math.ceil((this.count + more) / this.perChunk) - this.#chunks.length;
    if (missing > 0) this.#pool.expect(missing);
    while (this.#chunks.length * this.perChunk < this.count + more) {
      const chunk = this.#pool.take();
      if (chunk === undefined) return false;
      this.#chunks.push(chunk);
    }
    this.#makeRoom(more);
    return true;
  }

  /** Adds the vectors of a run from its `start` on behind those that are here. False, with nothing added, where memory is short. */
  append(run: CodeRun, start = 0): boolean {
    const more = run.count - start;
    if (!this.expect(more)) return false;
    const { places, count } = this;
    places.conversations.set(run.conversations.subarray(start), count);
    places.times.set(run.times.subarray(start), count);
    places.scales.set(run.scales.subarray(start), count);
    places.lengths.set(run.lengths.subarray(start), count);
    places.errors.set(run.errors.subarray(start), count);
    places.seqs.set(run.seqs.subarray(start), count);
    places.roles.set(run.roles.subarray(start), count);
    for (let done = 0; done < more; ) {
      const index = count + done;
      const inChunk = index % this.perChunk;
      const some = Math.min(more - done, this.perChunk - inChunk);
      const from = (start + done) * this.stride;
      // There is a chunk for each.
      const chunk = this.#chunks[Math.floor(index / this.perChunk)] as number;
      this.#pool.bytes.set(run.codes.subarray(from, from + some * this.stride), chunk + inChunk * this.stride);
      done += some;
    }
    this.through += more;
    return true;
  }

  /** Leaves out the vector of a number from here on: its row is gone. */
  forget(number: number): void {
    if (number >= this.from && number < this.through) this.places.roles[number - this.from] = GONE;
  }

  /**
   * The dot products with the query of `count` vectors from a place on, which is a multiple of `perChunk`. Good until the
   * next call of any arena of the pool.
   */
  scan(query: Int16Array, start: number, count: number): Int32Array {
    return this.#pool.scan(this.#chunks.slice(start / this.perChunk), this.perChunk, count, this.stride, query);
  }

  /** Gives its memory back and begins anew behind the last vector that was here, or at `from`. */
  clear(from = this.through): void {
    for (const chunk of this.#chunks.splice(0)) this.#pool.give(chunk);
    this.places = noPlaces(0);
    this.from = from;
    this.through = from;
  }

  #capacityFor(more: number): number {
    const needed = this.count + more;
    const capacity = this.places.roles.length;
    return needed <= capacity ? capacity : Math.max(needed, FEWEST_PLACES, Math.ceil(capacity * 1.25));
  }

  #makeRoom(more: number): void {
    const capacity = this.#capacityFor(more);
    if (capacity === this.places.roles.length) return;
    const { conversations, times, scales, lengths, errors, seqs, roles } = this.places;
    this.places = noPlaces(capacity);
    this.places.conversations.set(conversations);
    this.places.times.set(times);
    this.places.scales.set(scales);
    this.places.lengths.set(lengths);
    this.places.errors.set(errors);
    this.places.seqs.set(seqs);
    this.places.roles.set(roles);
  }
}
