import { type FactOwner, MemoryError, type MemoryStore } from "@throughline/core";
import { changeConversation } from "./change-conversation.ts";
import { changeTurns } from "./change-turns.ts";
import { copyCheckpoints, removeCheckpoints } from "./checkpoints/move-checkpoints.ts";
import { listCheckpoints, listThreads, readCheckpoint, readHistory } from "./checkpoints/read-checkpoints.ts";
import { putCheckpoint, putWrites } from "./checkpoints/write-checkpoints.ts";
import type { OwnClient, PostgresClient } from "./client.ts";
import { commitFacts, readTombstones } from "./commit-facts.ts";
import { commitOrdinaryTurn, commitTurn } from "./commit-turn.ts";
import { readContext } from "./context.ts";
import { listConversations, readConversation } from "./conversation-rows.ts";
import { Database } from "./database.ts";
import { erase } from "./erase.ts";
import { readFacts } from "./facts.ts";
import { commitItems, readItems } from "./items.ts";
import { readBehind, readDocuments } from "./keyword/documents.ts";
import { readFollowing } from "./keyword/following.ts";
import { indexDocuments } from "./keyword/index-documents.ts";
import { readPostings } from "./keyword/postings.ts";
import { connectionClient, type PostgresPool, poolClient } from "./pg-client.ts";
import { purgeExpired } from "./purge.ts";
import { findTurns, locateMessages, readTurns } from "./read-turns.ts";
import { commitRecords, listNamespaces, readRecords } from "./records.ts";
import { RESIDUE } from "./residue.ts";
import { beginSearch } from "./search/begin-search.ts";
import { readHits } from "./search/read-hits.ts";
import { linkIdentity, listIdentities, resolveSubject, unlinkIdentity } from "./subject-identities.ts";
import { commitSummary, readSummaries } from "./summaries.ts";
import { forgetErased } from "./vectors/forget-erased.ts";
import { postgresVectors } from "./vectors/postgres-vectors.ts";
import { beginWork } from "./work/begin-work.ts";
import { claimLease, claimWork, releaseLease, reopenWork, settleWork } from "./work/leases.ts";

/** Where the database is: one of the three. */
export interface PostgresConnection {
  /** `postgres://user:password@host:5432/database`; the store makes a pool of its own. */
  connectionString?: string;
  /** A pool of the `pg` package. The store borrows from it and doesn't end it. */
  pool?: PostgresPool;
  /** Any other driver, behind two methods. */
  client?: PostgresClient;
}

/** How to keep memories in PostgreSQL. */
export interface PostgresStoreOptions extends PostgresConnection {
  /** The schema that holds the tables. @default "throughline" */
  schema?: string;
  /**
   * Tell the database the tenant in every transaction, for tables that {@link migrate} forced policies on. The role must
   * not be a superuser. @default false
   */
  rowLevelSecurity?: boolean;
  /** Make and update the schema with the first call. Without it {@link migrate} does. @default true */
  migrate?: boolean;
  /**
   * Prepare the statements of a turn, of a search and of the work after a turn on each connection: a tenth of a millisecond
   * less per turn. Behind a pooler that doesn't know prepared statements (pgbouncer before 1.21, in transaction mode) the first
   * that fails is run again without, and none is prepared any longer. `false` where a pooler ties a client to a connection for
   * it. @default true
   */
  prepare?: boolean;
  /** Connections of the store's own pool. @default 10 */
  maxConnections?: number;
  /**
   * How much of vectors is kept in memory, so that those of a subject that is searched again and again are compared here, in
   * bytes at most. With 0 the database compares all of them each time. @default 64 MiB
   */
  vectorCacheBytes?: number;
}

const VECTOR_CACHE_BYTES = 64 * 1024 * 1024;

/**
 * A store in a PostgreSQL database, shared by any number of processes.
 *
 * Making it connects nowhere; the first call does, and brings the schema up to date. Errors are `MemoryError`s with a
 * `STORE_…` code; what is no PostgreSQL URL, no name of a schema or no size throws `INVALID_ARGUMENT` at once.
 */
