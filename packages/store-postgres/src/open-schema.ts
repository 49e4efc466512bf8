import { MemoryError } from "@throughline/core";
import type { PostgresClient } from "./client.ts";
import { isMissing, newerError } from "./errors.ts";
import { migrateSchema } from "./migrate.ts";
import { MIGRATIONS } from "./schema/migrations.ts";
import { qualify } from "./session.ts";

/** How to open the schema. */
export interface OpenOptions {
  schema: string;
  rowLevelSecurity: boolean;
  /** Bring the schema up to date where it is behind. */
  migrate: boolean;
  /** Prepare the statements of a turn. */
  prepare: boolean;
}

/** Makes sure that the schema is there and of this library's version. */
export async function openSchema(client: PostgresClient, options: Omit<OpenOptions, "prepare">): Promise<void> {
  let { version, isHidden } = await readState(client, options.schema);
  if (version > MIGRATIONS.length) throw newerError(version, MIGRATIONS.length);
  if (version < MIGRATIONS.length) {
    if (!options.migrate) {
      throw new MemoryError(
        "STORE_FAILED",
        `The schema "${options.schema}" is at version ${version} and the library at ${MIGRATIONS.length}; run migrate().`,
        { retryable: false, details: { schema: options.schema, found: version, needed: MIGRATIONS.length } },
      );
    }
    await migrateSchema(client, options);
    ({ isHidden } = await readState(client, options.schema));
  }
  if (options.rowLevelSecurity) await checkSecurity(client, options.schema);
  else if (isHidden) throw hiddenError(options.schema);
}

/**
 * The schema's version, 0 where there is none, and whether its policies hide every row from this role: they do where no
 * tenant is named, and every read would find nothing.
 */
async function readState(client: PostgresClient, schema: string): Promise<{ version: number; isHidden: boolean }> {
  const name = qualify(schema);
  const sql = `SELECT max(version) AS version, row_security_active(to_regclass($1)::oid)
      AND coalesce(current_setting('throughline.tenant', true), '') = '' AS hidden FROM #migration`;
  try {
    const [row] = await client.query(name(sql), [name("#turn")]);
    return { version: Number(row?.version ?? 0), isHidden: row?.hidden === true };
  } catch (error) {
    if (isMissing(error)) return { version: 0, isHidden: false };
    throw error;
  }
}

function hiddenError(schema: string): MemoryError {
  const what = `Row-level security hides all rows of the schema "${schema}" from a store that names no tenant`;
  return new MemoryError(
    "STORE_FAILED",
    `${what}; make it with rowLevelSecurity: true (in a URL: throughline.rowLevelSecurity=true).`,
    {
      retryable: false,
      details: { schema },
    },
  );
}

/** Where the database doesn't keep tenants apart for this role, the option promises too much. */
async function checkSecurity(client: PostgresClient, schema: string): Promise<void> {
  const [row] = await client.query(
    `SELECT r.rolsuper OR r.rolbypassrls AS passes, coalesce(c.relrowsecurity AND c.relforcerowsecurity, false) AS forced
      FROM pg_roles r LEFT JOIN pg_namespace n ON n.nspname = $1
      LEFT JOIN pg_class c ON c.relnamespace = n.oid AND c.relname = 'turn'
      WHERE r.rolname = current_user`,
    [schema],
  );
  if (row?.forced === true && row.passes === false) return;
  const why =
    row?.forced === true
      ? "the role is a superuser or has BYPASSRLS; connect as an ordinary role"
      : "the tables have no policies; run migrate({ rowLevelSecurity: true })";
  throw new MemoryError("STORE_FAILED", `Row-level security doesn't hold in the schema "${schema}": ${why}.`, {
    retryable: false,
    details: { schema },
  });
}
