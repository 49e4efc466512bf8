import { MemoryError, type VectorModel } from "@throughline/core";
import { sqlState, translateError } from "./errors.ts";
import { migrateSchema } from "./migrate.ts";
import { checkPartitions, type PartitionOptions } from "./partitions.ts";
import { clientOf, type PostgresConnection } from "./postgres-store.ts";
import { buildIndex } from "./vectors/build-index.ts";

/** What to bring up to date. */
export interface MigrateOptions extends PostgresConnection {
  /** @default "throughline" */
  schema?: string;
  /** Force policies on every table, so that the database keeps tenants apart. @default false */
  rowLevelSecurity?: boolean;
  /** A role, there already, that may read and write the tables and change nothing else. */
  appRole?: string;
  /**
   * Run `CREATE EXTENSION vector` first, as a role that may. Without it the extension is used where it is there already.
   * @default false
   */
  pgvector?: boolean;
  /**
   * Models whose vectors get an HNSW index, for owners of tens of thousands. Built while others go on writing; an index
   * that is there stays. Throws `INVALID_ARGUMENT` without pgvector 0.8, and for vectors of more than 4000 numbers.
   */
  hnsw?: readonly VectorModel[];
  /**
   * Cut the large tables into partitions by tenant as they are made. A schema that is laid out in another way is refused
   * with `INVALID_ARGUMENT`; without this option a schema stays as it is.
   */
  partitions?: PartitionOptions;
}

/**
 * Brings the schema up to date as the role that will own it, and answers its version. Run it before a new version of the
 * app; any number of processes may run it at once. A database that a newer library wrote is refused with `STORE_NEWER`.
 */
export async function migrate(options: MigrateOptions): Promise<{ version: number }> {
  const {
    schema = "throughline",
    rowLevelSecurity = false,
    pgvector = false,
    hnsw = [],
    appRole,
    partitions,
    ...connection
  } = options;
  if (partitions !== undefined) checkPartitions(partitions);
  const client = clientOf(connection, 1);
  try {
    const version = await migrateSchema(client, {
      schema,
      rowLevelSecurity,
      pgvector,
      ...(appRole === undefined ? {} : { appRole }),
      ...(partitions === undefined ? {} : { partitions }),
    });
    for (const model of hnsw) await buildIndex(client, schema, model);
    return { version };
  } catch (error) {
    if (sqlState(error) === "42501") throw notAllowed(schema, error);
    throw translateError(error);
  } finally {
    await client.close?.();
  }
}

function notAllowed(schema: string, cause: unknown): MemoryError {
  const what = `This role may not do all that migrating the schema "${schema}" asks of it (the cause says what)`;
  const then = "migrate as the schema's owner; to make it, one needs CREATE on the database";
  return new MemoryError("STORE_READ_ONLY", `${what}: ${then}.`, {
    cause: translateError(cause).cause,
    details: { schema, sqlState: "42501" },
  });
}
