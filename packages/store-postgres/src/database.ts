import { createHash } from "node:crypto";
import type { CallOptions } from "@throughline/core";
import type { OwnClient, PostgresClient } from "./client.ts";
import {
  abortedError,
  closedError,
  isContention,
  isCut,
  isMissing,
  isPolicyRefusal,
  isUnprepared,
  translateError,
} from "./errors.ts";
import { migrateSchema } from "./migrate.ts";
import { type OpenOptions, openSchema } from "./open-schema.ts";
import { qualify, Session, Undo } from "./session.ts";

const MOST_TRIES = 12;

type Work<Result> = (session: Session) => Promise<Result>;

/** The one way to the server: opens at the first call, tries again what other writers got in the way of, and closes. */
export class Database {
  readonly #client: OwnClient;
  readonly #options: OpenOptions;
  readonly #qualify: (sql: string) => string;
  readonly #pending = new Set<Promise<unknown>>();
  #opened: Promise<void> | undefined;
  #prepares: boolean;
  /** What names of prepared statements begin with. */
  readonly #names: string;
  #hasErased = false;
  #closing: Promise<void> | undefined;

  constructor(client: OwnClient, options: OpenOptions) {
    this.#client = client;
    this.#options = options;
    this.#prepares = options.prepare;
    this.#names = `throughline ${shortName(options.schema)} `;
    this.#qualify = qualify(options.schema);
  }

  /** One statement that reads and finds its tenant itself: a function of the schema, in one trip. */
  async readOnce<Result>(call: CallOptions | undefined, work: Work<Result>): Promise<Result> {
    return endedBySignal(
      call,
      this.#run(call, true, () => work(this.#session(call, this.#client.query))),
    );
  }

