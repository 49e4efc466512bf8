import { type CallOptions, MemoryError, type MemoryStore, type VectorIndex } from "@throughline/core";
import type { Database } from "../database.ts";
import { sqlState } from "../errors.ts";
import { finishOrdinaryWork, finishWork } from "../work/finish-work.ts";
import { dropVectors } from "./drop-vectors.ts";
import { KnownVectors } from "./known-vectors.ts";
import { nearKnown } from "./near-known.ts";
import { nearMessages } from "./near-messages.ts";
import { checkBatch, putVectors } from "./put-vectors.ts";
import { scanBytes } from "./scan-bytes.ts";
import { hasIndex, isWalkWorthIt, searchExactly, searchIndex } from "./search-pgvector.ts";
import { describeColumn, READ_COLUMN, toColumn, type VectorColumn, vectorTable } from "./vector-column.ts";

/** How long it is taken for granted how vectors are kept, in milliseconds. Indexes come and grow meanwhile. */
const TRUSTED_MS = 60_000;
/** What a statement gets that takes the column for something else than it has become: no such cast, function, column or type. */
const OTHER_COLUMN = new Set(["42804", "42883", "42846", "42703", "42704", "22P02"]);

/**
 * What leaves vectors as bytes until somebody migrates: the table is another role's, or in use, or too large for the time
 * that a statement may take.
 */
const NOT_CONVERTED = new Set(["42501", "55P03", "57014"]);

/** Vectors, and what work on conversations makes them along with, by pgvector where the database has it, found with the first use of them, and by an exact scan elsewhere. */
export function postgresVectors(
  database: Database,
  {
    schema,
    rowLevelSecurity,
    cacheBytes,
  }: {
    schema: string;
    rowLevelSecurity: boolean;
    /** What vectors may take in memory. */
    cacheBytes: number;
  },
): VectorIndex &
  Required<Pick<MemoryStore, "finishWork">> & {
    /** Finds out beside a search's first trip how vectors are kept: what it goes on with. */
    expect(): void;
    /** Takes a tenant's vectors out of memory: what was erased of it isn't there any longer. */
    forget(tenant: string): void;
  } {
  const vectors = new KnownVectors(cacheBytes);
  let known: { column: Promise<VectorColumn>; at: number } | undefined;
  let mayConvert = true;

  const read = (call: CallOptions | undefined): Promise<VectorColumn> =>
    database.readOnce(call, async (session) => toColumn(await session.row(READ_COLUMN, vectorTable(schema))));

  const find = async (): Promise<VectorColumn> => {
    const column = await read(undefined);
    if (column.kind !== "bytes" || !column.isConvertible || !mayConvert) return column;
    try {
      await database.migrateAgain();
    } catch (error) {
      if (!NOT_CONVERTED.has(stateOf(error) ?? "")) throw error;
      // Not again: each try locks the table.
      mayConvert = false;
    }
    return read(undefined);
  };

  // Shared by all calls, so that none of their signals ends it.
  const columnOf = (): Promise<VectorColumn> => {
    if (known === undefined || Date.now() - known.at > TRUSTED_MS) {
      const column = find();
      known = { column, at: Date.now() };
      column.catch(() => {
        known = undefined;
      });
    }
    return known.column;
  };

  /** Tries once more where another process had the column converted meanwhile. */
  const withColumn = async <Result>(work: (column: VectorColumn) => Promise<Result>): Promise<Result> => {
    try {
      return await work(await columnOf());
    } catch (error) {
      if (!OTHER_COLUMN.has(stateOf(error) ?? "")) throw error;
      known = undefined;
      return work(await columnOf());
    }
  };

  return {
    put: async (owner, batch, call) => {
      checkBatch(batch);
      return withColumn((column) =>
        database.write(call, owner.tenant, (session) => putVectors(session, column, owner, batch)),
      );
    },
    nearest: async (owner, scope, query, call) => {
      checkBatch({ model: query.model, documents: [query] });
      return withColumn(async (column) => {
        const { tenant } = owner;
        // What tells of changes names the schema that the extension is in, as what compares does.
        const tells = column.kind === "bytes" || column.compares;
        if (scope.kind === "subject" && cacheBytes > 0 && tells) {
          const near = await database.readOnce(call, (session) =>
            nearKnown(session, { vectors, rowLevelSecurity }, owner, scope.subject, query),
          );
          if (near !== null) return near;
        }
        if (column.kind === "bytes") {
          return database.read(call, tenant, (session) => scanBytes(session, owner, scope, query));
        }
        if (hasIndex(column, query.model)) {
          const isWorthIt = await database.read(call, tenant, (session) =>
            isWalkWorthIt(session, column, owner, scope, query),
          );
          // In a transaction: what is set for the walk ends with it.
          if (isWorthIt) {
            return database.write(call, tenant, (session) => searchIndex(session, column, owner, scope, query));
          }
        }
        if (column.compares && scope.kind !== "agent") {
          const near = await database.readOnce(call, (session) =>
            nearMessages(session, rowLevelSecurity, owner, scope, query),
          );
          if (near !== null) return near;
        }
        return database.read(call, tenant, (session) => searchExactly(session, column, owner, scope, query));
      });
    },
    drop: async (owner, selection, call) => {
      if (call?.dryRun === true) {
        return database.read(call, owner.tenant, (session) => dropVectors(session, owner, selection, true));
      }
      return database.writeErasing(call, owner.tenant, (session) => dropVectors(session, owner, selection, false));
    },
    expect: () => void columnOf().catch(() => undefined),
    forget: (tenant) => vectors.forget(tenant),
    describe: async (call) => describeColumn(await read(call)),
    finishWork: async (owner, result, call) => {
      const finish = (column: VectorColumn | null) =>
        database.onceOrWrite(
          call,
          owner.tenant,
          (session) => finishOrdinaryWork(session, { rowLevelSecurity, schema }, owner, result, column),
          (session) => finishWork(session, owner, result, column),
        );
      if (result.vectors === undefined) return finish(null);
      checkBatch(result.vectors);
      return withColumn(finish);
    },
  };
}

/** The SQLSTATE behind an error of the store. */
function stateOf(error: unknown): string | undefined {
  return MemoryError.isInstance(error) ? sqlState(error.cause) : undefined;
}
