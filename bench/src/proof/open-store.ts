import type { MemoryStore } from "@throughline/core";
import { postgresStore } from "@throughline/store-postgres";
import { sqliteStore } from "@throughline/store-sqlite";

/** The store of a place: the path of a file, or a PostgreSQL URL whose fragment names the schema. */
export function openStore(place: string): MemoryStore {
  if (!place.startsWith("postgres://")) return sqliteStore({ path: place });
  const url = new URL(place);
  const schema = url.hash.slice(1);
  url.hash = "";
  return postgresStore({ connectionString: url.href, schema, maxConnections: 2 });
}
