import type { PostgresQuery } from "../client.ts";
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
  if (options.create) await query("CREATE EXTENSION IF NOT EXISTS vector", []);
  const [row] = await query(READ_COLUMN, [vectorTable(options.schema)]);
  const column = toColumn(row);
  if (column.kind !== "bytes" || !column.isConvertible) return;
  const type = `${quoteName(String(row?.schema))}.vector`;
  await query(name(`ALTER TABLE #vector ALTER COLUMN v TYPE ${type} USING #floats(v)::${type}`), []);
  // In the row itself where it fits into a page: a search reads them all.
  await query(name("ALTER TABLE #vector ALTER COLUMN v SET STORAGE MAIN, ALTER COLUMN v SET STATISTICS 0"), []);
}
