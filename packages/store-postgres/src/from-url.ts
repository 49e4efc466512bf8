import { MemoryError, type MemoryStore } from "@throughline/core";
import { type PostgresStoreOptions, postgresStore } from "./postgres-store.ts";

/**
 * The store of a URL: `postgres://user:password@host:5432/database`, or the same with `postgresql:`. Throws
 * `STORE_NOT_AVAILABLE` for any other scheme. Opens nothing.
 */
export function fromUrl(
  url: string,
  options: Omit<PostgresStoreOptions, "connectionString" | "pool" | "client"> = {},
): MemoryStore {
  if (!/^postgres(ql)?:\/\//i.test(url)) {
    throw new MemoryError(
      "STORE_NOT_AVAILABLE",
      'This is not the URL of a PostgreSQL store; give one like "postgres://user@host/database".',
    );
  }
  return postgresStore({ ...options, connectionString: url });
}
