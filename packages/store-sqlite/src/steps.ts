import { performance } from "node:perf_hooks";

/** Work in pieces: each is one transaction in one tick, and whoever waits gets the event loop in between. */
export type Steps<Result> = Generator<void, Result, void>;

/** How long a piece takes, in milliseconds; what it is in the middle of comes on top. */
const LONGEST_PIECE_MS = 2;

/** Says when a piece has taken long enough. */
export class Pace {
  #began = performance.now();
  /** How many there were. */
  pauses = 0;

  get isOver(): boolean {
    return performance.now() - this.#began > LONGEST_PIECE_MS;
  }

  /** Ends the piece; the next one's time begins when it does. */
  *pause(): Steps<void> {
    yield;
    this.pauses += 1;
    this.#began = performance.now();
  }
}
