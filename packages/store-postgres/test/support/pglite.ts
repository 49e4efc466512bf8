import { PGlite } from "@electric-sql/pglite";
import { vector } from "@electric-sql/pglite-pgvector";
import type { PostgresClient } from "@throughline/store-postgres";

/** A database in this process that has pgvector to be created, behind the two methods of a client. */
export async function pgliteClient(): Promise<PostgresClient & { close(): Promise<void> }> {
  const database = await PGlite.create({ extensions: { vector } });
  return {
    query: async (sql, parameters) => (await database.query<Record<string, unknown>>(sql, [...parameters])).rows,
    transaction: (work) =>
      database.transaction((transaction) =>
        work(async (sql, parameters) => (await transaction.query<Record<string, unknown>>(sql, [...parameters])).rows),
      ),
    close: () => database.close(),
  };
}
