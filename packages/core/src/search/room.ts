/** Bytes that are taken at once: enough for an ordinary question. */
const CHUNK = 64 * 1024;

/**
 * Room for the many short columns of one ranking, all zeros. A buffer of its own for each would cost more than what is done
 * with it.
 */
export class Room {
  #buffer = new ArrayBuffer(CHUNK);
  #used = 0;

  doubles(length: number): Float64Array {
    const at = this.#take(8 * length);
    return new Float64Array(this.#buffer, at, length);
  }

  integers(length: number): Uint32Array {
    const at = this.#take(4 * length);
    return new Uint32Array(this.#buffer, at, length);
  }

  /** Of 16 bits. */
  shorts(length: number): Uint16Array {
    const at = this.#take(2 * length);
    return new Uint16Array(this.#buffer, at, length);
  }

  bytes(length: number): Uint8Array {
    const at = this.#take(length);
    return new Uint8Array(this.#buffer, at, length);
  }

  /** Where so many bytes begin in the buffer, which may be a new one from here on. */
  #take(bytes: number): number {
    if (this.#used + bytes > this.#buffer.byteLength) {
      this.#buffer = new ArrayBuffer(Math.max(CHUNK, bytes));
      this.#used = 0;
    }
    const at = this.#used;
    this.#used += Math.ceil(bytes / 8) * 8;
    return at;
  }
}
