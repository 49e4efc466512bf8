/** A vector that may be among the nearest. */
export interface Candidate {
  /** The vector's number in its arena. */
  number: number;
  /** The least that its exact score can be. */
  least: number;
  /** The most that its exact score can be. */
  most: number;
}

/**
 * Gathers the vectors that may be among the `limit` nearest, from what is known of their scores: those whose most reaches
 * the least of the `limit` best.
 */
export class BestBounds {
  readonly #limit: number;
  readonly #floor: number;
  /** The `limit` best of all leasts: a heap, the worst in front. */
  readonly #leasts: Float64Array;
  #count = 0;
  #candidates: Candidate[] = [];
  /** Candidates at which it is looked again which are good enough still. */
  #cutAt: number;

  constructor(limit: number, floor: number) {
    this.#limit = limit;
    this.#floor = floor;
    this.#leasts = new Float64Array(limit);
    this.#cutAt = 4 * limit + 256;
  }

  /** What a vector's most must reach to be looked at. */
  get border(): number {
    const worst = this.#count < this.#limit ? Number.NEGATIVE_INFINITY : (this.#leasts[0] ?? Number.POSITIVE_INFINITY);
    return Math.max(this.#floor, worst);
  }

  /** Takes in a vector by the bounds of its score. */
  add(number: number, least: number, most: number): void {
    this.#candidates.push({ number, least, most });
    this.#keep(least);
    if (this.#candidates.length < this.#cutAt) return;
    // Those that were good enough at first and are no more. Of many alike all are, and looking at each of them anew would take
    // the square of them.
    this.#cut();
    this.#cutAt = Math.max(this.#cutAt, 2 * this.#candidates.length);
  }

  /** Those that are left, the most promising first. */
  take(): Candidate[] {
    this.#cut();
    return this.#candidates.sort((a, b) => b.most - a.most);
  }

  #cut(): void {
    const { border } = this;
    this.#candidates = this.#candidates.filter(({ most }) => most >= border);
  }

  #keep(least: number): void {
    const heap = this.#leasts;
    if (this.#count < this.#limit) {
      let at = this.#count++;
      for (; at > 0; ) {
        const parent = (at - 1) >> 1;
        if ((heap[parent] as number) <= least) break;
        heap[at] = heap[parent] as number;
        at = parent;
      }
      heap[at] = least;
      return;
    }
    if (this.#limit === 0 || least <= (heap[0] as number)) return;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= this.#limit) break;
      if (child + 1 < this.#limit && (heap[child + 1] as number) < (heap[child] as number)) child++;
      if ((heap[child] as number) >= least) break;
      heap[at] = heap[child] as number;
      at = child;
    }
    heap[at] = least;
  }
}
