/** A row by column names. */
export type PostgresRow = Record<string, unknown>;

/**
 * Runs one parameterised statement (`$1`, `$2` …) and answers its rows. One with a name may be prepared under it and kept on
 * the connection; a driver that doesn't is right as well.
 */
export type PostgresQuery = (sql: string, parameters: readonly unknown[], name?: string) => Promise<PostgresRow[]>;

/**
 * All the store needs of a driver, so that one over HTTP fits as well.
 *
 * Parameters are strings, numbers, booleans, `null`, `Uint8Array`s and arrays of those. Failures carry PostgreSQL's
 * SQLSTATE as `code`.
 */
export interface PostgresClient {
  /** Outside of a transaction. Any connection will do. */
  query: PostgresQuery;
  /** On one connection between `BEGIN ISOLATION LEVEL READ COMMITTED` and `COMMIT`; rolled back where `work` rejects. */
  transaction<Result>(work: (query: PostgresQuery) => Promise<Result>): Promise<Result>;
}

/** A client that the store made, and has to close. */
export interface OwnClient extends PostgresClient {
  close?(): Promise<void>;
}
