import type { MemoryStore, Receipt } from "@throughline/core";
import { changeConversation } from "./change-conversation.ts";
import { changeTurns } from "./change-turns.ts";
import { checkOptions } from "./check-options.ts";
import { copyCheckpoints } from "./checkpoints/copy-checkpoints.ts";
import { listCheckpoints, readCheckpoint, readHistory } from "./checkpoints/read-checkpoints.ts";
import { removeCheckpoints, removeThread } from "./checkpoints/remove-checkpoints.ts";
import { listThreads } from "./checkpoints/threads.ts";
import { putCheckpoint, putWrites } from "./checkpoints/write-checkpoints.ts";
import { commitFacts } from "./commit-facts.ts";
import { commitTurn } from "./commit-turn.ts";
import { readContext } from "./context.ts";
import { findConversation, listConversations } from "./conversation-rows.ts";
import { Database } from "./database.ts";
import { nodeDriver, type SqliteDriver } from "./driver.ts";
import { erase } from "./erase.ts";
import { readFacts, readTombstones } from "./facts.ts";
import { commitItems, readItems } from "./items.ts";
import { readBehind, readDocuments } from "./keyword/documents.ts";
import { readFollowing } from "./keyword/following.ts";
import { readHits } from "./keyword/hits.ts";
import { indexDocuments } from "./keyword/index-documents.ts";
import { readPostings } from "./keyword/postings.ts";
import { readSearch } from "./keyword/read-search.ts";
import { finishEarlier, finishLeftovers, hasLeftovers } from "./leftovers.ts";
import { findAgent, findSubject } from "./names.ts";
import { purgeExpired } from "./purge.ts";
import { findMessages, findTurns, readTurns } from "./read-turns.ts";
import { commitRecords, listNamespaces, readRecords } from "./records.ts";
import { createSecret } from "./secret.ts";
import { linkIdentity, listIdentities, resolveSubject, unlinkIdentity } from "./subject-identities.ts";
import { commitSummary, readSummaries } from "./summaries.ts";
import { checkBatch } from "./vectors/put-vectors.ts";
import { sqliteVectors } from "./vectors/sqlite-vectors.ts";
import { beginWork, claimLease, claimWork, finishWork, releaseLease, reopenWork, settleWork } from "./work.ts";

/** How to keep memories in a SQLite file. */
export interface SqliteStoreOptions {
  /** The file, made with its directories where it isn't there; `":memory:"` keeps everything in this process. */
  path: string;
  /**
   * `normal`: what was acknowledged survives the process, whatever ends it. `full`: it survives a power cut too, for a
   * disk flush with every write.
   * @default "normal"
   */
  synchronous?: "normal" | "full";
  /** How long a call waits for another process's write, in milliseconds, before it ends with `STORE_BUSY`. @default 5000 */
  busyTimeoutMs?: number;
  /** Open for reading only; every write ends with `STORE_READ_ONLY`. @default false */
  readOnly?: boolean;
  /** How much of the file the connection keeps in memory at most, in bytes. @default 67_108_864 */
  cacheBytes?: number;
  /**
   * How many bytes of vectors are kept in memory at most to be searched by meaning: those of the subjects searched last. One
   * takes about its number of dimensions and 33 bytes more; what doesn't fit is read at each search. Messages that were near a
   * question lately are kept in what is left, each with four bytes a dimension and 700 more. @default 67_108_864
   */
  vectorCacheBytes?: number;
  /** Opens the database. @default Node's built-in `node:sqlite` */
  driver?: SqliteDriver;
}

const VECTOR_CACHE_BYTES = 64 * 1024 * 1024;

const LOG_RESIDUE: Receipt["residue"][number] = {
  what: "write-ahead log",
  why: "Another reader of the file still uses it; it is emptied with a later write, or when the store is closed.",
};

/** How long an erasure waits for readers that keep the write-ahead log from being emptied. */
const ERASE_PATIENCE_MS = 500;

const ROWS_RESIDUE = {
  what: "rows of an earlier erasure",
  why: "Another process is still removing them; what it leaves is removed by the next erasure, sweep or opening.",
};

