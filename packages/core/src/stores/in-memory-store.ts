import type { CallOptions, MemoryStore } from "../contract/memory-store.ts";
import { MemoryError } from "../errors/memory-error.ts";

type Calls = typeof import("./in-memory/calls.ts");
type State = InstanceType<Calls["State"]>;

/**
 * A store in this process's memory: for tests, for trying things out, and the plainest correct reading of the store
 * contract. Everything is gone with the process, or with `close()`.
 *
 * Each call runs to its end without giving way, which is what makes it atomic (all but the comparison of vectors, which only
 * reads); the first ones wait for their code.
 */
export function inMemoryStore(): MemoryStore {
  let loaded: { calls: Calls; state: State } | null = null;
  let loading: Promise<{ calls: Calls; state: State }> | null = null;
  let isClosed = false;
  const secret = crypto.getRandomValues(new Uint8Array(32));

  const load = async (): Promise<{ calls: Calls; state: State }> => {
    const calls = await import("./in-memory/calls.ts");
    return { calls, state: new calls.State() };
  };

  const heed = (signal: AbortSignal | undefined): void => {
    if (!signal?.aborted) return;
    throw new MemoryError("ABORTED", "The call was ended by its signal before it began.", { cause: signal.reason });
  };

  const run = async <Result>(
    options: CallOptions | undefined,
    work: (calls: Calls, state: State) => Result | Promise<Result>,
  ): Promise<Result> => {
    if (isClosed) throw new MemoryError("STORE_CLOSED", 'The store "in-memory" was closed; make a new one.');
    heed(options?.signal);
    if (loaded === null) {
      // Calls that come meanwhile wait for the same.
      loading ??= load().catch((error: unknown) => {
        loading = null;
        throw error;
      });
      const ready = await loading;
      // Only now: what is called next must not pass those that waited.
      if (!isClosed) loaded = ready;
      heed(options?.signal);
      return work(ready.calls, ready.state);
    }
    return work(loaded.calls, loaded.state);
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

    readContext: (owner, query, options) => run(options, (calls, state) => calls.readContext(state, owner, query)),
    commitTurn: (owner, write, options) => run(options, (calls, state) => calls.commitTurn(state, owner, write)),
    readTurns: (owner, query, options) => run(options, (calls, state) => calls.readTurns(state, owner, query)),
    findTurns: (owner, places, options) => run(options, (calls, state) => calls.findTurns(state, owner, places)),
    findMessages: (owner, ids, options) => run(options, (calls, state) => calls.findMessages(state, owner, ids)),
    changeTurns: (owner, changes, options) =>
      run(options, (calls, state) => calls.changeTurns(state, owner, changes, options?.now)),
    readConversation: (owner, options) => run(options, (calls, state) => calls.readConversation(state, owner)),
    listConversations: (owner, query, options) =>
      run(options, (calls, state) => calls.listConversations(state, owner, query)),
    changeConversation: (owner, change, options) =>
      run(options, (calls, state) => calls.changeConversation(state, owner, change)),

    commitSummary: (owner, commit, options) =>
      run(options, (calls, state) => calls.commitSummary(state, owner, commit)),
    readSummaries: (owner, query, options) => run(options, (calls, state) => calls.readSummaries(state, owner, query)),

    readFacts: (owners, query, options) => run(options, (calls, state) => calls.readFacts(state, owners, query)),
    commitFacts: (owner, commit, options) => run(options, (calls, state) => calls.commitFacts(state, owner, commit)),
    readTombstones: (owner, options) => run(options, (calls, state) => calls.readTombstones(state, owner)),

    readRecords: (owner, query, options) => run(options, (calls, state) => calls.readRecords(state, owner, query)),
    commitRecords: (owner, commits, options) =>
      run(options, (calls, state) =>
        calls.commitRecords(state, owner, commits, options?.now ?? new Date().toISOString()),
      ),
    listNamespaces: (owner, query, options) =>
      run(options, (calls, state) => calls.listNamespaces(state, owner, query)),

    readItems: (owner, query, options) => run(options, (calls, state) => calls.readItems(state, owner, query)),
    commitItems: (owner, commits, options) =>
      run(options, (calls, state) => calls.commitItems(state, owner, commits, options)),

    claimWork: (owner, claim, options) => run(options, (calls, state) => calls.claimWork(state, owner, claim)),
    settleWork: (owner, settlement, options) =>
      run(options, (calls, state) => calls.settleWork(state, owner, settlement)),
    reopenWork: (owner, options) => run(options, (calls, state) => calls.reopenWork(state, owner)),
    claimLease: (owner, lease, options) => run(options, (calls, state) => calls.claimLease(state, owner, lease)),
    releaseLease: (owner, lease, options) => run(options, (calls, state) => calls.releaseLease(state, owner, lease)),

    linkIdentity: (owner, link, options) => run(options, (calls, state) => calls.linkIdentity(state, owner, link)),
    unlinkIdentity: (owner, identity, options) =>
      run(options, (calls, state) => calls.unlinkIdentity(state, owner, identity)),
    listIdentities: (owner, query, options) =>
      run(options, (calls, state) => calls.listIdentities(state, owner, query)),
    resolveSubject: (owner, subject, options) =>
      run(options, (calls, state) => calls.resolveSubject(state, owner, subject)),

    vectors: {
      put: (owner, batch, options) => run(options, (calls, state) => calls.putVectors(state, owner, batch)),
      nearest: (owner, scope, query, options) =>
        run(options, (calls, state) => calls.nearest(state, owner, scope, query, options?.signal)),
      drop: (owner, selection, options) =>
        run(options, (calls, state) => calls.dropVectors(state, owner, selection, options)),
      describe: (options) => run(options, () => "exact"),
    },

    secret: async () => secret,
    purgeExpired: (owner, query, options) => run(options, (calls, state) => calls.purgeExpired(state, owner, query)),

    checkpoints: {
      put: (owner, write, options) => run(options, (calls, state) => calls.putCheckpoint(state, owner, write)),
      putWrites: (owner, writes, options) => run(options, (calls, state) => calls.putWrites(state, owner, writes)),
      read: (owner, query, options) => run(options, (calls, state) => calls.readCheckpoint(state, owner, query)),
      list: (owner, query, options) => run(options, (calls, state) => calls.listCheckpoints(state, owner, query)),
      history: (owner, query, options) => run(options, (calls, state) => calls.readHistory(state, owner, query)),
      threads: (owner, query, options) => run(options, (calls, state) => calls.listThreads(state, owner, query)),
      copy: (owner, to, options) => run(options, (calls, state) => calls.copyThread(state, owner, to)),
      remove: (owner, checkpoints, options) =>
        run(options, (calls, state) => calls.removeCheckpoints(state, owner, checkpoints)),
    },

    erase: (owner, target, options) => run(options, (calls, state) => calls.erase(state, owner, target, options.now)),

    close: async () => {
      isClosed = true;
      // A call that waits for its code had begun.
      await loading?.catch(() => undefined);
      loaded = null;
      loading = null;
    },
  };
}
