import { createScanKernel, type ScanKernel } from "./scan-kernel.ts";

/** Memory is given out in pieces of so many bytes: the longest vector fits into one. */
export const CHUNK_BYTES = 16_384;

/** The kernel's memory, in chunks. In front of them are a query, the products of a chunk, and one that is taken for a moment. */
export class ChunkPool {
  readonly #kernel: ScanKernel;
  readonly #free: number[] = [];
  #view: Int8Array;
  /** Where the products of a chunk are written to. */
  #out: Int32Array;
  #end = FIRST_CHUNK;
  #products = new Int32Array(0);

  constructor(kernel: ScanKernel = createScanKernel()) {
    this.#kernel = kernel;
    this.#kernel.grow(FIRST_CHUNK);
    this.#view = new Int8Array(this.#kernel.buffer);
    this.#out = new Int32Array(this.#kernel.buffer, PRODUCTS, CHUNK_BYTES / 16);
  }

  /** `wasm` or `js`. */
  get kind(): string {
    return this.#kernel.kind;
  }

  get bytes(): Int8Array {
    return this.#view;
  }

  /** The address of a chunk; `undefined` where there is no more memory. */
  take(): number | undefined {
    const free = this.#free.pop();
    if (free !== undefined) return free;
    if (this.#end + CHUNK_BYTES > this.#kernel.buffer.byteLength) {
      const wanted = this.#end + CHUNK_BYTES + Math.min(this.#end >> 2, MOST_AT_ONCE);
      if (!this.#kernel.grow(wanted) && !this.#kernel.grow(this.#end + CHUNK_BYTES)) return undefined;
      this.#view = new Int8Array(this.#kernel.buffer);
      this.#out = new Int32Array(this.#kernel.buffer, PRODUCTS, CHUNK_BYTES / 16);
    }
    this.#end += CHUNK_BYTES;
    return this.#end - CHUNK_BYTES;
  }

  give(chunk: number): void {
    // What was in it is in nobody's way, and nobody's to find.
    this.#view.fill(0, chunk, chunk + CHUNK_BYTES);
    this.#free.push(chunk);
  }

  /** Begins a comparison of `count` vectors with a query; the answer takes their dot products, and is the same again and again. */
  begin(query: Int16Array, count: number): Int32Array {
    if (this.#products.length < count) this.#products = new Int32Array(Math.ceil(count * 1.25));
    new Int16Array(this.#kernel.buffer, QUERY, query.length).set(query);
    return this.#products;
  }

  /** Compares the vectors at the beginning of a chunk; their products go to a place on. */
  scanChunk(chunk: number, count: number, stride: number, place: number): void {
    this.#kernel.scan(chunk, QUERY, count, stride, PRODUCTS);
    this.#products.set(this.#out.subarray(0, count), place);
  }

  /** Compares vectors that are in no chunk, by way of the one in front. */
  scanCodes(codes: Int8Array, stride: number, place: number): void {
    const most = Math.floor(CHUNK_BYTES / stride) * stride;
    for (let start = 0; start < codes.length; start += most) {
      const some = codes.subarray(start, start + most);
      this.#view.set(some, PASSING);
      this.scanChunk(PASSING, some.length / stride, stride, place + start / stride);
    }
  }
}

const QUERY = 0;
/** Behind the longest query. */
const PRODUCTS = CHUNK_BYTES * 2;
/** Behind the products of the shortest vectors. */
const PASSING = PRODUCTS + (CHUNK_BYTES / 16) * 4;
const FIRST_CHUNK = PASSING + CHUNK_BYTES;
const MOST_AT_ONCE = 4 * 1024 * 1024;
