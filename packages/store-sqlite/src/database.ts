import { setTimeout as wait } from "node:timers/promises";
import type { CallOptions } from "@throughline/core";
import { breathe, isBreathless, nextTick } from "./breath.ts";
import { abortedError, closedError, isBusy, translateError } from "./errors.ts";
import { settleDocuments } from "./keyword/pending-documents.ts";
import { finishLeftovers, hasLeftovers } from "./leftovers.ts";
import { openSession, type SessionOptions } from "./open-session.ts";
import type { Session } from "./session.ts";
import type { Steps } from "./steps.ts";

/** How to open, and how long to wait for other writers. */
export interface DatabaseOptions extends SessionOptions {
  busyTimeoutMs: number;
}

const LONGEST_PAUSE_MS = 50;
const SCRUB_RETRY_MS = 1000;

/**
 * The asynchronous rim of a {@link Session}: opens it at the first call, waits for locks without holding the event loop,
 * translates errors, and closes. A transaction never spans a tick, so calls of one process never interleave inside one.
 */
export class Database {
  readonly path: string;
  readonly #options: DatabaseOptions;
  #session: Session | undefined;
  #opening: Promise<Session> | undefined;
  #isClosed = false;
  #lastScrub = 0;
  readonly #running = new Set<Promise<unknown>>();

  constructor(options: DatabaseOptions) {
    this.#options = options;
    this.path = options.path;
  }

  /** Runs `work` on one snapshot. */
  async read<Result>(options: CallOptions | undefined, work: (session: Session) => Result): Promise<Result> {
    return this.#call(options, (session) => this.#attempt(options, () => session.snapshot(work)));
  }

  /** Runs `work` as one write transaction. */
  async write<Result>(options: CallOptions | undefined, work: (session: Session) => Result): Promise<Result> {
    return this.#call(options, (session) => this.#attempt(options, () => session.transaction(work)));
  }

