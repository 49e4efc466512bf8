import { MemoryError } from "@throughline/core";
import type { PostgresQuery, PostgresRow } from "./client.ts";
import { abortedError } from "./errors.ts";

const LONGEST_NAME_BYTES = 63;

/** Puts the store's schema in front of every `#name` of a statement. */
export function qualify(schema: string): (sql: string) => string {
  const known = new Map<string, string>();
  if (/^(pg_|information_schema$)/.test(schema)) {
    throw new MemoryError(
      "INVALID_ARGUMENT",
      `The schema "${schema}" is the server's own; give the store another one.`,
    );
  }
  const prefix = `${quoteName(schema)}.`;
  return (sql) => {
    let found = known.get(sql);
    if (found === undefined) {
      found = sql.replace(/#(?=[a-z])/g, prefix);
      if (known.size > 500) known.clear();
      known.set(sql, found);
    }
    return found;
  };
}

/** A name as SQL takes it, whatever is in it. Of a longer one the server would take the beginning, which may be another's. */
export function quoteName(name: string): string {
  if (name === "" || name.includes("\0") || !name.isWellFormed() || Buffer.byteLength(name) > LONGEST_NAME_BYTES) {
    throw new MemoryError(
      "INVALID_ARGUMENT",
      "The name of a schema or a role is empty, over 63 bytes, or holds NUL or a lone surrogate.",
    );
  }
  return `"${name.replaceAll('"', '""')}"`;
}

/** Runs statements, in a transaction or outside of one. Tables of the store are written as `#name`. */
export class Session {
  readonly #query: PostgresQuery;
  readonly #qualify: (sql: string) => string;
  readonly #signal: AbortSignal | undefined;
  readonly #names: string | undefined;

  constructor(
    query: PostgresQuery,
    qualified: (sql: string) => string,
    signal: AbortSignal | undefined,
    /** What names of prepared statements begin with; none is prepared without it. */
    names?: string,
  ) {
    this.#query = query;
    this.#qualify = qualified;
    this.#signal = signal;
    this.#names = names;
  }

  /** The caller names the columns that its statement answers with. */
  async rows<Row = PostgresRow>(sql: string, ...parameters: unknown[]): Promise<Row[]> {
    if (this.#signal?.aborted) throw abortedError(this.#signal);
    return (await this.#query(this.#qualify(sql), parameters)) as Row[];
  }

  async row<Row = PostgresRow>(sql: string, ...parameters: unknown[]): Promise<Row | undefined> {
    return (await this.rows<Row>(sql, ...parameters))[0];
  }

  /** A statement of every turn: prepared under its name where that is allowed. */
  async prepared<Row>(name: string, sql: string, ...parameters: unknown[]): Promise<Row | undefined> {
    if (this.#names === undefined) return this.row<Row>(sql, ...parameters);
    if (this.#signal?.aborted) throw abortedError(this.#signal);
    const rows = await this.#query(this.#qualify(sql), parameters, this.#names + name);
    return rows[0] as Row | undefined;
  }

  async run(sql: string, ...parameters: unknown[]): Promise<void> {
    await this.rows(sql, ...parameters);
  }

  /** How many rows a statement that ends with `RETURNING` wrote. */
  async count(sql: string, ...parameters: unknown[]): Promise<number> {
    return (await this.rows(sql, ...parameters)).length;
  }
}

/** Thrown inside a transaction to undo it and answer with `result` all the same. */
export class Undo<Result> {
  readonly result: Result;

  constructor(result: Result) {
    this.result = result;
  }
}

/** The parameters of a statement that is put together. */
export class Parameters {
  readonly values: unknown[] = [];

  /** Where the value stands: `$1`, `$2` … */
  add(value: unknown): string {
    return `$${this.values.push(value)}`;
  }
}
