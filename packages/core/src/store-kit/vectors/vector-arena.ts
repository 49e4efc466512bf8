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

/**
 * One owner's vectors of one model in memory, by number. Numbers from `from` to `through` are here: the first of them in the
 * kernel's memory, the others as they were read, until `settle` moves them. Memory that was never touched costs more to write
 * to than reading and comparing together, so a search that finds nothing here doesn't wait for all of it.
 */
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
  /** Vectors in chunks. */
  #settled = 0;
  /** The 8-bit numbers of those behind them. */
  #loose: Int8Array[] = [];
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

  /** What is held in memory, once all of it is settled. */
  get bytes(): number {
    return this.#chunksFor(0) * CHUNK_BYTES + this.places.roles.length * PLACE_BYTES;
  }

  /** What `more` vectors would add to `bytes`, at most. */
  bytesFor(more: number): number {
    const chunks = this.#chunksFor(more) - this.#chunksFor(0);
    return chunks * CHUNK_BYTES + (this.#capacityFor(more) - this.places.roles.length) * PLACE_BYTES;
  }

  /** Makes room for what is known of so many more vectors at once. */
  expect(more: number): void {
    this.#makeRoom(more);
  }

  /** Adds the vectors of a run from its `start` on behind those that are here. The run's bytes stay as they are. */
  append(run: CodeRun, start = 0): void {
    const { count } = this;
    this.expect(run.count - start);
    const { places } = this;
    places.conversations.set(run.conversations.subarray(start), count);
    places.times.set(run.times.subarray(start), count);
    places.scales.set(run.scales.subarray(start), count);
    places.lengths.set(run.lengths.subarray(start), count);
    places.errors.set(run.errors.subarray(start), count);
    places.seqs.set(run.seqs.subarray(start), count);
    places.roles.set(run.roles.subarray(start), count);
    this.#loose.push(run.codes.subarray(start * this.stride));
    this.through += run.count - start;
  }

  /** Moves runs into the kernel's memory, until about so many vectors were moved. What finds no memory stays where it is. */
  settle(most: number): void {
    let [runs, moved] = [0, 0];
    for (const codes of this.#loose) {
      if (moved >= most || !this.#copy(codes)) break;
      runs += 1;
      moved += codes.length / this.stride;
    }
    this.#loose.splice(0, runs);
  }

  #copy(codes: Int8Array): boolean {
    const more = codes.length / this.stride;
    while (this.#chunks.length * this.perChunk < this.#settled + more) {
      const chunk = this.#pool.take();
      if (chunk === undefined) return false;
      this.#chunks.push(chunk);
    }
    for (let done = 0; done < more; ) {
      const index = this.#settled + done;
      const inChunk = index % this.perChunk;
      const some = Math.min(more - done, this.perChunk - inChunk);
      // There is a chunk for each.
      const chunk = this.#chunks[Math.floor(index / this.perChunk)] as number;
      const part = codes.subarray(done * this.stride, (done + some) * this.stride);
      this.#pool.bytes.set(part, chunk + inChunk * this.stride);
      done += some;
    }
    this.#settled += more;
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
    const products = this.#pool.begin(query, count);
    const end = start + count;
    for (let index = start; index < Math.min(end, this.#settled); index += this.perChunk) {
      const some = Math.min(this.perChunk, end - index, this.#settled - index);
      // There is a chunk for each.
      this.#pool.scanChunk(this.#chunks[index / this.perChunk] as number, some, this.stride, index - start);
    }
    let first = this.#settled;
    for (const codes of this.#loose) {
      const behind = first + codes.length / this.stride;
      const [from, to] = [Math.max(start, first), Math.min(end, behind)];
      if (from < to) {
        const part = codes.subarray((from - first) * this.stride, (to - first) * this.stride);
        this.#pool.scanCodes(part, this.stride, from - start);
      }
      first = behind;
    }
    return products;
  }

  /** Gives its memory back and begins anew behind the last vector that was here, or at `from`. */
  clear(from = this.through): void {
    for (const chunk of this.#chunks.splice(0)) this.#pool.give(chunk);
    this.#loose = [];
    this.#settled = 0;
    this.places = noPlaces(0);
    this.from = from;
    this.through = from;
  }

  #chunksFor(more: number): number {
    return Math.max(this.#chunks.length, Math.ceil((this.count + more) / this.perChunk));
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
