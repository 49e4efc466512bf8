import { performance } from "node:perf_hooks";
import { setImmediate } from "node:timers";

/** Calls that follow one another for so long, in milliseconds, let everything else have its turn. */
const LONGEST_RUN_MS = 6;

/** When the first call was made since the event loop last came round; `undefined` where there was none. */
let began: number | undefined;

const restart = (): void => {
  began = undefined;
};

/**
 * True where calls have followed one another for too long with nothing else between them. The store answers within the tick
 * of the call, so that a loop of awaited calls would never let the event loop come round.
 */
export function isBreathless(): boolean {
  const now = performance.now();
  if (began !== undefined) return now - began > LONGEST_RUN_MS;
  began = now;
  setImmediate(restart);
  return false;
}

/** Lets the event loop come round, until there is time for a call. */
export async function breathe(): Promise<void> {
  do await nextTick();
  while (isBreathless());
}

/** Goes on when everything that waited has had its turn. */
export function nextTick(): Promise<void> {
  return new Promise((resolve) => {
    setImmediate(resolve);
  });
}
