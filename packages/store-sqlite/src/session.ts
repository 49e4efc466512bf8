import type { SqliteConnection, SqliteStatement, SqlValue } from "./driver.ts";
import type { Secret } from "./hash.ts";

/** Statements kept of each sort. There are some 120; lists of ids make more. */
const MOST_STATEMENTS = 500;

/** Pages of the write-ahead log after which a commit writes them back: SQLite's own 1000 hold the event loop over 10 ms. */
export const LOG_PAGES = 200;

type Reader = (...parameters: SqlValue[]) => unknown[];

/** What an insert or update did. */
export interface RunResult {
  changes: number;
  ref: number;
}

/**
 * One open connection: prepared statements and the numbers that stand for names, both kept while it is open. A number is
 * never given twice, so that a name kept here can be outdated and never wrong.
 */
export class Session {
  readonly #connection: SqliteConnection;
  readonly #readers = new Map<string, Reader>();
  readonly #writers = new Map<string, SqliteStatement>();
  readonly #begin: SqliteStatement;
  readonly #beginImmediate: SqliteStatement;
  readonly #commit: SqliteStatement;

  /** Numbers of agents by tenant and agent. */
  readonly agents = new Map<string, number>();
  /** Ids of subjects by bucket. */
  readonly subjects = new Map<number, string>();
  /** Secrets of buckets by bucket. */
  readonly secrets = new Map<number, Secret>();
  /** The file's own secret. */
  secret: Secret = [0, 0];
  /** Slots of the heap may be free. */
  hasFreeSlots = true;
  /** Texts were erased whose bytes may still stand in the write-ahead log. */
  needsScrub = false;
  /** Documents may be marked whose postings have not followed yet. */
  hasPendingDocuments = true;
  /** Run as each transaction begins, in it: throws where the file is none any more that may be read and written like this. */
  check: (() => void) | undefined;

  constructor(connection: SqliteConnection) {
    this.#connection = connection;
    this.#begin = connection.prepare("BEGIN");
    this.#beginImmediate = connection.prepare("BEGIN IMMEDIATE");
    this.#commit = connection.prepare("COMMIT");
  }

  /** All rows, as arrays. The caller names the columns' types, which the schema's STRICT tables hold to. */
  rows<Row extends readonly SqlValue[]>(sql: string, ...parameters: SqlValue[]): Row[] {
    let reader = this.#readers.get(sql);
    if (reader === undefined) {
      if (this.#readers.size >= MOST_STATEMENTS) this.#readers.clear();
      reader = arrayReader(this.#connection.prepare(steady(sql)));
      this.#readers.set(sql, reader);
    }
    // STRICT tables: each column holds the type that the caller reads it as.
    return reader(...parameters) as Row[];
  }

  /** The first row; `undefined` where there is none. */
  row<Row extends readonly SqlValue[]>(sql: string, ...parameters: SqlValue[]): Row | undefined {
    return this.rows<Row>(sql, ...parameters)[0];
  }

  run(sql: string, ...parameters: SqlValue[]): RunResult {
    let statement = this.#writers.get(sql);
    if (statement === undefined) {
      if (this.#writers.size >= MOST_STATEMENTS) this.#writers.clear();
      statement = this.#connection.prepare(steady(sql));
      this.#writers.set(sql, statement);
    }
    const { changes, lastInsertRowid } = statement.run(...parameters);
    return { changes: Number(changes), ref: Number(lastInsertRowid) };
  }

  exec(sql: string): void {
    this.#connection.exec(sql);
  }

  /** Runs `work` on one snapshot. */
  snapshot<Result>(work: (session: Session) => Result): Result {
    return this.#whole(this.#begin, work);
  }

  /** Runs `work` whole or not at all. An {@link Undo} takes everything back and gives its result. */
  transaction<Result>(work: (session: Session) => Result): Result {
    try {
      return this.#whole(this.#beginImmediate, work);
    } catch (error) {
      // An Undo is thrown by the same work that gives Result.
      if (error instanceof Undo) return error.result as Result;
      throw error;
    }
  }

  /** Copies the write-ahead log into the file and empties it; false while somebody else still reads from it. */
  scrub(): boolean {
    const [busy] = this.row<[number, number, number]>("PRAGMA wal_checkpoint(TRUNCATE)") ?? [0];
    if (busy !== 0) return false;
    this.needsScrub = false;
    return true;
  }

  /** Leaves the write-ahead log alone for a while: what empties it at the end writes each page back once. */
  setLogKept(isKept: boolean): void {
    this.#connection.exec(`PRAGMA wal_autocheckpoint = ${isKept ? 0 : LOG_PAGES}`);
  }

  close(): void {
    this.#readers.clear();
    this.#writers.clear();
    this.#connection.close();
  }

  #whole<Result>(begin: SqliteStatement, work: (session: Session) => Result): Result {
    begin.run();
    try {
      this.check?.();
      const result = work(this);
      this.#commit.run();
      return result;
    } catch (error) {
      this.#rollback();
      throw error;
    }
  }

  #rollback(): void {
    try {
      this.#connection.exec("ROLLBACK");
    } catch {
      // SQLite has rolled back by itself after some failures (a full disk); the first error is the one to tell.
    }
    this.hasPendingDocuments = true;
    // Numbers learned inside the transaction may be of rows that are not there.
    this.agents.clear();
    this.subjects.clear();
    this.secrets.clear();
  }
}

/** Thrown inside a transaction to take it back and answer with `result`. */
export class Undo<Result> {
  readonly result: Result;
  constructor(result: Result) {
    this.result = result;
  }
}

function arrayReader(statement: SqliteStatement): Reader {
  if (statement.setReturnArrays !== undefined) statement.setReturnArrays(true);
  else if (statement.raw !== undefined) statement.raw(true);
  else {
    // Node before 22.16 gives objects only; their members stand in the order of the columns.
    return (...parameters) => statement.all(...parameters).map((row) => Object.values(Object(row)));
  }
  return (...parameters) => statement.all(...parameters);
}

/**
 * The statement with every `?` behind a plus, which changes no value. SQLite compares a bare parameter with the conditions
 * of partial indexes, and reads the one of a LIMIT, as it plans; it then plans the statement again whenever the parameter is
 * bound, which costs more than the ordinary statement itself (a window of ten turns: 11 µs instead of 6).
 */
function steady(sql: string): string {
  return sql
    .replace(/LIMIT \?/g, "LIMIT max(#, 0)")
    .replaceAll("?", "+?")
    .replaceAll("#", "?");
}

/** `?, ?, ?` */
export function placeholders(count: number): string {
  return PLACEHOLDERS[count] ?? Array.from({ length: count }, () => "?").join(",");
}

const PLACEHOLDERS: readonly string[] = Array.from({ length: 65 }, (_, count) =>
  Array.from({ length: count }, () => "?").join(","),
);
