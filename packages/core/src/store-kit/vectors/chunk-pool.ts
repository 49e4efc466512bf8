import { createScanKernel, type ScanKernel } from "./scan-kernel.ts";

/** Memory is given out in pieces of so many bytes: the longest vector fits into one. */
export const CHUNK_BYTES = 16_384;

/** The kernel's memory, in chunks. Of it a query and the products of a chunk are kept in front. */
export class ChunkPool {
  readonly #kernel: ScanKernel;
  readonly #free: number[] = [];
  #view: Int8Array;
  #end = FIRST_CHUNK;
  #products = new Int32Array(0);

  constructor(kernel: ScanKernel = createScanKernel()) {
    this.#kernel = kernel;
    this.#kernel.grow(FIRST_CHUNK);
    this.#view = new Int8Array(this.#kernel.buffer);
  }

  /** `wasm` or `js`. */
  get kind(): string {
    return this.#kernel.kind;
  }

  get bytes(): Int8Array {
    return this.#view;
  }

  /** Gets memory for so many chunks at once, where there is so much. */
  expect(chunks: number): void {
    const missing = chunks - this.#free.length;
    if (missing <= 0 || this.#end + missing * CHUNK_BYTES <= this.#kernel.buffer.byteLength) return;
    if (this.#kernel.grow(this.#end + missing * CHUNK_BYTES)) this.#view = new Int8Array(this.#kernel.buffer);
  }

  /** The address of a chunk; `undefined` where there is no more memory. */
  take(): number | undefined {
    const free = this.#free.pop();
    if (free !== undefined) return free;
    if (this.#end + CHUNK_BYTES > this.#kernel.buffer.byteLength) {
      const wanted = this.#end + CHUNK_BYTES + Math.min(this.#end >> 2, MOST_AT_ONCE);
      if (!this.#kernel.grow(wanted) && !this.#kernel.grow(this.#end + CHUNK_BYTES)) return undefined;
      this.#view = new Int8Array(this.#kernel.buffer);
    }
    this.#end += CHUNK_BYTES;
    return this.#end - CHUNK_BYTES;
  }

  give(chunk: number): void {
    // What was in it is in nobody's way, and nobody's to find.
    this.#view.fill(0, chunk, chunk + CHUNK_BYTES);
    this.#free.push(chunk);
  }

  /** The dot products of `count` vectors in chunks with a query; the same array again and again. */
  scan(chunks: readonly number[], perChunk: number, count: number, stride: number, query: Int16Array): Int32Array {
    if (this.#products.length < count) this.#products = new Int32Array(Math.ceil(count * 1.25));
    const { buffer } = this.#kernel;
    new Int16Array(buffer, QUERY, stride).set(query);
    const some = new Int32Array(buffer, PRODUCTS, CHUNK_BYTES / 16);
    for (let done = 0, index = 0; done < count; done += perChunk, index++) {
      const size = Math.min(perChunk, count - done);
      // There is a chunk for each vector.
      this.#kernel.scan(chunks[index] as number, QUERY, size, stride, PRODUCTS);
      this.#products.set(size === some.length ? some : some.subarray(0, size), done);
    }
    return this.#products;
  }
}

const QUERY = 0;
/** Behind the longest query. */
const PRODUCTS = CHUNK_BYTES * 2;
/** Behind the products of the shortest vectors. */
const FIRST_CHUNK = PRODUCTS + (CHUNK_BYTES / 16) * 4;
const MOST_AT_ONCE = 4 * 1024 * 1024;