export function postgresStore(options: PostgresStoreOptions): MemoryStore {
  const { schema = "throughline", rowLevelSecurity = false, migrate = true, prepare = true } = options;
  const { vectorCacheBytes: cacheBytes = VECTOR_CACHE_BYTES } = options;
  if (typeof cacheBytes !== "number" || !(cacheBytes >= 0)) {
    throw new MemoryError("INVALID_ARGUMENT", "The option `vectorCacheBytes` must be a number of bytes; 0 keeps none.");
  }
  const client = clientOf(options, options.maxConnections);
  const database = new Database(client, { schema, rowLevelSecurity, migrate, prepare });
  const { finishWork, expect, forget, ...vectors } = postgresVectors(database, {
    schema,
    rowLevelSecurity,
    cacheBytes,
  });

  const store: MemoryStore & Required<Pick<MemoryStore, "vectors">> = {
    contractVersion: 1,
    name: "postgres",
    capabilities: {
      durable: true,
      multiProcess: true,
      keywordSearch: true,
      vectorSearch: true,
      rowLevelSecurity,
      changeFeed: false,
      checkpoints: true,
    },

    readContext: (owner, query, call) =>
      database.readOnce(call, (session) => readContext(session, rowLevelSecurity, owner, query)),
    commitTurn: (owner, write, call) =>
      database.onceOrWrite(
        call,
        owner.tenant,
        (session) => commitOrdinaryTurn(session, rowLevelSecurity, owner, write),
        (session) => commitTurn(session, owner, write),
      ),
    readTurns: (owner, query, call) => database.read(call, owner.tenant, (session) => readTurns(session, owner, query)),
    findTurns: (owner, places, call) =>
      database.read(call, owner.tenant, (session) => findTurns(session, owner, places)),
    readSearch: (owner, query, call) => {
      // Which model vectors are of is read along by what compares them next.
      if (query.records !== undefined) expect();
      return database.readOnce(call, (session) => beginSearch(session, rowLevelSecurity, owner, query));
    },
    readHits: (owner, query, call) =>
      database.readOnce(call, (session) => readHits(session, rowLevelSecurity, owner, query)),
    findMessages: (owner, ids, call) =>
      database.read(call, owner.tenant, (session) => locateMessages(session, owner, ids)),
    changeTurns: (owner, changes, call) =>
      database.writeErasing(call, owner.tenant, (session) => changeTurns(session, owner, changes, call?.now)),
    readConversation: (owner, call) => database.read(call, owner.tenant, (session) => readConversation(session, owner)),
    listConversations: (owner, query, call) =>
      database.read(call, owner.tenant, (session) => listConversations(session, owner, query)),
    changeConversation: (owner, change, call) =>
      database.writeErasing(call, owner.tenant, (session) => changeConversation(session, owner, change)),

    commitSummary: (owner, commit, call) =>
      database.writeErasing(call, owner.tenant, (session) => commitSummary(session, owner, commit)),
    readSummaries: (owner, query, call) =>
      database.read(call, owner.tenant, (session) => readSummaries(session, owner, query)),

    readFacts: async (owners, query, call) => {
      const tenant = oneTenant(owners);
      return tenant === undefined ? [] : database.read(call, tenant, (session) => readFacts(session, owners, query));
    },
    commitFacts: (owner, commit, call) =>
      database.writeErasing(call, owner.tenant, (session) => commitFacts(session, owner, commit)),
    readTombstones: (owner, call) => database.read(call, owner.tenant, (session) => readTombstones(session, owner)),

    readRecords: (owner, query, call) =>
      database.read(call, owner.tenant, (session) => readRecords(session, owner, query)),
    commitRecords: (owner, commits, call) =>
      database.writeErasing(call, owner.tenant, (session) =>
        commitRecords(session, owner, commits, call?.now ?? new Date().toISOString()),
      ),
    listNamespaces: (owner, query, call) =>
      database.read(call, owner.tenant, (session) => listNamespaces(session, owner, query)),

    readItems: (owner, query, call) => database.read(call, owner.tenant, (session) => readItems(session, owner, query)),
    commitItems: (owner, commits, call) =>
      database.writeErasing(call, owner.tenant, (session) => commitItems(session, owner, commits, call)),

    claimWork: (owner, claim, call) =>
      database.write(call, owner.tenant, (session) => claimWork(session, owner, claim)),
    settleWork: (owner, settlement, call) =>
      database.write(call, owner.tenant, (session) => settleWork(session, owner, settlement)),
    beginWork: (owner, begin, call) =>
      database.writeOnce(call, (session) => beginWork(session, rowLevelSecurity, owner, begin)),
    finishWork,
    reopenWork: (owner, call) => database.write(call, owner.tenant, (session) => reopenWork(session, owner)),
    claimLease: (owner, lease, call) =>
      database.write(call, owner.tenant, (session) => claimLease(session, owner, lease)),
    releaseLease: (owner, lease, call) =>
      database.write(call, owner.tenant, (session) => releaseLease(session, owner, lease)),

    linkIdentity: (owner, link, call) =>
      database.write(call, owner.tenant, (session) => linkIdentity(session, owner, link)),
    unlinkIdentity: (owner, identity, call) =>
      database.write(call, owner.tenant, (session) => unlinkIdentity(session, owner, identity)),
    listIdentities: (owner, query, call) =>
      database.read(call, owner.tenant, (session) => listIdentities(session, owner, query)),
    resolveSubject: (owner, subject, call) =>
      database.read(call, owner.tenant, (session) => resolveSubject(session, owner, subject)),
    residue: async () => (database.hasErased ? structuredClone(RESIDUE) : []),
    purgeExpired: (owner, query, call) =>
      database.writeErasing(call, owner.tenant, (session) => purgeExpired(session, owner, query)),

    keyword: {
      index: (owner, batch, call) =>
        database.write(call, owner.tenant, (session) => indexDocuments(session, owner, batch)),
      postings: (owner, scope, query, call) =>
        database.read(call, owner.tenant, (session) => readPostings(session, owner, scope, query)),
      documents: (owner, documents, call) =>
        database.read(call, owner.tenant, (session) => readDocuments(session, owner, documents)),
      following: (owner, scope, query, call) =>
        database.readOnce(call, (session) => readFollowing(session, rowLevelSecurity, owner, scope, query)),
      behind: (owner, scope, { limit }, call) =>
        database.read(call, owner.tenant, (session) => readBehind(session, owner, scope, limit)),
    },

    checkpoints: {
      put: (owner, write, call) =>
        database.writeOnce(call, (session) => putCheckpoint(session, rowLevelSecurity, owner, write)),
      putWrites: (owner, writes, call) =>
        database.writeOnce(call, (session) => putWrites(session, rowLevelSecurity, owner, writes)),
      read: (owner, query, call) =>
        database.readOnce(call, (session) => readCheckpoint(session, rowLevelSecurity, owner, query)),
      list: (owner, query, call) =>
        database.readOnce(call, (session) => listCheckpoints(session, rowLevelSecurity, owner, query)),
      history: (owner, query, call) =>
        database.readOnce(call, (session) => readHistory(session, rowLevelSecurity, owner, query)),
      threads: (owner, query, call) =>
        database.read(call, owner.tenant, (session) => listThreads(session, owner, query)),
      copy: (owner, to, call) =>
        database.writeOnce(call, (session) => copyCheckpoints(session, rowLevelSecurity, owner, to)),
      remove: (owner, checkpoints, call) =>
        database.eraseOnce(call, (session) => removeCheckpoints(session, rowLevelSecurity, owner, checkpoints)),
    },
    vectors,

    erase: async (owner, target, call) => {
      const removed = await database.writeErasing(call, owner.tenant, (session) =>
        erase(session, owner, target, call.now),
      );
      return { removed, residue: structuredClone(RESIDUE) };
    },

    close: () => database.close(),
  };
  return forgetErased(store, forget);
}

