import type { MemoryStore } from "../contract/memory-store.ts";
import type { CheckpointStore } from "../contract/store-checkpoints.ts";
import type { KeywordIndex } from "../contract/store-keyword.ts";
import type { VectorIndex } from "../contract/store-vectors.ts";
import { MemoryError } from "../errors/memory-error.ts";
import { withDeadline } from "./resilience.ts";

/**
 * How each method of a store ends at the latest: a `write` within the deadline of writes; a `read` within that of whoever
 * waits for it; `long` ones take as long as there is to do.
 */
type Limit = "read" | "write" | "long";

/** The members of `T` that are methods. */
type Methods<T> = { [Key in keyof T]-?: T[Key] extends (...args: never[]) => Promise<unknown> ? Key : never }[keyof T];

/** Methods of the store itself that a store may be without. */
const OPTIONAL_METHODS = {
  secret: "read",
  residue: "read",
  findTurns: "read",
  readSearch: "read",
  readHits: "read",
  beginWork: "write",
  finishWork: "write",
} as const satisfies Partial<Record<keyof MemoryStore, Limit>>;
type Optional = keyof typeof OPTIONAL_METHODS;

const STORE_METHODS: Record<Exclude<Methods<MemoryStore>, Optional>, Limit> = {
  readContext: "read",
  commitTurn: "write",
  readTurns: "read",
  findMessages: "read",
  changeTurns: "write",
  readConversation: "read",
  listConversations: "read",
  changeConversation: "write",
  commitSummary: "write",
  readSummaries: "read",
  readFacts: "read",
  readTombstones: "read",
  commitFacts: "write",
  readRecords: "read",
  commitRecords: "write",
  listNamespaces: "read",
  readItems: "read",
  commitItems: "write",
  claimWork: "write",
  settleWork: "write",
  reopenWork: "long",
  claimLease: "write",
  releaseLease: "write",
  linkIdentity: "write",
  unlinkIdentity: "write",
  listIdentities: "read",
  resolveSubject: "read",
  purgeExpired: "long",
  erase: "long",
  close: "long",
};

const KEYWORD_METHODS: Record<Methods<KeywordIndex>, Limit> = {
  index: "write",
  postings: "read",
  following: "read",
  documents: "read",
  behind: "read",
};

const CHECKPOINT_METHODS: Record<Methods<CheckpointStore>, Limit> = {
  put: "write",
  putWrites: "write",
  read: "read",
  list: "read",
  history: "read",
  threads: "read",
  copy: "long",
  remove: "long",
};

const VECTOR_METHODS: Record<Methods<VectorIndex>, Limit> = {
  put: "write",
  nearest: "read",
  drop: "write",
  describe: "read",
};

/** Guards one group of methods. A missing one is told at once, by its name. */
function guardMethods(
  store: { name: string },
  target: object,
  limits: Readonly<Record<string, Limit>>,
  prefix: string,
  writeTimeoutMs: number,
): Record<string, (...args: unknown[]) => Promise<unknown>> {
  const guarded: Record<string, (...args: unknown[]) => Promise<unknown>> = {};
  for (const [name, limit] of Object.entries(limits)) {
    const methods = target as Record<string, (...given: unknown[]) => unknown>;
    if (typeof methods[name] !== "function") {
      throw new MemoryError(
        "STORE_CONTRACT",
        `The store "${store.name}" has no method ${prefix}${name}; update it, or test it with describeMemoryStore.`,
        { details: { method: `${prefix}${name}` } },
      );
    }
    const call = async (...args: unknown[]): Promise<unknown> => {
      try {
        return await methods[name]?.(...args);
      } catch (cause) {
        if (MemoryError.isInstance(cause)) throw cause;
        throw new MemoryError(
          "STORE_FAILED",
          `The store "${store.name}" threw in ${prefix}${name} an error it has no code for; the cause says which.`,
          { cause, details: { method: `${prefix}${name}` }, retryable: false },
        );
      }
    };
    const what = `${prefix}${name} of the store "${store.name}"`;
    guarded[name] = limit === "write" ? (...args) => withDeadline(call(...args), writeTimeoutMs, what) : call;
  }
  return guarded;
}

/**
 * The store as the library uses it: whatever it throws has a code, and no write hangs for ever. Throws `STORE_CONTRACT`
 * where it isn't a whole store of the contract spoken here.
 */
export function guardStore(store: MemoryStore, writeTimeoutMs: number): MemoryStore {
  if (store.contractVersion !== 1) {
    throw new MemoryError(
      "STORE_CONTRACT",
      `The store "${store.name}" speaks contract version ${String(store.contractVersion)}, this library 1; update one of them.`,
    );
  }
  const { keyword, vectors, checkpoints } = store;
  const optional = Object.entries(OPTIONAL_METHODS).filter(([name]) => store[name as Optional] !== undefined);
  const guarded = {
    contractVersion: store.contractVersion,
    get name() {
      return store.name;
    },
    get capabilities() {
      return store.capabilities;
    },
    ...guardMethods(store, store, Object.fromEntries(optional), "", writeTimeoutMs),
    ...(keyword === undefined
      ? {}
      : { keyword: guardMethods(store, keyword, KEYWORD_METHODS, "keyword.", writeTimeoutMs) }),
    ...(checkpoints === undefined
      ? {}
      : { checkpoints: guardMethods(store, checkpoints, CHECKPOINT_METHODS, "checkpoints.", writeTimeoutMs) }),
    ...(vectors === undefined
      ? {}
      : { vectors: guardMethods(store, vectors, VECTOR_METHODS, "vectors.", writeTimeoutMs) }),
  };
  // Every method of the contract is in one of the tables; their types say so.
  return Object.assign(
    guarded,
    guardMethods(store, store, STORE_METHODS, "", writeTimeoutMs),
  ) as unknown as MemoryStore;
}
