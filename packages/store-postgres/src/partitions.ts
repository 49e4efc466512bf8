import { createHash } from "node:crypto";
import { MemoryError } from "@throughline/core";
import type { PostgresQuery } from "./client.ts";
import { PARTITIONED_TABLES } from "./schema/tables.ts";
import { writeText } from "./text.ts";

/** How the large tables of a schema are cut into partitions. */
export interface PartitionOptions {
  /** Partitions that tenants share, by a hash of the tenant's name. From 1 to 1024. It can't be changed afterwards. */
  count: number;
  /** Tenants with a partition of their own. One that is named later is moved into it, while all others wait. */
  tenants?: readonly string[];
}

type Name = (sql: string) => string;

/** Throws where the options make no sense. */
export function checkPartitions({ count, tenants = [] }: PartitionOptions): void {
  if (!Number.isInteger(count) || count < 1 || count > 1024) {
    throw new MemoryError("INVALID_ARGUMENT", "partitions.count is a whole number from 1 to 1024.");
  }
  if (tenants.some((tenant) => tenant === "")) {
    throw new MemoryError("INVALID_ARGUMENT", "partitions.tenants has an empty name.");
  }
}

/** What makes one table, as one table or with its shared partitions. Other statements pass as they are. */
export function layOut(statement: string, partitions: PartitionOptions | undefined): readonly string[] {
  const table = /^CREATE TABLE #([a-z_]+) \(/.exec(statement)?.[1];
  if (partitions === undefined || table === undefined || !PARTITIONED_TABLES.includes(table)) return [statement];
  const { count } = partitions;
  return [
    `${statement} PARTITION BY LIST (tenant)`,
    `CREATE TABLE #${table}_shared PARTITION OF #${table} DEFAULT PARTITION BY HASH (tenant)`,
    ...Array.from(
      { length: count },
      (_, remainder) =>
        `CREATE TABLE #${table}_shared_${remainder} PARTITION OF #${table}_shared
          FOR VALUES WITH (MODULUS ${count}, REMAINDER ${remainder})`,
    ),
  ];
}

/** How the schema is laid out: `undefined` where its tables are whole. */
export async function readLayout(query: PostgresQuery, name: Name): Promise<PartitionOptions | undefined> {
  const [row] = await query(
    `SELECT (SELECT count(*) FROM pg_inherits i WHERE i.inhparent = c.oid)::integer AS count FROM pg_class c
      WHERE c.oid = to_regclass($1)`,
    [name("#turn_shared")],
  );
  return row === undefined ? undefined : { count: Number(row.count) };
}

/** Refuses to lay out anew what is there. */
export function checkLayout(schema: string, found: PartitionOptions | undefined, wanted: PartitionOptions): void {
  if (found?.count === wanted.count) return;
  const has = found === undefined ? "isn't partitioned" : `has ${found.count} shared partitions`;
  throw new MemoryError(
    "INVALID_ARGUMENT",
    `The schema "${schema}" ${has}, and that doesn't change in place: migrate a new schema with partitions.count ${wanted.count} and copy the rows into it (docs/postgresql.md says how).`,
    { details: { schema, found: found?.count ?? 0, wanted: wanted.count } },
  );
}

/** The table that holds one tenant's rows of another. A hash, as a tenant's name may be longer than a table's. */
export function ownPartition(table: string, tenant: string): string {
  return `${table}_own_${createHash("sha256").update(writeText(tenant)).digest("hex").slice(0, 24)}`;
}

/** Moves a tenant into partitions of its own, where it has none yet. In the transaction of a migration. */
export async function partitionTenant(query: PostgresQuery, name: Name, tenant: string): Promise<void> {
  const stored = writeText(tenant);
  // The owner too sees a tenant's rows only by its name.
  await query("SELECT set_config('throughline.tenant', $1, true)", [stored]);
  for (const table of PARTITIONED_TABLES) {
    const own = `#${ownPartition(table, tenant)}`;
    const [found] = await query("SELECT to_regclass($1) AS there", [name(own)]);
    if (found?.there !== null) continue;
    await query(name(`LOCK TABLE #${table} IN ACCESS EXCLUSIVE MODE`), []);
    await query(
      name(`CREATE TABLE ${own} (LIKE #${table} INCLUDING DEFAULTS INCLUDING CONSTRAINTS INCLUDING STORAGE)`),
      [],
    );
    await leaveUnsampled(query, name, table, own);
    await query(
      name(
        `WITH moved AS (DELETE FROM #${table} WHERE tenant = $1 RETURNING *) INSERT INTO ${own} SELECT * FROM moved`,
      ),
      [stored],
    );
    const [attach] = await query(
      "SELECT format('ALTER TABLE %s ATTACH PARTITION %s FOR VALUES IN (%L)', $1::text, $2::text, $3::text) AS sql",
      [name(`#${table}`), name(own), stored],
    );
    await query(String(attach?.sql), []);
  }
}

/** Columns that the planner takes no samples of in the table aren't sampled in its partition either. */
async function leaveUnsampled(query: PostgresQuery, name: Name, table: string, own: string): Promise<void> {
  const rows = await query(
    "SELECT attname AS column FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0 AND attstattarget = 0",
    [name(`#${table}`)],
  );
  for (const { column } of rows) {
    await query(name(`ALTER TABLE ${own} ALTER COLUMN ${String(column)} SET STATISTICS 0`), []);
  }
}

/** All partitions of the schema's tables, those in between too, as SQL names them. */
export async function listPartitions(query: PostgresQuery, name: Name): Promise<string[]> {
  const rows = await query(
    `SELECT format('%I.%I', n.nspname, c.relname) AS name FROM unnest($1::text[]) t
      CROSS JOIN LATERAL pg_partition_tree(to_regclass(t)) p JOIN pg_class c ON c.oid = p.relid
      JOIN pg_namespace n ON n.oid = c.relnamespace WHERE p.level > 0 ORDER BY 1`,
    [PARTITIONED_TABLES.map((table) => name(`#${table}`))],
  );
  return rows.map((row) => String(row.name));
}
