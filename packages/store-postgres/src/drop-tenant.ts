import { translateError } from "./errors.ts";
import { ownPartition } from "./partitions.ts";
import { clientOf, type PostgresConnection } from "./postgres-store.ts";
import { PARTITIONED_TABLES, TENANT_TABLES } from "./schema/tables.ts";
import { qualify } from "./session.ts";
import { checkId, writeText } from "./text.ts";

/** Whose rows to drop, all of them. */
export interface DropTenantOptions extends PostgresConnection {
  /** @default "throughline" */
  schema?: string;
  tenant: string;
}

/** Rows of one statement: so few that it is over soon, and its locks with it. */
const BATCH = 5000;

/**
 * Removes everything of a tenant, as the role that owns the tables: its own partitions at once, its rows in shared tables in
 * batches. Nothing of it is remembered, so its processes must have stopped: what they write afterwards is stored. Run it
 * again where it was interrupted. Answers how many partitions were dropped and how many rows deleted.
 */
export async function dropTenant(options: DropTenantOptions): Promise<{ partitions: number; rows: number }> {
  const { schema = "throughline", tenant, ...connection } = options;
  checkId(tenant);
  const client = clientOf(connection, 1);
  const name = qualify(schema);
  const stored = writeText(tenant);
  try {
    let partitions = 0;
    for (const table of PARTITIONED_TABLES) {
      const own = name(`#${ownPartition(table, tenant)}`);
      const [found] = await client.query("SELECT to_regclass($1) IS NOT NULL AS there", [own]);
      if (found?.there !== true) continue;
      await client.query(`DROP TABLE IF EXISTS ${own}`, []);
      partitions += 1;
    }
    let rows = 0;
    for (const table of TENANT_TABLES) {
      for (let deleted = BATCH; deleted === BATCH; rows += deleted) {
        deleted = await client.transaction(async (query) => {
          await query("SELECT set_config('throughline.tenant', $1, true)", [stored]);
          // Row numbers are those of one partition: the tenant's.
          const [row] = await query(
            name(`WITH gone AS (DELETE FROM #${table} WHERE tenant = $1 AND ctid = ANY (ARRAY(
              SELECT ctid FROM #${table} WHERE tenant = $1 LIMIT ${BATCH} FOR UPDATE)) RETURNING 1)
              SELECT count(*) AS deleted FROM gone`),
            [stored],
          );
          return Number(row?.deleted ?? 0);
        });
      }
    }
    return { partitions, rows };
  } catch (error) {
    throw translateError(error);
  } finally {
    await client.close?.();
  }
}