/** How long an erasure waits for one that is under way in another process. */
const EARLIER_PATIENCE_MS = 5000;

/**
 * A store in one SQLite file, shared by any number of processes on one machine.
 *
 * Making it opens nothing; the first call does, and brings the schema up to date. Errors are `MemoryError`s with a
 * `STORE_…` code; wrong options throw `INVALID_ARGUMENT` at once.
 */
export function sqliteStore(options: SqliteStoreOptions): MemoryStore {
  checkOptions(options);
  const database = new Database({
    path: options.path,
    driver: options.driver ?? nodeDriver,
    synchronous: options.synchronous ?? "normal",
    busyTimeoutMs: options.busyTimeoutMs ?? 5000,
    readOnly: options.readOnly ?? false,
    cacheBytes: options.cacheBytes ?? 64 * 1024 * 1024,
  });
  const isDurable = options.path !== ":memory:";

  return {
    contractVersion: 1,
    name: "sqlite",
    capabilities: {
      durable: isDurable,
      multiProcess: isDurable,
      keywordSearch: true,
      vectorSearch: true,
      rowLevelSecurity: false,
      changeFeed: false,
      checkpoints: true,
    },

    readContext: (owner, query, call) => database.read(call, (session) => readContext(session, owner, query)),
    commitTurn: (owner, write, call) => database.writeIndexed(call, (session) => commitTurn(session, owner, write)),
    readTurns: (owner, query, call) => database.readSteps(call, (session) => readTurns(session, owner, query)),
    findTurns: (owner, places, call) => database.readSteps(call, (session) => findTurns(session, owner, places)),
    readSearch: (owner, query, call) => database.readSteps(call, (session) => readSearch(session, owner, query)),
    readHits: (owner, query, call) => database.readSteps(call, (session) => readHits(session, owner, query)),
    findMessages: (owner, ids, call) => database.read(call, (session) => findMessages(session, owner, ids)),
    changeTurns: (owner, changes, call) =>
      database.writeErasing(call, (session) => changeTurns(session, owner, changes, call?.now)),
    readConversation: (owner, call) => database.read(call, (session) => findConversation(session, owner)?.row ?? null),
    listConversations: (owner, { subject, ...query }, call) =>
      database.read(call, (session) => {
        if (subject === undefined) return listConversations(session, owner, query);
        const agent = findAgent(session, owner);
        const bucket = agent === undefined ? undefined : findSubject(session, agent, subject);
        return bucket === undefined ? [] : listConversations(session, owner, { ...query, subject: bucket });
      }),
    changeConversation: (owner, change, call) =>
      database.writeErasing(call, (session) => changeConversation(session, owner, change)),

    commitSummary: (owner, commit, call) =>
      database.writeErasing(call, (session) => commitSummary(session, owner, commit)),
    readSummaries: (owner, query, call) => database.read(call, (session) => readSummaries(session, owner, query)),

    readFacts: (owners, query, call) =>
      database.read(call, (session) => owners.map((owner) => readFacts(session, owner, query))),
    commitFacts: (owner, commit, call) => database.writeErasing(call, (session) => commitFacts(session, owner, commit)),
    readTombstones: (owner, call) => database.read(call, (session) => readTombstones(session, owner)),

    readRecords: (owner, query, call) => database.read(call, (session) => readRecords(session, owner, query)),
    commitRecords: (owner, commits, call) =>
      database.writeErasing(call, (session) =>
        commitRecords(session, owner, commits, call?.now ?? new Date().toISOString()),
      ),
    listNamespaces: (owner, query, call) => database.read(call, (session) => listNamespaces(session, owner, query)),

    readItems: (owner, query, call) => database.read(call, (session) => readItems(session, owner, query)),
    commitItems: (owner, commits, call) =>
      database.writeErasing(call, (session) => commitItems(session, owner, commits, call)),

    claimWork: (owner, claim, call) => database.write(call, (session) => claimWork(session, owner, claim)),
    settleWork: (owner, settlement, call) => database.write(call, (session) => settleWork(session, owner, settlement)),
    beginWork: (owner, begin, call) => database.write(call, (session) => beginWork(session, owner, begin)),
    finishWork: async (owner, result, call) => {
      if (result.vectors !== undefined) checkBatch(result.vectors);
      return database.writeSteps(call, (session) => finishWork(session, owner, result));
    },
    reopenWork: (owner, call) => database.writeSteps(call, (session) => reopenWork(session, owner)),
    claimLease: (owner, lease, call) => database.write(call, (session) => claimLease(session, owner, lease)),
    releaseLease: (owner, lease, call) => database.write(call, (session) => releaseLease(session, owner, lease)),

    linkIdentity: (owner, link, call) => database.write(call, (session) => linkIdentity(session, owner, link)),
    unlinkIdentity: (owner, identity, call) =>
      database.write(call, (session) => unlinkIdentity(session, owner, identity)),
    listIdentities: (owner, query, call) => database.read(call, (session) => listIdentities(session, owner, query)),
    resolveSubject: (owner, subject, call) => database.read(call, (session) => resolveSubject(session, owner, subject)),
    residue: async () => (database.isScrubbed() ? [] : [LOG_RESIDUE]),
    secret: createSecret(options.path, options.readOnly ?? false),
    purgeExpired: async (owner, query, call) => {
      const purged = await database.writeErasing(call, (session) => purgeExpired(session, owner, query));
      if (await database.read(call, hasLeftovers)) {
        await database.writeSteps(call, finishLeftovers);
        database.scrub();
      }
      return purged;
    },

    keyword: {
      index: (owner, batch, call) => database.writeSteps(call, (session) => indexDocuments(session, owner, batch)),
      postings: (owner, scope, query, call) =>
        database.readSteps(call, (session) => readPostings(session, owner, scope, query)),
      documents: async (owner, refs, call) => {
        const { documents } = await database.readSteps(call, (session) => readDocuments(session, owner, refs));
        return documents;
      },
      following: (owner, scope, query, call) =>
        database.read(call, (session) => readFollowing(session, owner, scope, query)),
      behind: (owner, scope, { limit }, call) =>
        database.read(call, (session) => readBehind(session, owner, scope, Math.max(0, limit))),
    },

    vectors: sqliteVectors(database, options.vectorCacheBytes ?? VECTOR_CACHE_BYTES),

    checkpoints: {
      put: (owner, write, call) => database.writeErasing(call, (session) => putCheckpoint(session, owner, write)),
      putWrites: (owner, writes, call) => database.writeErasing(call, (session) => putWrites(session, owner, writes)),
      read: (owner, query, call) => database.read(call, (session) => readCheckpoint(session, owner, query)),
      list: (owner, query, call) => database.readSteps(call, (session) => listCheckpoints(session, owner, query)),
      history: (owner, query, call) => database.read(call, (session) => readHistory(session, owner, query)),
      threads: (owner, query, call) => database.read(call, (session) => listThreads(session, owner, query)),
      copy: (owner, to, call) => database.writeSteps(call, (session) => copyCheckpoints(session, owner, to)),
      remove: async (owner, checkpoints, call) => {
        const removed = await database.eraseSteps(call, (session) =>
          checkpoints === undefined ? removeThread(session, owner) : removeCheckpoints(session, owner, checkpoints),
        );
        await database.scrubPatiently(call, ERASE_PATIENCE_MS);
        return removed;
      },
    },

    erase: async (owner, target, call) => {
      const { removed, through } = await database.writeSteps(call, (session) =>
        erase(session, owner, target, call.now),
      );
      const isDone = await finishEarlier(database, call, { through, patienceMs: EARLIER_PATIENCE_MS });
      const isScrubbed = await database.scrubPatiently(call, ERASE_PATIENCE_MS);
      return { removed, residue: [...(isDone ? [] : [ROWS_RESIDUE]), ...(isScrubbed ? [] : [LOG_RESIDUE])] };
    },

    close: () => database.close(),
  };
}
