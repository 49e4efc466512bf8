import { statSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { createMemory, type MemoryStore } from "@throughline/core";
import { createCheckpointer } from "@throughline/langgraph";
import { postgresStore } from "@throughline/store-postgres";
import { sqliteStore } from "@throughline/store-sqlite";
import { withClient } from "../lib/postgres-server.ts";
import type { Contender } from "./contender.ts";

const checkpointerOn = (store: MemoryStore) => {
  const memory = createMemory({ agent: "bench", env: {}, store, onEvent: () => {}, readTimeoutMs: 60_000 });
  return { memory, saver: createCheckpointer(memory) };
};

/** The bytes of a SQLite file whose log was written back. */
export function fileBytes(path: string): number {
  const connection = new DatabaseSync(path);
  connection.exec("PRAGMA wal_checkpoint(TRUNCATE)");
  connection.close();
  return statSync(path).size;
}

export function onSqlite(folder: string): Contender {
  const path = join(folder, "throughline.db");
  const { memory, saver } = checkpointerOn(sqliteStore({ path }));
  return { name: "throughline on SQLite", saver, bytes: () => fileBytes(path), close: () => memory.close() };
}

/** Tables and indexes of a schema. */
export async function schemaBytes(url: string, schema: string): Promise<number> {
  return withClient(url, async (client) => {
    const { rows } = await client.query(
      `SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::float8 AS bytes FROM pg_class c
        JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = $1 AND c.relkind = 'r'
          AND c.relname LIKE 'checkpoint%'`,
      [schema],
    );
    return Number(rows[0]?.bytes);
  });
}

export function onPostgres(url: string, name: string): Contender {
  const schema = `ours_${name}`;
  const { memory, saver } = checkpointerOn(postgresStore({ connectionString: url, schema, prepare: true }));
  return {
    name: "throughline on PostgreSQL",
    saver,
    bytes: () => schemaBytes(url, schema),
    async close() {
      await memory.close();
      await withClient(url, (client) => client.query(`DROP SCHEMA IF EXISTS "${schema}" CASCADE`));
    },
  };
}
