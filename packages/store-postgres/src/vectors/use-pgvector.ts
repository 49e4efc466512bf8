import { MemoryError } from "@throughline/core";
import type { PostgresQuery } from "../client.ts";
import { sqlState } from "../errors.ts";
import { changesOfPgvector, nearFunction } from "../schema/near-functions.ts";
import { quoteName } from "../session.ts";
import { READ_COLUMN, toColumn, vectorTable } from "./vector-column.ts";

/**
 * Has vectors kept by pgvector where the extension is there and they are kept as bytes, in the migration's transaction.
 * The table is locked while they are converted; policies have no say in it, so it reaches every tenant's.
 */
export async function usePgvector(
  query: PostgresQuery,
  name: (sql: string) => string,
  options: { schema: string; create: boolean },
): Promise<void> {
  if (options.create) await createExtension(query);
  const [row] = await query(READ_COLUMN, [vectorTable(options.schema)]);
  const column = toColumn(row);
  const extension = quoteName(String(row?.schema));
  if (column.kind === "pgvector" && !column.compares) await makeFunctions(query, name, extension);
  if (column.kind !== "bytes" || !column.isConvertible) return;
  const type = `${extension}.vector`;
  await query(name(`ALTER TABLE #vector ALTER COLUMN v TYPE ${type} USING #floats(v)::${type}`), []);
  // In the row itself where it fits into a page: a search reads them all.
  await query(name("ALTER TABLE #vector ALTER COLUMN v SET STORAGE MAIN, ALTER COLUMN v SET STATISTICS 0"), []);
  await makeFunctions(query, name, extension);
}

/** Makes what compares vectors and tells of them, with the schema that the extension is in. */
async function makeFunctions(query: PostgresQuery, name: (sql: string) => string, extension: string): Promise<void> {
  for (const statement of [nearFunction(extension), changesOfPgvector(extension)]) await query(name(statement), []);
}

/** Lets the app's role use the extension's types, wherever they are. */
export async function grantPgvector(query: PostgresQuery, schema: string, role: string): Promise<void> {
  const [row] = await query(READ_COLUMN, [vectorTable(schema)]);
  const column = toColumn(row);
  if (column.kind !== "pgvector") return;
  await query(`GRANT EXECUTE ON FUNCTION ${quoteName(schema)}.near_messages TO ${quoteName(role)}`, []);
  const [may] = await query(
    `SELECT has_schema_privilege($1::name, $2::text, 'USAGE') AS use,
      has_schema_privilege($2::text, 'USAGE WITH GRANT OPTION') AS grant`,
    [role, row?.schema],
  );
  if (may?.use === true) return;
  const sql = `GRANT USAGE ON SCHEMA ${column.schema} TO ${quoteName(role)}`;
  if (may?.grant !== true) {
    throw new MemoryError("STORE_READ_ONLY", `The app's role may not use the schema that pgvector is in. Run: ${sql}`, {
      retryable: false,
    });
  }
  await query(sql, []);
}

async function createExtension(query: PostgresQuery): Promise<void> {
  try {
    await query("CREATE EXTENSION IF NOT EXISTS vector", []);
  } catch (cause) {
    if (sqlState(cause) === "42501") {
      const message = "This role may not create the extension vector. As a role that may, run: CREATE EXTENSION vector";
      throw new MemoryError("STORE_READ_ONLY", message, { cause, details: { sqlState: "42501" } });
    }
    // No such extension among the server's files; its number differs by version.
    if (!["0A000", "58P01"].includes(sqlState(cause) ?? "")) throw cause;
    const message = "The server has no pgvector to make the extension of; install it, or migrate without `pgvector`.";
    throw new MemoryError("INVALID_ARGUMENT", message, { cause });
  }
}
