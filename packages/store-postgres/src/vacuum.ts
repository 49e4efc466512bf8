import type { Receipt } from "@throughline/core";
import { translateError } from "./errors.ts";
import { clientOf, type PostgresConnection } from "./postgres-store.ts";
import { DEAD_ROWS, EARLIER_STATES, STATISTICS } from "./residue.ts";
import { TENANT_TABLES } from "./schema/tables.ts";
import { qualify } from "./session.ts";

/** Whose dead rows to take away. */
export interface VacuumOptions extends PostgresConnection {
  /** @default "throughline" */
  schema?: string;
}

/** What came of it. */
export interface Vacuumed {
  /** The tables that were rewritten. */
  tables: string[];
  /** What still holds erased text, and why. The write-ahead log, replicas and backups are always named. */
  residue: Receipt["residue"];
}

/**
 * Rewrites the tables and indexes of a schema without the rows that were erased, so that their bytes are gone from them.
 * Run it as the role that owns the tables; the planner's statistics are rewritten too where that role owns the database.
 *
 * It needs room for a copy of the largest table. Each table is locked while it is rewritten: turns wait meanwhile. What an
 * older open transaction may still see can't be taken away; the table is named in `residue` then.
 */
export async function vacuum(options: VacuumOptions): Promise<Vacuumed> {
  const { schema = "throughline", ...connection } = options;
  const client = clientOf(connection, 1);
  const name = qualify(schema);
  try {
    // Every erasure before now has a lower number than this.
    const [begun] = await client.query("SELECT pg_current_xact_id()::xid::text AS number", []);
    const number = String(begun?.number);
    const pinned: string[] = [];
    for (const table of TENANT_TABLES) {
      await client.query(name(`VACUUM (FULL, ANALYZE) #${table}`), []);
      if (!(await isOlderGone(client.query, name(`#${table}`), number))) pinned.push(table);
    }
    // A role that may not is told so by a warning.
    await client.query("VACUUM FULL pg_catalog.pg_statistic", []);
    const residue: Receipt["residue"] = [];
    if (pinned.length > 0) residue.push({ ...DEAD_ROWS, why: whyPinned(pinned) });
    if (!(await isOlderGone(client.query, "pg_catalog.pg_statistic", number))) residue.push(STATISTICS);
    return { tables: [...TENANT_TABLES], residue: [...residue, EARLIER_STATES] };
  } catch (error) {
    throw translateError(error);
  } finally {
    await client.close?.();
  }
}

/**
 * True where a rewritten table holds nothing that was deleted before a transaction of this number: rewriting freezes rows
 * up to the oldest snapshot that anybody has, and drops those that were deleted before it.
 */
async function isOlderGone(
  query: ReturnType<typeof clientOf>["query"],
  table: string,
  number: string,
): Promise<boolean> {
  const [row] = await query(
    "SELECT age(relfrozenxid) <= age($2::text::xid) AS gone FROM pg_class WHERE oid = $1::text::regclass",
    [table, number],
  );
  return row?.gone === true;
}

function whyPinned(tables: readonly string[]): string {
  return `A transaction or a replication slot from before still sees rows of ${tables.join(", ")}; end it and run vacuum() again.`;
}
