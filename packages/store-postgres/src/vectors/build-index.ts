import { MemoryError, type VectorModel } from "@throughline/core";
import type { PostgresClient, PostgresQuery } from "../client.ts";
import { qualify, quoteName } from "../session.ts";
import { READ_COLUMN, scansIteratively, toColumn, vectorTable } from "./vector-column.ts";
import { indexedType, indexName, modelNumber } from "./vector-model.ts";

/** Builds the HNSW index of a model's vectors where there is none, while others go on reading and writing. */
export async function buildIndex(client: PostgresClient, schema: string, model: VectorModel): Promise<void> {
  const [row] = await client.query(READ_COLUMN, [vectorTable(schema)]);
  const column = toColumn(row);
  if (column.kind !== "pgvector" || !scansIteratively(column.version)) {
    const found = column.kind === "pgvector" ? `it is ${column.version}` : "it isn't there";
    throw refused(`HNSW needs pgvector 0.8 or newer, and ${found}; install it, then migrate again.`, model);
  }
  const indexed = indexedType(model, column.schema);
  if (indexed === null) {
    throw refused(`HNSW takes vectors of up to 4000 numbers; those of "${model.modelId}" are searched exactly.`, model);
  }
  const name = indexName(model);
  const index = `${quoteName(schema)}.${quoteName(name)}`;
  if (column.indexes.has(name)) return leaveUnsampled(client.query, schema);
  const [left] = await client.query(
    `SELECT EXISTS (SELECT 1 FROM pg_stat_progress_create_index p WHERE p.index_relid = to_regclass($1)) AS building
      WHERE to_regclass($1) IS NOT NULL`,
    [index],
  );
  // Another process is at it.
  if (left?.building === true) return;
  if (left !== undefined) await client.query(`DROP INDEX CONCURRENTLY IF EXISTS ${index}`, []);
  await client.query(
    qualify(schema)(
      `CREATE INDEX CONCURRENTLY IF NOT EXISTS ${quoteName(name)} ON #vector USING hnsw ((v::${indexed.type}) ${indexed.operators})
        WHERE model = ${modelNumber(model)}::bigint`,
    ),
    [],
  );
  await leaveUnsampled(client.query, schema);
}

/** What an index computes of a column is sampled by the planner, whether or not the column is. */
export async function leaveUnsampled(query: PostgresQuery, schema: string): Promise<void> {
  const indexes = await query(
    `SELECT format('%I.%I', $1::text, c.relname) AS name FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
      JOIN pg_am m ON m.oid = c.relam JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = 1
      WHERE i.indrelid = to_regclass($2) AND m.amname = 'hnsw' AND a.attstattarget IS DISTINCT FROM 0`,
    [schema, vectorTable(schema)],
  );
  for (const { name } of indexes) await query(`ALTER INDEX ${String(name)} ALTER COLUMN 1 SET STATISTICS 0`, []);
}

function refused(sentence: string, { modelId, dimensions }: VectorModel): MemoryError {
  return new MemoryError("INVALID_ARGUMENT", sentence, { details: { modelId, dimensions } });
}
