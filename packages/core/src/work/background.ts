import { withDeadline } from "../memory/resilience.ts";
import { warn } from "../memory/warn.ts";

/** Turns that wait for derived work before this process starts it on its own. */
const EAGER_TURNS = 32;

/** How long a failure keeps replies from waiting for another try, in milliseconds. */
const PEACE_MS = 60_000;

/** The derived work of this process: what it recorded, and what is running. */
export interface Background {
  /** A turn of the conversation was recorded; its derived work is due. */
  recorded(conversation: string): void;
  /** A turn, or a part of one, is being written: a host may have let go of the run that it is of. */
  writing(write: Promise<unknown>): void;
  /** Starts what is due now. */
  run(): Promise<void>;
  /**
   * Folds a conversation now, and does no other work of it, and waits for it, at most for the deadline; then it goes on by
   * itself. True where it was folded in time. Within a minute of a failed fold nothing is tried.
   */
  foldNow(conversation: string): Promise<boolean>;
  /** True within a minute of a failure of the conversation's work. */
  failedLately(conversation: string): boolean;
  /** A fold failed: for a minute no reply waits for another. */
  foldFailed(conversation: string): void;
  /** From here on what becomes due starts by itself. */
  eager(): void;
  /** Waits for what is being written, starts what is due and waits until nothing is running. */
  settled(): Promise<void>;
}

/** Hands work to the host. One that refuses it (outside a request, for example) must not make a stored turn a failed one. */
function keepAlive(waitUntil: (work: Promise<unknown>) => void, work: Promise<unknown>): void {
  try {
    waitUntil(work);
  } catch (error) {
    warn("waitUntil threw; the work goes on without it", error);
  }
}

/**
 * Collects what became due. It runs with `waitUntil` where the host has that, when many turns have come together, and
 * whenever somebody waits for it; no timer is involved. What is never run here is found by any process's sweep.
 */
export function createBackground(options: {
  /** Does what is due; answers how many pieces of it failed. */
  work: (conversation: string) => Promise<number>;
  /** Folds and does nothing else; answers whether it could. */
  fold: (conversation: string) => Promise<boolean>;
  deadlineMs: number;
  now: () => number;
  waitUntil?: ((work: Promise<unknown>) => void) | undefined;
}): Background {
  const due = new Map<string, number>();
  const running = new Set<Promise<unknown>>();
  const writes = new Set<Promise<unknown>>();
  const failedAt = new Map<string, number>();
  let turns = 0;
  let eager = false;
  const foldFailedAt = new Map<string, number>();
  const isRecent = (at: number | undefined): boolean => at !== undefined && options.now() - at < PEACE_MS;
  const failedLately = (conversation: string): boolean => isRecent(failedAt.get(conversation));
  const foldFailed = (conversation: string): void => {
    foldFailedAt.set(conversation, options.now());
  };

  const workOn = async (conversation: string): Promise<boolean> => {
    const failed = await options.work(conversation);
    if (failed > 0) failedAt.set(conversation, options.now());
    else failedAt.delete(conversation);
    return failed === 0;
  };
  const track = (work: Promise<unknown>): void => {
    running.add(work);
    void work.finally(() => running.delete(work));
  };
  const start = (): void => {
    if (due.size === 0) return;
    const conversations = [...due.keys()];
    due.clear();
    turns = 0;
    const batch = (async () => {
      for (const conversation of conversations) await workOn(conversation);
    })();
    track(batch);
  };
  const run = async (): Promise<void> => {
    start();
    await Promise.all(running);
  };
  return {
    recorded(conversation) {
      due.set(conversation, (due.get(conversation) ?? 0) + 1);
      turns++;
      if (options.waitUntil) keepAlive(options.waitUntil, run());
      else if (eager || turns >= EAGER_TURNS) start();
    },
    writing(write) {
      writes.add(write);
      const done = () => void writes.delete(write);
      write.then(done, done);
    },
    run,
    failedLately,
    foldFailed,
    eager() {
      eager = true;
    },
    async foldNow(conversation) {
      if (isRecent(foldFailedAt.get(conversation))) return false;
      foldFailedAt.delete(conversation);
      const work = options.fold(conversation).catch(() => false);
      track(work);
      try {
        const folded = await withDeadline(work, options.deadlineMs, "a fold");
        if (!folded) foldFailed(conversation);
        return folded;
      } catch {
        // It goes on; another try at the next turn would only wait again.
        foldFailed(conversation);
        return false;
      }
    },
    async settled() {
      do {
        await Promise.allSettled(writes);
        await run();
      } while (writes.size > 0 || due.size > 0 || running.size > 0);
    },
  };
}
