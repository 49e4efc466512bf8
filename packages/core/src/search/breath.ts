import { throwIfAborted } from "../memory/resilience.ts";
import type { Slices } from "./slices.ts";

/** How long a search goes on, in milliseconds, before everything else has its turn. */
const LONGEST_RUN_MS = 2;

/**
 * Lets the event loop come round while a search works: nobody waits long because somebody else searches. Work whose signal
 * fired meanwhile goes no further: it throws `ABORTED`.
 */
export class Breath {
  readonly #signal: AbortSignal | undefined;
  readonly #what: string;
  #began = performance.now();

  /** `what` names the work in an error. */
  constructor(signal?: AbortSignal, what = "search") {
    this.#signal = signal;
    this.#what = what;
  }

  /** Awaits everything that waits, where this went on for long. */
  async take(): Promise<void> {
    if (performance.now() - this.#began < LONGEST_RUN_MS) return;
    await nextTask();
    throwIfAborted(this.#signal, this.#what);
    this.#began = performance.now();
  }

  /** Does work slice by slice. */
  async through<Result>(slices: Slices<Result>): Promise<Result> {
    for (;;) {
      const step = slices.next();
      if (step.done === true) return step.value;
      if (performance.now() - this.#began >= LONGEST_RUN_MS) await this.take();
    }
  }
}

/** Goes on when what waited has had its turn: without the pause that timers make, where the runtime can. */
function nextTask(): Promise<void> {
  // Node, Bun and Deno have it; browsers and some workers don't.
  const { setImmediate: soon } = globalThis as { setImmediate?: (then: () => void) => unknown };
  return new Promise((resolve) => {
    if (soon === undefined) setTimeout(resolve, 0);
    else soon(resolve);
  });
}
