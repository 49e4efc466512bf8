import { MemoryError } from "@throughline/core";
import pg from "pg";
import type { OwnClient, PostgresClient, PostgresQuery } from "./client.ts";

/** What is needed of a pool of the `pg` package, and of its relatives. */
export interface PostgresPool {
  connect(): Promise<PooledConnection>;
  listenerCount?(event: "error"): number;
  on?(event: "error", listener: (error: Error) => void): unknown;
}

/** A connection that a pool lends. */
interface PooledConnection {
  query(config: { text: string; values: unknown[]; name?: string }): Promise<{ rows: Record<string, unknown>[] }>;
  /** A lent connection that breaks between two statements says so by an event, which ends the process if nobody listens. */
  on(event: "error", listener: (error: Error) => void): unknown;
  off(event: "error", listener: (error: Error) => void): unknown;
  /** With an error the pool throws the connection away. */
  release(error?: Error | boolean): void;
}

/** A client on a pool that its maker ends. */
export function poolClient(pool: PostgresPool): PostgresClient {
  // A connection that breaks while nobody uses it: the pool opens another one. Without a listener the process would end.
  if (pool.listenerCount?.("error") === 0) pool.on?.("error", () => undefined);
  const borrow = async <Result>(work: (query: PostgresQuery) => Promise<Result>): Promise<Result> => {
    const connection = await pool.connect();
    let broken: Error | undefined;
    const onError = (error: Error) => {
      broken = error;
    };
    connection.on("error", onError);
    try {
      return await work(async (text, parameters, name) => {
        try {
          const values = parameters.map(toDriver);
          return (await connection.query(name === undefined ? { text, values } : { text, values, name })).rows;
        } catch (error) {
          if (!isSound(error)) broken = error instanceof Error ? error : new Error(String(error));
          throw error;
        }
      });
    } finally {
      connection.off("error", onError);
      connection.release(broken);
    }
  };
  return {
    query: (sql, parameters, name) => borrow((query) => query(sql, parameters, name)),
    transaction: (work) =>
      borrow(async (query) => {
        await query("BEGIN ISOLATION LEVEL READ COMMITTED", []);
        let result: Awaited<ReturnType<typeof work>>;
        try {
          result = await work(query);
        } catch (error) {
          await query("ROLLBACK", []).catch(() => undefined);
          throw error;
        }
        await query("COMMIT", []);
        return result;
      }),
  };
}

/** A client with a pool of its own, made by the first call. */
export function connectionClient(config: { connectionString: string; maxConnections: number }): OwnClient {
  const { connectionString, maxConnections: max } = config;
  checkConnection(connectionString);
  let pool: pg.Pool | undefined;
  const open = (): PostgresClient => {
    if (pool === undefined) {
      pool = new pg.Pool({
        connectionString,
        max,
        connectionTimeoutMillis: 10_000,
        keepAlive: true,
        keepAliveInitialDelayMillis: 10_000,
      });
    }
    return poolClient(pool);
  };
  return {
    query: (sql, parameters, name) => open().query(sql, parameters, name),
    transaction: (work) => open().transaction(work),
    close: async () => {
      await pool?.end();
      pool = undefined;
    },
  };
}

/** A client reads its URL as it is made, with the files that the URL names, and connects nowhere yet. */
function checkConnection(connectionString: string): void {
  try {
    new pg.Client({ connectionString });
  } catch (cause) {
    const { path }: { path?: unknown } = Object(cause);
    const message =
      path === undefined
        ? 'The connectionString can\'t be read; give one like "postgres://user@host:5432/database", other signs as %xx.'
        : "A file that the connectionString names (sslrootcert, sslcert, sslkey) can't be read; check its path.";
    throw new MemoryError("INVALID_ARGUMENT", message, { cause });
  }
}

/** The server answered, and can be written to. One that can't has become a standby: another connection leads elsewhere. */
function isSound(error: unknown): boolean {
  if (typeof error !== "object" || error === null) return false;
  const { code, severity }: { code?: unknown; severity?: unknown } = error;
  return typeof code === "string" && /^[0-9A-Z]{5}$/.test(code) && code !== "25006" && severity === "ERROR";
}

/** The driver takes bytes as `Buffer`s. */
function toDriver(value: unknown): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength);
  return Array.isArray(value) ? value.map(toDriver) : value;
}
