import { MemoryError } from "@throughline/core";
import type { PostgresClient, PostgresQuery } from "./client.ts";
import { newerError, sqlState } from "./errors.ts";
import {
  checkLayout,
  layOut,
  listPartitions,
  type PartitionOptions,
  partitionTenant,
  readLayout,
} from "./partitions.ts";
import { MIGRATIONS } from "./schema/migrations.ts";
import { TENANT_TABLES } from "./schema/tables.ts";
import { qualify, quoteName } from "./session.ts";
import { grantPgvector, usePgvector } from "./vectors/use-pgvector.ts";

const MOST_TRIES = 10;
/** What two processes that make the same thing at once get. */
const MADE_TWICE = new Set(["23505", "42P06", "42P07", "40001", "40P01", "XX000"]);

/** What a migration is to do. */
export interface MigrateSchemaOptions {
  schema: string;
  /** Force policies on every table. What is forced already stays. */
  rowLevelSecurity?: boolean;
  /** A role that may read and write the tables, and nothing else. */
  appRole?: string;
  /** Make the extension `vector` where it isn't there, as a role that may. */
  pgvector?: boolean;
  /** Cut the large tables into partitions as they are made. */
  partitions?: PartitionOptions;
}

/** Brings the schema up to date; the version it has then. Processes that do it at once wait for each other. */
export async function migrateSchema(client: PostgresClient, options: MigrateSchemaOptions): Promise<number> {
  const name = qualify(options.schema);
  for (let tries = 1; ; tries += 1) {
    try {
      // On its own: a row of this table is what the others wait for.
      await client.transaction(async (query) => {
        await checkEncoding(query, name("#migration"));
        await query(`CREATE SCHEMA IF NOT EXISTS ${quoteName(options.schema)}`, []);
        await query(
          name(
            "CREATE TABLE IF NOT EXISTS #migration (version integer PRIMARY KEY, name text NOT NULL, at text NOT NULL)",
          ),
          [],
        );
        await query(
          name("INSERT INTO #migration (version, name, at) VALUES (0, 'lock', '') ON CONFLICT DO NOTHING"),
          [],
        );
      });
      return await client.transaction((query) => migrateLocked(query, name, options));
    } catch (error) {
      if (tries >= MOST_TRIES || !MADE_TWICE.has(sqlState(error) ?? "")) throw error;
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 50 * tries));
    }
  }
}

/** A database that can't hold every text would refuse the first emoji; a schema that is there already stays. */
async function checkEncoding(query: PostgresQuery, table: string): Promise<void> {
  const sql = "SELECT current_setting('server_encoding') AS encoding, to_regclass($1) IS NULL AS fresh";
  const [row] = await query(sql, [table]);
  if (row?.fresh !== true || row.encoding === "UTF8") return;
  const found = String(row.encoding);
  const what = `The database keeps texts as ${found} and not as UTF-8, which can't hold all of them`;
  const then = "make one with: CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0";
  throw new MemoryError("STORE_FAILED", `${what}; ${then}`, { retryable: false, details: { found } });
}

async function migrateLocked(
  query: PostgresQuery,
  name: (sql: string) => string,
  options: MigrateSchemaOptions,
): Promise<number> {
  await query(name("SELECT version FROM #migration WHERE version = 0 FOR UPDATE"), []);
  const [row] = await query(name("SELECT max(version) AS version FROM #migration"), []);
  const version = Number(row?.version ?? 0);
  if (version > MIGRATIONS.length) throw newerError(version, MIGRATIONS.length);
  const layout = version === 0 ? options.partitions : await readLayout(query, name);
  if (options.partitions !== undefined) checkLayout(options.schema, layout, options.partitions);
  for (const [index, migration] of MIGRATIONS.entries()) {
    if (index < version) continue;
    for (const statement of migration.statements.flatMap((one) => layOut(one, layout)))
      await query(name(statement), []);
    await query(name("INSERT INTO #migration (version, name, at) VALUES ($1, $2, $3)"), [
      index + 1,
      migration.name,
      new Date().toISOString(),
    ]);
  }
  await usePgvector(query, name, { schema: options.schema, create: options.pgvector === true });
  for (const tenant of options.partitions?.tenants ?? []) await partitionTenant(query, name, tenant);
  const partitions = layout === undefined ? [] : await listPartitions(query, name);
  if (options.rowLevelSecurity === true || (await areForced(query, name))) {
    await forcePolicies(query, [...TENANT_TABLES.map((table) => name(`#${table}`)), ...partitions]);
  }
  if (options.appRole !== undefined) await grant(query, options.schema, options.appRole, partitions);
  return MIGRATIONS.length;
}

