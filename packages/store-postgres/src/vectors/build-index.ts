import { MemoryError, type VectorModel } from "@throughline/core";
import type { PostgresClient } from "../client.ts";
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
  if (column.indexes.has(name)) return;
  const index = `${quoteName(schema)}.${quoteName(name)}`;
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
}

function refused(sentence: string, { modelId, dimensions }: VectorModel): MemoryError {
  return new MemoryError("INVALID_ARGUMENT", sentence, { details: { modelId, dimensions } });
}
