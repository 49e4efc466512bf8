import { MemoryError } from "../errors/memory-error.ts";
import type { Engine } from "./engine.ts";

/** The code that describes an error of any kind. */
export const codeOf = (error: unknown): MemoryError["code"] =>
  MemoryError.isInstance(error) ? error.code : "STORE_FAILED";

/** An error as a `MemoryError`, its cause kept. */
export const asMemoryError = (error: unknown, what: string): MemoryError =>
  MemoryError.isInstance(error)
    ? error
    : new MemoryError("STORE_FAILED", `${what} failed: the store threw an error it has no code for.`, { cause: error });

/** Throws `ABORTED` where the signal has fired. */
export function throwIfAborted(signal: AbortSignal | undefined, what: string): void {
  if (signal?.aborted) throw new MemoryError("ABORTED", `${what} was aborted.`, { cause: signal.reason });
}

/** Microtasks within which a store that lives in this process has answered. */
const PROMPT_MICROTASKS = 16;

/** Timers take no longer wait than this; a longer one would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Rejects with `TIMEOUT` where `work` takes longer than `ms`. The work itself goes on. */
export async function withDeadline<T>(work: Promise<T>, ms: number, what: string): Promise<T> {
  let isSettled = false;
  const settle = (): void => {
    isSettled = true;
  };
  work.then(settle, settle);
  // No time passes between microtasks but that of the work itself, and a timer costs more than many of them.
  for (let count = 0; count < PROMPT_MICROTASKS && !isSettled; count++) await null;
  if (isSettled) return work;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const deadline = new Promise<never>((_, reject) => {
    const late = () => reject(new MemoryError("TIMEOUT", `${what} took longer than ${ms} ms.`));
    timer = setTimeout(late, Math.min(ms, MAX_TIMER_MS));
  });
  try {
    return await Promise.race([work, deadline]);
  } finally {
    clearTimeout(timer);
  }
}

/** Errors that are the caller's own and must reach it: bad input, another's conversation, an abort. */
const isCallersFault = (error: unknown): boolean =>
  MemoryError.isInstance(error) && !error.code.startsWith("STORE_") && error.code !== "TIMEOUT";

/**
 * A read that a reply waits for. A failing or slow store gives `fallback` and an event; `strict` gives the error.
 */
export async function degradingRead<T>(
  engine: Engine,
  operation: string,
  read: () => Promise<T>,
  fallback: T,
): Promise<T> {
  try {
    return await withDeadline(read(), engine.readTimeoutMs, operation);
  } catch (error) {
    if (engine.strict || isCallersFault(error)) throw error;
    engine.emit({ type: "memory.read_failed", operation, code: codeOf(error) });
    return fallback;
  }
}

const RETRY_DELAYS_MS = [20, 100, 400];

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** A write, tried again while the store says that a later try may succeed. Rejects with the last error. */
export async function retryingWrite<T>(engine: Engine, operation: string, write: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await write();
    } catch (error) {
      const delay = RETRY_DELAYS_MS[attempt];
      if (delay === undefined || !MemoryError.isInstance(error) || !error.retryable) {
        engine.emit({ type: "memory.write_failed", operation, code: codeOf(error), attempts: attempt + 1 });
        throw error;
      }
      await pause(delay);
    }
  }
}
