import { Room } from "./room.ts";

/** Pieces, or places of words in them, that are worked on before somebody else may have a turn. */
export const SLICE = 4096;

/** Work that may be put off at each `yield`. */
export type Slices<Result> = Generator<void, Result, void>;

/** What one ranking works with: room, and a count of what was worked on since the last pause; there is one every {@link SLICE}. */
export class Slicer {
  /** For its columns. */
  readonly room = new Room();
  #done = 0;

  /** Works on 0 … `size`, a part at a time; parts are handed over as ranges. */
  *each(size: number, work: (from: number, to: number) => void): Slices<void> {
    for (let from = 0; from < size; ) {
      const to = Math.min(size, from + SLICE - this.#done);
      work(from, to);
      this.#done += to - from;
      from = to;
      if (this.#done < SLICE) continue;
      yield;
      this.#done = 0;
    }
  }
}

/** Does all of it at once. */
export function atOnce<Result>(slices: Slices<Result>): Result {
  for (;;) {
    const step = slices.next();
    if (step.done === true) return step.value;
  }
}
