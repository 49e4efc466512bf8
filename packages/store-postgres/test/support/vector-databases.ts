import type { PostgresClient } from "@throughline/store-postgres";
import pg from "pg";
import { inject } from "vitest";
import { poolClient } from "../../src/pg-client.ts";
import { pgliteClient } from "./pglite.ts";

/** A fresh database where pgvector can be created and isn't yet, as a superuser. */
export interface VectorDatabase {
  client: PostgresClient;
  /** Of a server: where it is. */
  url?: string;
  close(): Promise<void>;
}

let databases = 0;
/** One for all tests of a file, since starting it takes longest: emptied after each. */
let shared: ReturnType<typeof pgliteClient> | undefined;

async function empty(client: PostgresClient): Promise<void> {
  await client.query("DROP EXTENSION IF EXISTS vector CASCADE", []);
  const schemas = await client.query(
    "SELECT quote_ident(nspname) AS name FROM pg_namespace WHERE nspname !~ '^(pg_|information_schema$|public$)'",
    [],
  );
  for (const { name } of schemas) await client.query(`DROP SCHEMA ${String(name)} CASCADE`, []);
}

export async function onServer(serverUrl: string): Promise<VectorDatabase> {
  databases += 1;
  const name = `throughline_vectors_${process.pid}_${databases}`;
  const admin = new pg.Pool({ connectionString: serverUrl, max: 1 });
  await admin.query(`CREATE DATABASE "${name}" TEMPLATE template0`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const pool = new pg.Pool({ connectionString: url.href, max: 4 });
  return {
    client: poolClient(pool),
    url: url.href,
    close: async () => {
      await pool.end();
      // The server lets go of the connections a moment later.
      const left = "SELECT 1 FROM pg_stat_activity WHERE datname = $1";
      while ((await admin.query(left, [name])).rows.length > 0);
      await admin.query(`DROP DATABASE "${name}"`);
      await admin.end();
    },
  };
}

/** True where the server has pgvector. CI says so itself, so that a missing one is a failure and not a skip. */
export async function hasPgvector(serverUrl: string): Promise<boolean> {
  if (process.env.TEST_PGVECTOR === "1") return true;
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  const { rows } = await client.query("SELECT 1 FROM pg_available_extensions WHERE name = 'vector'");
  await client.end();
  return rows.length > 0;
}

/** Where pgvector is tried: PGlite always, the run's server where that has it. */
export async function vectorDatabases(): Promise<Record<string, () => Promise<VectorDatabase>>> {
  const found: Record<string, () => Promise<VectorDatabase>> = {
    PGlite: async () => {
      shared ??= pgliteClient();
      const client = await shared;
      return { client, close: () => empty(client) };
    },
  };
  const serverUrl = inject("postgresUrl");
  if (serverUrl !== null && (await hasPgvector(serverUrl))) found.PostgreSQL = () => onServer(serverUrl);
  return found;
}