  /** Statements that read. One trip where the database isn't told the tenant. */
  async read<Result>(call: CallOptions | undefined, tenant: string, work: Work<Result>): Promise<Result> {
    if (!this.#options.rowLevelSecurity) return this.readOnce(call, work);
    return endedBySignal(
      call,
      this.#run(call, true, () => this.#transaction(call, tenant, work)),
    );
  }

  /** One statement that writes and tells its tenant itself: a function of the schema, in one trip. */
  async writeOnce<Result>(call: CallOptions | undefined, work: Work<Result>): Promise<Result> {
    return this.#run(call, false, () => work(this.#session(call, this.#client.query)));
  }

  /** {@link writeOnce} of what takes rows away. */
  eraseOnce<Result>(call: CallOptions | undefined, work: Work<Result>): Promise<Result> {
    this.#hasErased = true;
    return this.writeOnce(call, work);
  }

  /** One transaction. */
  async write<Result>(call: CallOptions | undefined, tenant: string, work: Work<Result>): Promise<Result> {
    return this.#run(call, false, () => this.#transaction(call, tenant, work));
  }

  /** {@link write} of what may take rows away, or put others in their place. */
  writeErasing<Result>(call: CallOptions | undefined, tenant: string, work: Work<Result>): Promise<Result> {
    this.#hasErased = true;
    return this.write(call, tenant, work);
  }

  /** Brings the schema up to date again, where the store may. */
  async migrateAgain(): Promise<void> {
    if (!this.#options.migrate) return;
    if (this.#closing !== undefined) throw closedError();
    try {
      await this.#underWay(migrateSchema(this.#client, this.#options));
    } catch (error) {
      throw translateError(error);
    }
  }

  /** True from the first erasing write on: what it took away stands in the bytes until the server cleans up. */
  get hasErased(): boolean {
    return this.#hasErased;
  }

  /** One statement that writes in a trip of its own, and {@link write} where that answered `null`. */
  async onceOrWrite<Result>(
    call: CallOptions | undefined,
    tenant: string,
    short: Work<Result | null>,
    long: Work<Result>,
  ): Promise<Result> {
    return this.#run(
      call,
      false,
      async () => (await short(this.#session(call, this.#client.query))) ?? this.#transaction(call, tenant, long),
    );
  }

  /** Waits for what is under way. A second call waits for the first. */
  close(): Promise<void> {
    this.#closing ??= (async () => {
      await Promise.allSettled([...this.#pending]);
      await this.#client.close?.();
    })();
    return this.#closing;
  }

  #transaction<Result>(call: CallOptions | undefined, tenant: string, work: Work<Result>): Promise<Result> {
    return this.#client.transaction(async (query) => {
      if (this.#options.rowLevelSecurity) await query("SELECT set_config('throughline.tenant', $1, true)", [tenant]);
      return work(this.#session(call, query));
    });
  }

  #session(call: CallOptions | undefined, query: PostgresClient["query"]): Session {
    return new Session(query, this.#qualify, call?.signal, this.#prepares ? this.#names : undefined);
  }

  #run<Result>(call: CallOptions | undefined, isRead: boolean, work: () => Promise<Result>): Promise<Result> {
    if (this.#closing !== undefined) return Promise.reject(closedError());
    if (call?.signal?.aborted) return Promise.reject(abortedError(call.signal));
    return this.#underWay(this.#attempt(call, isRead, work));
  }

  /** What {@link close} waits for. */
  #underWay<Result>(running: Promise<Result>): Promise<Result> {
    this.#pending.add(running);
    const forget = () => this.#pending.delete(running);
    running.then(forget, forget);
    return running;
  }

  async #attempt<Result>(call: CallOptions | undefined, isRead: boolean, work: () => Promise<Result>): Promise<Result> {
    const once = new Set<"reopen" | "reconnect" | "unprepare">();
    const isFirst = (what: "reopen" | "reconnect" | "unprepare") => !once.has(what) && once.add(what) !== undefined;
    try {
      for (let tries = 1; ; tries += 1) {
        try {
          await this.#open();
          return await work();
        } catch (error) {
          // A pooler in between lends another connection than the one it was prepared on. Nothing was run.
          if (isUnprepared(error) && this.#options.prepare && isFirst("unprepare")) {
            this.#prepares = false;
            continue;
          }
          if (tries >= MOST_TRIES || call?.signal?.aborted) throw error;
          // Dropped beneath the store: made again, or said to be missing.
          // And where policies came while it was running, opening says so.
          if ((isMissing(error) || isPolicyRefusal(error)) && isFirst("reopen")) this.#opened = undefined;
          // A connection that broke while it lay in the pool is told by its first use only, and another one may be sound.
          else if (!isContention(error) && !(isRead && isCut(error) && isFirst("reconnect"))) throw error;
          await pause(Math.random() * Math.min(200, 2 ** tries));
        }
      }
    } catch (error) {
      // The transaction that threw it is undone, and says what it would have answered.
      if (error instanceof Undo) return error.result as Result;
      throw translateError(error);
    }
  }

  #open(): Promise<void> {
    this.#opened ??= openSchema(this.#client, this.#options).catch((error: unknown) => {
      this.#opened = undefined;
      throw error;
    });
    return this.#opened;
  }
}

/** A read whose caller doesn't wait any longer ends at once, whatever the server does with it. */
async function endedBySignal<Result>(call: CallOptions | undefined, running: Promise<Result>): Promise<Result> {
  const signal = call?.signal;
  if (signal === undefined) return running;
  const ended = Promise.withResolvers<never>();
  const end = () => ended.reject(abortedError(signal));
  signal.addEventListener("abort", end, { once: true });
  try {
    return await Promise.race([running, ended.promise]);
  } finally {
    signal.removeEventListener("abort", end);
  }
}

/** The server keeps 63 bytes of a statement's name: a schema's long one is told apart by its hash. */
function shortName(schema: string): string {
  if (Buffer.byteLength(schema) <= 40) return schema;
  return createHash("sha256").update(schema).digest("hex").slice(0, 32);
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
