import type { PostgresRow } from "../client.ts";
import { quoteName } from "../session.ts";

/** How vectors are kept: as bytes, or by pgvector where the database has it. */
export type VectorColumn =
  | { kind: "bytes" /** The extension is there and `migrate()` would make use of it. */; isConvertible: boolean }
  | {
      kind: "pgvector";
      version: string;
      /** The quoted schema that the extension's types are in. */
      schema: string;
      /** Whether the function that compares vectors is there, and names that schema. */
      compares: boolean;
      /** Its HNSW indexes that are whole, by name, with how many vectors they hold. */
      indexes: ReadonlyMap<string, number>;
    };

/** The column's type, the extension and its indexes. `$1` is the table, quoted. */
export const READ_COLUMN = `SELECT format_type(a.atttypid, NULL) AS type, e.extversion AS version, n.nspname AS schema,
    (SELECT json_agg(json_build_array(c.relname, c.reltuples))::text FROM pg_index i
      JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_am m ON m.oid = c.relam
      WHERE i.indrelid = a.attrelid AND i.indisvalid AND m.amname = 'hnsw') AS indexes,
    EXISTS (SELECT 1 FROM pg_proc p JOIN pg_class t ON t.oid = a.attrelid AND p.pronamespace = t.relnamespace
      WHERE p.proname = 'near_messages'
        AND position(concat(' "', replace(n.nspname, '"', '""'), '".vector ') IN p.prosrc) > 0) AS compares
  FROM pg_attribute a LEFT JOIN pg_extension e ON e.extname = 'vector' LEFT JOIN pg_namespace n ON n.oid = e.extnamespace
  WHERE a.attrelid = to_regclass($1) AND a.attname = 'v' AND NOT a.attisdropped`;

/** The table of vectors, as {@link READ_COLUMN} is asked for it. */
export const vectorTable = (schema: string): string => `${quoteName(schema)}.vector`;

/** What {@link READ_COLUMN} answered. */
export function toColumn(row: PostgresRow | undefined): VectorColumn {
  const { type, version, schema, indexes, compares } = row ?? {};
  if (typeof version !== "string" || typeof schema !== "string" || type === "bytea") {
    return { kind: "bytes", isConvertible: type === "bytea" && typeof version === "string" };
  }
  const found: [name: string, vectors: number][] = typeof indexes === "string" ? JSON.parse(indexes) : [];
  return { kind: "pgvector", version, schema: quoteName(schema), compares: compares === true, indexes: new Map(found) };
}

/** Iterative scans came with 0.8: without them a filter leaves next to nothing of what HNSW finds. */
export function scansIteratively(version: string): boolean {
  const [major = 0, minor = 0] = version.split(".").map(Number);
  return major > 0 || minor >= 8;
}

/** How the column is searched, in a few words. */
export function describeColumn(column: VectorColumn): string {
  if (column.kind === "bytes") return "exact fallback";
  const { version, indexes } = column;
  return `pgvector ${version} ${indexes.size > 0 && scansIteratively(version) ? "exact+hnsw" : "exact"}`;
}
