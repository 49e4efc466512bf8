import { MemoryError, type Receipt } from "@throughline/core";
import type { PostgresQuery } from "./client.ts";
import { translateError } from "./errors.ts";
import { clientOf, type PostgresConnection } from "./postgres-store.ts";
import { DEAD_ROWS, EARLIER_STATES, STATISTICS } from "./residue.ts";
import { TENANT_TABLES } from "./schema/tables.ts";
import { qualify } from "./session.ts";
import { leaveUnsampled } from "./vectors/build-index.ts";

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
    const rewrite = async (table: string, sql: string) => {
      const before = await look(client.query, table, number);
      await client.query(sql, []);
      const after = await look(client.query, table, number);
      return { ...after, isRewritten: before.files !== after.files };
    };
    const pinned: string[] = [];
    let areSamplesLeft = false;
    for (const table of TENANT_TABLES) {
      const done = await rewrite(name(`#${table}`), name(`VACUUM (FULL, ANALYZE) #${table}`));
      // A role that may not gets a warning from the server, and no error.
      if (!done.isRewritten) throw notAllowed(schema);
      if (!done.isClean) pinned.push(table);
      if (done.empty === "all") await forgetSamples(client.query, name(`#${table}`));
      if (done.empty === "some") areSamplesLeft = true;
    }
    // Changing columns made the indexes on them anew.
    await leaveUnsampled(client.query, schema);
    const statistics = await rewrite("pg_catalog.pg_statistic", "VACUUM FULL pg_catalog.pg_statistic");
    if (!statistics.isRewritten || !statistics.isClean) areSamplesLeft = true;
    const residue: Receipt["residue"] = [];
    if (pinned.length > 0) residue.push({ ...DEAD_ROWS, why: whyPinned(pinned) });
    if (areSamplesLeft) residue.push(STATISTICS);
    return { tables: [...TENANT_TABLES], residue: [...residue, EARLIER_STATES] };
  } catch (error) {
    throw translateError(error);
  } finally {
    await client.close?.();
  }
}

interface Look {
  /** The files of a table, or of its partitions. */
  files: string;
  /**
   * Nothing is in it that was deleted before the transaction of the number: rewriting freezes rows up to the oldest
   * snapshot that anybody has, and drops those that were deleted before it.
   */
  isClean: boolean;
  /** Which of its partitions hold no row; one that isn't partitioned is one partition. */
  empty: "none" | "some" | "all";
}

async function look(query: PostgresQuery, table: string, number: string): Promise<Look> {
  const [row] = await query(
    `SELECT string_agg(pg_relation_filenode(c.oid)::text, ' ' ORDER BY c.oid) AS files,
        bool_and(age(c.relfrozenxid) <= age($2::text::xid)) AS clean,
        CASE WHEN bool_and(c.reltuples = 0) THEN 'all' WHEN bool_or(c.reltuples = 0) THEN 'some' ELSE 'none' END AS empty
      FROM pg_class c WHERE c.relkind = 'r'
        AND (c.oid = $1::text::regclass OR c.oid IN (SELECT relid FROM pg_partition_tree($1::text::regclass)))`,
    [table, number],
  );
  const empty = row?.empty === "all" || row?.empty === "some" ? row.empty : "none";
  return { files: String(row?.files), isClean: row?.clean === true, empty };
}

/**
 * Of a table without rows the server keeps the samples of those that it had. Giving a column the type that it has drops
 * them, and changes nothing else. The tenant's column can't be given one: policies and partitions rest on it.
 */
async function forgetSamples(query: PostgresQuery, table: string): Promise<void> {
  const [row] = await query(
    `SELECT string_agg(format('ALTER COLUMN %I TYPE %s', a.attname, format_type(a.atttypid, a.atttypmod)) ||
        CASE WHEN n.collname IS NULL THEN '' ELSE format(' COLLATE pg_catalog.%I', n.collname) END, ', ') AS changes
      FROM pg_attribute a LEFT JOIN pg_collation n ON n.oid = a.attcollation
      WHERE a.attrelid = $1::text::regclass AND a.attnum > 0 AND NOT a.attisdropped AND a.attname <> 'tenant'`,
    [table],
  );
  await query(`ALTER TABLE ${table} ${String(row?.changes)}`, []);
}

function notAllowed(schema: string): MemoryError {
  return new MemoryError("STORE_READ_ONLY", `This role may not vacuum the schema "${schema}"; run it as its owner.`, {
    details: { schema },
  });
}

function whyPinned(tables: readonly string[]): string {
  return `A transaction or a replication slot from before still sees rows of ${tables.join(", ")}; end it and run vacuum() again.`;
}