/** The tenant of all owners; `undefined` where there are none. The database is told one at a time. */
function oneTenant(owners: readonly FactOwner[]): string | undefined {
  const [tenant, ...others] = new Set(owners.map((owner) => owner.tenant));
  if (others.length === 0) return tenant;
  throw new MemoryError("INVALID_ARGUMENT", "Facts of several tenants were asked for at once; ask for one tenant's.");
}

/** What `pg` connects by: a URL of its own schemes, or the path of a socket. */
const CONNECTION = /^(?:postgres(?:ql)?:\/\/|socket:|\/)/i;

/** The client of one of the three ways to name the database. */
export function clientOf(connection: PostgresConnection, maxConnections = 10): OwnClient {
  const { connectionString, pool, client } = connection;
  if ([connectionString, pool, client].filter((given) => given !== undefined).length !== 1) {
    throw new MemoryError("INVALID_ARGUMENT", "Give the store one of connectionString, pool and client.");
  }
  if (client !== undefined) {
    // Only its two methods: what else it has, closing too, is its maker's.
    return {
      query: (sql, parameters, name) => client.query(sql, parameters, name),
      transaction: (work) => client.transaction(work),
    };
  }
  if (pool !== undefined) return poolClient(pool);
  if (typeof connectionString !== "string" || !CONNECTION.test(connectionString)) {
    // The text itself may hold a password.
    throw new MemoryError(
      "INVALID_ARGUMENT",
      'The connectionString is no PostgreSQL URL; give one like "postgres://user@host/database".',
    );
  }
  if (/[?&]throughline\./.test(connectionString)) {
    const message = "Options in a URL are for fromUrl(url); give `schema` and the others beside the connectionString.";
    throw new MemoryError("INVALID_ARGUMENT", message);
  }
  if (!Number.isSafeInteger(maxConnections) || maxConnections < 1) {
    throw new MemoryError("INVALID_ARGUMENT", "The option `maxConnections` must be a whole number from 1 on.");
  }
  return connectionClient({ connectionString, maxConnections });
}
