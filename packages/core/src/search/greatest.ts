/** The greatest of many numbers, as many as are wanted: a heap of them, the least on top. */
export class Greatest {
  readonly #heap: Float64Array;
  #size = 0;

  constructor(wanted: number) {
    this.#heap = new Float64Array(wanted);
  }

  /** The least of those that are among the greatest; 0 where there is none. */
  get least(): number {
    return this.#heap[0] ?? 0;
  }

  add(value: number): void {
    if (this.#size < this.#heap.length) {
      this.#rise(this.#size++, value);
    } else if (value > this.least) {
      this.#sink(value);
    }
  }

  #rise(place: number, value: number): void {
    const heap = this.#heap;
    let at = place;
    while (at > 0) {
      const above = (at - 1) >> 1;
      if ((heap[above] as number) <= value) break;
      heap[at] = heap[above] as number;
      at = above;
    }
    heap[at] = value;
  }

  /** Puts a value in the place of the least one. */
  #sink(value: number): void {
    const heap = this.#heap;
    const size = this.#size;
    let at = 0;
    for (;;) {
      let below = 2 * at + 1;
      if (below >= size) break;
      if (below + 1 < size && (heap[below + 1] as number) < (heap[below] as number)) below++;
      if ((heap[below] as number) >= value) break;
      heap[at] = heap[below] as number;
      at = below;
    }
    heap[at] = value;
  }
}
