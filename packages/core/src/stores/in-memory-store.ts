import type { CallOptions, MemoryStore } from "../contract/memory-store.ts";
import { MemoryError } from "../errors/memory-error.ts";
import {
  copyThread,
  listCheckpoints,
  listThreads,
  putCheckpoint,
  putWrites,
  readCheckpoint,
  readHistory,
  removeCheckpoints,
} from "./in-memory/checkpoints.ts";
import { changeConversation, listConversations, readContext, readConversation } from "./in-memory/conversations.ts";
import { erase } from "./in-memory/erase.ts";
import { commitFacts, readFacts, readTombstones } from "./in-memory/facts.ts";
import { linkIdentity, listIdentities, resolveSubject, unlinkIdentity } from "./in-memory/identities.ts";
import { commitItems, readItems } from "./in-memory/items.ts";
import { purgeExpired } from "./in-memory/purge.ts";
import { commitRecords, listNamespaces, readRecords } from "./in-memory/records.ts";
import { State } from "./in-memory/state.ts";
import { commitSummary, readSummaries } from "./in-memory/summaries.ts";
import { changeTurns, commitTurn, findMessages, readTurns } from "./in-memory/turns.ts";
import { dropVectors, nearest, putVectors } from "./in-memory/vectors.ts";
import { claimLease, claimWork, releaseLease, reopenWork, settleWork } from "./in-memory/work.ts";

/**
 * A store in this process's memory: for tests, for trying things out, and the plainest correct reading of the store
 * contract. Everything is gone with the process, or with `close()`.
 *
 * Each call runs to its end without giving way, which is what makes it atomic.
 */
export function inMemoryStore(): MemoryStore {
  let state: State | null = new State();
  const secret = crypto.getRandomValues(new Uint8Array(32));

  const run = async <Result>(options: CallOptions | undefined, work: (state: State) => Result): Promise<Result> => {
    if (state === null) {
      throw new MemoryError("STORE_CLOSED", 'The store "in-memory" was closed; make a new one.');
    }
    const { signal } = options ?? {};
    if (signal?.aborted) {
      throw new MemoryError("ABORTED", "The call was ended by its signal before it began.", { cause: signal.reason });
    }
    return work(state);
  };

  return {
    contractVersion: 1,
    name: "in-memory",
    capabilities: {
      durable: false,
      multiProcess: false,
      keywordSearch: false,
      vectorSearch: true,
      rowLevelSecurity: false,
      changeFeed: false,
      checkpoints: true,
    },

    readContext: (owner, query, options) => run(options, (state) => readContext(state, owner, query)),
    commitTurn: (owner, write, options) => run(options, (state) => commitTurn(state, owner, write)),
    readTurns: (owner, query, options) => run(options, (state) => readTurns(state, owner, query)),
    findMessages: (owner, ids, options) => run(options, (state) => findMessages(state, owner, ids)),
    changeTurns: (owner, changes, options) => run(options, (state) => changeTurns(state, owner, changes, options?.now)),
    readConversation: (owner, options) => run(options, (state) => readConversation(state, owner)),
    listConversations: (owner, query, options) => run(options, (state) => listConversations(state, owner, query)),
    changeConversation: (owner, change, options) => run(options, (state) => changeConversation(state, owner, change)),

    commitSummary: (owner, commit, options) => run(options, (state) => commitSummary(state, owner, commit)),
    readSummaries: (owner, query, options) => run(options, (state) => readSummaries(state, owner, query)),

    readFacts: (owners, query, options) => run(options, (state) => readFacts(state, owners, query)),
    commitFacts: (owner, commit, options) => run(options, (state) => commitFacts(state, owner, commit)),
    readTombstones: (owner, options) => run(options, (state) => readTombstones(state, owner)),

    readRecords: (owner, query, options) => run(options, (state) => readRecords(state, owner, query)),
    commitRecords: (owner, commits, options) =>
      run(options, (state) => commitRecords(state, owner, commits, options?.now ?? new Date().toISOString())),
    listNamespaces: (owner, query, options) => run(options, (state) => listNamespaces(state, owner, query)),

    readItems: (owner, query, options) => run(options, (state) => readItems(state, owner, query)),
    commitItems: (owner, commits, options) => run(options, (state) => commitItems(state, owner, commits, options)),

    claimWork: (owner, claim, options) => run(options, (state) => claimWork(state, owner, claim)),
    settleWork: (owner, settlement, options) => run(options, (state) => settleWork(state, owner, settlement)),
    reopenWork: (owner, options) => run(options, (state) => reopenWork(state, owner)),
    claimLease: (owner, lease, options) => run(options, (state) => claimLease(state, owner, lease)),
    releaseLease: (owner, lease, options) => run(options, (state) => releaseLease(state, owner, lease)),

    linkIdentity: (owner, link, options) => run(options, (state) => linkIdentity(state, owner, link)),
    unlinkIdentity: (owner, identity, options) => run(options, (state) => unlinkIdentity(state, owner, identity)),
    listIdentities: (owner, query, options) => run(options, (state) => listIdentities(state, owner, query)),
    resolveSubject: (owner, subject, options) => run(options, (state) => resolveSubject(state, owner, subject)),

    vectors: {
      put: (owner, batch, options) => run(options, (state) => putVectors(state, owner, batch)),
      nearest: (owner, scope, query, options) => run(options, (state) => nearest(state, owner, scope, query)),
      drop: (owner, selection, options) => run(options, (state) => dropVectors(state, owner, selection, options)),
      describe: (options) => run(options, () => "exact"),
    },

    secret: async () => secret,
    purgeExpired: (owner, query, options) => run(options, (state) => purgeExpired(state, owner, query)),

    checkpoints: {
      put: (owner, write, options) => run(options, (state) => putCheckpoint(state, owner, write)),
      putWrites: (owner, writes, options) => run(options, (state) => putWrites(state, owner, writes)),
      read: (owner, query, options) => run(options, (state) => readCheckpoint(state, owner, query)),
      list: (owner, query, options) => run(options, (state) => listCheckpoints(state, owner, query)),
      history: (owner, query, options) => run(options, (state) => readHistory(state, owner, query)),
      threads: (owner, query, options) => run(options, (state) => listThreads(state, owner, query)),
      copy: (owner, to, options) => run(options, (state) => copyThread(state, owner, to)),
      remove: (owner, checkpoints, options) => run(options, (state) => removeCheckpoints(state, owner, checkpoints)),
    },

    erase: (owner, target, options) => run(options, (state) => erase(state, owner, target, options.now)),

    close: async () => {
      state = null;
    },
  };
}
