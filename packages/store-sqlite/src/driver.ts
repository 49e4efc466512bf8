import { MemoryError } from "@throughline/core";

/** What SQLite takes and gives. */
export type SqlValue = null | number | bigint | string | Uint8Array;

/** A prepared statement. Parameters are positional. */
export interface SqliteStatement {
  /** Runs it once; what it answers is not read. */
  run(...parameters: SqlValue[]): { changes: number | bigint; lastInsertRowid: number | bigint };
  /** All rows: arrays in column order after `setReturnArrays(true)` or `raw(true)`, else objects in column order. */
  all(...parameters: SqlValue[]): unknown[];
  /** Turns rows into arrays (`node:sqlite`). */
  setReturnArrays?(enabled: boolean): void;
  /** Turns rows into arrays (better-sqlite3, libsql). Called for statements that return rows only. */
  raw?(enabled: boolean): unknown;
}

/** An open database. `DatabaseSync` of `node:sqlite` and `Database` of better-sqlite3 are such handles as they are. */
export interface SqliteConnection {
  /** Throws where the SQL is wrong. */
  prepare(sql: string): SqliteStatement;
  /** Runs one or several statements without parameters. */
  exec(sql: string): unknown;
  /** Closes the handle; statements of it are used no more. */
  close(): unknown;
}

/**
 * Opens a database, synchronously or not. Every call on what it opens is synchronous.
 *
 * For better-sqlite3 13 or newer: `(path, { readOnly }) => new Database(path, { readonly: readOnly })`.
 */
export type SqliteDriver = (
  path: string,
  options: { readOnly: boolean },
) => SqliteConnection | Promise<SqliteConnection>;

async function loadNodeSqlite(): Promise<typeof import("node:sqlite")> {
  try {
    return await import("node:sqlite");
  } catch (cause) {
    throw new MemoryError(
      "STORE_NOT_AVAILABLE",
      "This runtime has no node:sqlite: use Node 22.13 or newer, or give sqliteStore a driver.",
      { cause },
    );
  }
}

/** Node's built-in SQLite, loaded when it is first used: Node 22 prints an `ExperimentalWarning` as it loads. */
export const nodeDriver: SqliteDriver = async (path, { readOnly }) => {
  const { DatabaseSync } = await loadNodeSqlite();
  return new DatabaseSync(path, { readOnly });
};