async function areForced(query: PostgresQuery, name: (sql: string) => string): Promise<boolean> {
  const [row] = await query("SELECT relforcerowsecurity AS forced FROM pg_class WHERE oid = $1::regclass", [
    name("#turn"),
  ]);
  return row?.forced === true;
}

/**
 * A row is there for the tenant that its transaction names, and without a name no row is. Partitions have the policy too: a
 * table's doesn't hold for whoever reads its partitions directly. What is in place is left alone: to change a policy locks
 * its table, and waits for every transaction that has it open while all others wait behind.
 */
async function forcePolicies(query: PostgresQuery, tables: readonly string[]): Promise<void> {
  // A name that was set for a transaction before is the empty text afterwards, and not no name.
  const own = "tenant = nullif(current_setting('throughline.tenant', true), '')";
  const shown = "(tenant = NULLIF(current_setting('throughline.tenant'::text, true), ''::text))";
  const missing = await query(
    `SELECT t.name FROM unnest($1::text[]) t (name) JOIN pg_class c ON c.oid = to_regclass(t.name)
      LEFT JOIN pg_policy p ON p.polrelid = c.oid AND p.polname = 'tenant'
      WHERE (c.relrowsecurity AND c.relforcerowsecurity AND p.polcmd = '*' AND p.polpermissive AND p.polroles = '{0}'
        AND pg_get_expr(p.polqual, c.oid) = $2 AND pg_get_expr(p.polwithcheck, c.oid) = $2) IS NOT TRUE`,
    [tables, shown],
  );
  for (const row of missing) {
    const table = String(row.name);
    await query(`ALTER TABLE ${table} ENABLE ROW LEVEL SECURITY`, []);
    await query(`ALTER TABLE ${table} FORCE ROW LEVEL SECURITY`, []);
    await query(`DROP POLICY IF EXISTS tenant ON ${table}`, []);
    await query(`CREATE POLICY tenant ON ${table} USING (${own}) WITH CHECK (${own})`, []);
  }
}

async function grant(query: PostgresQuery, schema: string, role: string, partitions: readonly string[]): Promise<void> {
  const [to, within] = [quoteName(role), quoteName(schema)];
  const [found] = await query("SELECT 1 AS there FROM pg_roles WHERE rolname = $1", [role]);
  if (found === undefined) {
    throw new MemoryError("INVALID_ARGUMENT", "The server has no role of the name of `appRole`; create it first.");
  }
  await query(`GRANT USAGE ON SCHEMA ${within} TO ${to}`, []);
  await query(`GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA ${within} TO ${to}`, []);
  await query(`REVOKE INSERT, UPDATE, DELETE ON ${within}.migration FROM ${to}`, []);
  // Everybody may call a function unless the database is set up otherwise.
  // All that were made, so that none can be forgotten; they run as whoever calls them.
  const made = MIGRATIONS.flatMap(({ statements }) => statements).join("\n");
  const called = [...made.matchAll(/CREATE FUNCTION #(\w+)/g)].map(([, name]) => `${within}.${name}`);
  await query(`GRANT EXECUTE ON FUNCTION ${called.join(", ")} TO ${to}`, []);
  await grantPgvector(query, schema, role);
  // Partitions are reached through their tables.
  if (partitions.length > 0) await query(`REVOKE ALL ON ${partitions.join(", ")} FROM ${to}`, []);
}
