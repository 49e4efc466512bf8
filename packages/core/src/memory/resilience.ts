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

/** What failed, for people: a code's own sentence. What has none may hold anything, so it isn't repeated. */
export const sentenceOf = (error: unknown): string | undefined =>
  MemoryError.isInstance(error) ? error.message : undefined;

/** Throws `ABORTED` where the signal has fired. */
export function throwIfAborted(signal: AbortSignal | undefined, what: string): void {
  if (signal?.aborted) throw new MemoryError("ABORTED", `${what} was aborted.`, { cause: signal.reason });
}

/** Microtasks within which a store that lives in this process has answered. */
const PROMPT_MICROTASKS = 32;

/** Timers take no longer wait than this; a longer one would fire at once. */
const MAX_TIMER_MS = 2 ** 31 - 1;

/** Whether `work` is settled within `ms`; it never rejects, and what comes of the work is for somebody else to say. */
export const isPrompt = async (work: Promise<unknown>, ms: number): Promise<boolean> => {
  try {
    await withDeadline(
      work.catch(() => undefined),
      ms,
      "prompt work",
    );
    return true;
  } catch {
    return false;
  }
};

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

/**
 * Runs what takes a signal, at most for `ms`. The signal fires with the caller's and as the time is over, and then the
 * wait ends whether or not the callee heeds it: with `ABORTED` or `TIMEOUT`.
 */
export async function runWithin<T>(
  run: (signal: AbortSignal) => T | Promise<T>,
  { ms, what, signal }: { ms: number; what: string; signal?: AbortSignal | undefined },
): Promise<T> {
  throwIfAborted(signal, what);
  const ends = new AbortController();
  const work = (async () => run(ends.signal))();
  let end = (): void => {};
  const aborted = new Promise<never>((_, reject) => {
    end = () => reject(new MemoryError("ABORTED", `${what} was aborted.`, { cause: signal?.reason }));
  });
  // Nobody may be left to hear of it.
  aborted.catch(() => {});
  signal?.addEventListener("abort", end, { once: true });
  try {
    return await withDeadline(signal === undefined ? work : Promise.race([work, aborted]), ms, what);
  } catch (error) {
    ends.abort(error);
    throw error;
  } finally {
    signal?.removeEventListener("abort", end);
  }
}

/** Errors that are the caller's own and must reach it: bad input, another's conversation, an abort, a closed memory. */
const isCallersFault = (error: unknown): boolean =>
  MemoryError.isInstance(error) &&
  (error.code === "STORE_CLOSED" || (!error.code.startsWith("STORE_") && error.code !== "TIMEOUT"));

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
    engine.emit({ type: "memory.read_failed", operation, code: codeOf(error) }, error);
    return fallback;
  }
}

const RETRY_DELAYS_MS = [20, 100, 400];

/** Waits, unless the signal fires: then it throws `ABORTED`. */
function pause(ms: number, operation: string, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      clearTimeout(timer);
      reject(new MemoryError("ABORTED", `${operation} was aborted between two tries.`, { cause: signal?.reason }));
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener("abort", end);
      resolve();
    }, ms);
    if (signal?.aborted) end();
    else signal?.addEventListener("abort", end, { once: true });
  });
}

/**
 * A write, tried again while the store says that a later try may succeed, for as long as one write may take in all. One that
 * took too long isn't tried again: it may have been written, and whoever waits has waited long enough. Rejects with the last
 * error, or with `TIMEOUT`.
 */
export async function retryingWrite<T>(
  engine: Engine,
  operation: string,
  write: () => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  let attempts = 0;
  let isOver = false;
  const fail = (error: unknown): never => {
    // A try that is still under way when the time is over has been told of.
    if (!isOver) engine.emit({ type: "memory.write_failed", operation, code: codeOf(error), attempts }, error);
    isOver = true;
    throw error;
  };
  const tries = async (): Promise<T> => {
    for (;;) {
      try {
        attempts += 1;
        return await write();
      } catch (error) {
        const delay = RETRY_DELAYS_MS[attempts - 1];
        const again = MemoryError.isInstance(error) && error.retryable && error.code !== "TIMEOUT";
        if (delay === undefined || !again || isOver) return fail(error);
        await pause(delay, operation, signal);
        if (isOver) throw error;
      }
    }
  };
  try {
    return await withDeadline(tries(), engine.writeTimeoutMs, operation);
  } catch (error) {
    if (!isOver && codeOf(error) === "TIMEOUT") return fail(error);
    throw error;
  }
}