  /** Like `write`; what it marked in the keyword index is brought behind, in pieces, before the call ends. */
  async writeIndexed<Result>(options: CallOptions | undefined, work: (session: Session) => Result): Promise<Result> {
    return this.#call(options, (session) => {
      const result = this.#attempt(options, () => session.transaction(work));
      if (!(result instanceof Promise) && !session.hasPendingDocuments) return result;
      return this.#finish(this.#settle(session, result));
    });
  }

  /** Like `writeIndexed`; what it erased leaves the write-ahead log too, at once or as soon as no reader pins it. */
  async writeErasing<Result>(options: CallOptions | undefined, work: (session: Session) => Result): Promise<Result> {
    const result = await this.writeIndexed(options, work);
    this.scrub();
    return result;
  }

  /** Reads piece by piece; each piece has a snapshot of its own. */
  async readSteps<Result>(
    options: CallOptions | undefined,
    steps: (session: Session) => Steps<Result>,
  ): Promise<Result> {
    return this.#call(options, (session) => {
      const work = steps(session);
      // What the session checks first takes hold of the snapshot, so that a lock is met before the piece begins.
      return this.#finish(run(() => this.#attempt(options, () => session.snapshot(() => work.next()))));
    });
  }

  /**
   * Writes piece by piece; each piece is a transaction of its own. The lock is taken before a piece begins, so that one
   * that had to wait has not begun.
   */
  async writeSteps<Result>(
    options: CallOptions | undefined,
    steps: (session: Session) => Steps<Result>,
  ): Promise<Result> {
    return this.#call(options, (session) => this.#finish(this.#piecemeal(options, session, steps(session))));
  }

  /** {@link writeSteps} of what erases much. The log is written back once, by whoever scrubs it then. */
  async eraseSteps<Result>(
    options: CallOptions | undefined,
    steps: (session: Session) => Steps<Result>,
  ): Promise<Result> {
    try {
      return await this.writeSteps(options, (session) => {
        session.setLogKept(true);
        return steps(session);
      });
    } finally {
      this.#session?.setLogKept(false);
    }
  }

  /** Empties the write-ahead log where erased text may stand in it. True where none is left there. */
  scrub(): boolean {
    const session = this.#session;
    if (session === undefined || !session.needsScrub) return true;
    this.#lastScrub = Date.now();
    try {
      return session.scrub();
    } catch (error) {
      if (isBusy(error)) return false;
      throw translateError(error, this.path);
    }
  }

  /** No erased text stands in the write-ahead log any more, as far as this handle knows. */
  isScrubbed(): boolean {
    return this.#session?.needsScrub !== true;
  }

  /** {@link scrub}, waiting a while for readers to let go. */
  async scrubPatiently(options: CallOptions | undefined, patienceMs: number): Promise<boolean> {
    const deadline = Date.now() + patienceMs;
    for (let attempt = 0; ; attempt++) {
      if (this.scrub()) return true;
      if (Date.now() >= deadline || options?.signal?.aborted === true) return false;
      await wait(pauseMs(attempt));
    }
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    while (this.#running.size > 0) await Promise.allSettled(this.#running);
    const session = this.#session;
    this.#session = undefined;
    if (session === undefined) return;
    try {
      if (!this.#options.readOnly) session.scrub();
    } catch {
      // Another process is using the file, or nothing may be written: whoever closes it last empties the log.
    }
    session.close();
  }

  /** Runs `work` in this tick where the database is open and the event loop was not held for long. */
  #call<Result>(
    options: CallOptions | undefined,
    work: (session: Session) => Result | Promise<Result>,
  ): Result | Promise<Result> {
    if (options?.signal?.aborted === true) throw abortedError(options.signal);
    if (this.#isClosed) throw closedError(this.path);
    if (isBreathless()) return this.#finish(breathe().then(() => this.#start(options, work)));
    return this.#start(options, work);
  }

  #start<Result>(
    options: CallOptions | undefined,
    work: (session: Session) => Result | Promise<Result>,
  ): Result | Promise<Result> {
    const session = this.#session;
    if (session === undefined) return this.#finish(this.#open(options).then(work));
    if (session.needsScrub && Date.now() - this.#lastScrub > SCRUB_RETRY_MS) this.scrub();
    return work(session);
  }

  async #open(options: CallOptions | undefined): Promise<Session> {
    this.#opening ??= this.#retry(undefined, () => openSession(this.#options)).finally(() => {
      // A failed opening is tried again by the next call.
      this.#opening = undefined;
    });
    const session = await this.#opening;
    if (this.#session === undefined) {
      this.#session = session;
      this.#finishLeftovers(session);
    }
    if (options?.signal?.aborted === true) throw abortedError(options.signal);
    return session;
  }

  /** Beside the calls: nobody waits for it, and what fails is tried again by the next sweep, erasure or opening. */
  #finishLeftovers(session: Session): void {
    if (this.#options.readOnly) return;
    const finish = async (): Promise<void> => {
      if (!(await this.#attempt(undefined, () => hasLeftovers(session)))) return;
      await this.#piecemeal(undefined, session, finishLeftovers(session));
      this.scrub();
    };
    this.#finish(finish()).catch(() => undefined);
  }

  async #settle<Result>(session: Session, result: Result | Promise<Result>): Promise<Result> {
    const settled = await result;
    if (!session.hasPendingDocuments) return settled;
    const erases = session.needsScrub;
    // The change is there: from here on nothing aborts the call.
    await this.#piecemeal(undefined, session, settleDocuments(session));
    session.needsScrub ||= erases;
    return settled;
  }

  #piecemeal<Result>(options: CallOptions | undefined, session: Session, work: Steps<Result>): Promise<Result> {
    return run(() => this.#attempt(options, () => session.transaction(() => work.next())));
  }

  /** The first try is in this tick; only a lock costs more. */
  #attempt<Result>(options: CallOptions | undefined, work: () => Result): Result | Promise<Result> {
    try {
      return work();
    } catch (error) {
      if (!isBusy(error)) throw translateError(error, this.path);
      return this.#finish(this.#retry(options, work));
    }
  }

  /** Tries again with growing pauses until the database is free or the time is over. */
  async #retry<Result>(options: CallOptions | undefined, work: () => Result | Promise<Result>): Promise<Result> {
    const deadline = Date.now() + this.#options.busyTimeoutMs;
    for (let attempt = 0; ; attempt++) {
      try {
        return await work();
      } catch (error) {
        if (!isBusy(error) || Date.now() >= deadline) throw translateError(error, this.path);
      }
      await wait(pauseMs(attempt));
      if (options?.signal?.aborted === true) throw abortedError(options.signal);
    }
  }

  /** `close()` waits for it. */
  #finish<Result>(promise: Promise<Result>): Promise<Result> {
    const running = promise.finally(() => this.#running.delete(running));
    this.#running.add(running);
    return running;
  }
}

/** Grows to {@link LONGEST_PAUSE_MS}, with chance in it so that two writers don't meet again and again. */
function pauseMs(attempt: number): number {
  return 1 + Math.random() * Math.min(2 ** attempt, LONGEST_PAUSE_MS);
}

async function run<Result>(
  next: () => IteratorResult<void, Result> | Promise<IteratorResult<void, Result>>,
): Promise<Result> {
  for (;;) {
    const step = await next();
    if (step.done === true) return step.value;
    await nextTick();
  }
}
