import { MemoryError } from "../errors/memory-error.ts";

/** Timers take no longer wait than this; a longer one would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Calls `late` after so many milliseconds, unless the returned function is called before. */
export function startTimer(ms: number, late: () => void): () => void {
  const timer = setTimeout(late, Math.min(ms, MAX_TIMER_MS));
  return () => clearTimeout(timer);
}

/** Resolves after so many milliseconds, or as soon as the signal fires. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      cancel();
      signal?.removeEventListener("abort", end);
      resolve();
    };
    const cancel = startTimer(ms, end);
    signal?.addEventListener("abort", end, { once: true });
  });
}

/** The outcome of `work`, or `ABORTED` as soon as the signal fires, whatever `work` does about it. */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined, what: string): Promise<T> {
  if (signal === undefined) return work;
  let stop = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(new MemoryError("ABORTED", `${what} was aborted.`, { cause: signal.reason }));
    if (signal.aborted) stop();
    else signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}
