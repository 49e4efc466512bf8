import { inMemoryStore, type MemoryStore, type TurnRow, type TurnWrite } from "@throughline/core";
import type { StoreHooks } from "../../src/store/run-store-case.ts";
import { handleOf } from "./keyword-overlay.ts";
import { type Breakage, soundHooks } from "./sound-store.ts";

/** A store with one fault, and the cases that have to notice. */
export interface BrokenStore {
  name: string;
  suite: string;
  /** Words of the titles of the cases that must fail. */
  caughtBy: readonly string[];
  hooks: StoreHooks;
}

function broken(suite: string, name: string, caughtBy: string | readonly string[], breakage: Breakage): BrokenStore {
  return { suite, name, caughtBy: typeof caughtBy === "string" ? [caughtBy] : caughtBy, hooks: soundHooks(breakage) };
}

/** The store with every owner changed before it is used. */
function withOwners(
  store: MemoryStore,
  change: <Owner extends { tenant: string }>(owner: Owner) => Owner,
): MemoryStore {
  const changed = Object.entries(store).map(([name, member]) => {
    if (typeof member !== "function" || name === "close") return [name, member];
    const call = (owner: { tenant: string } | { tenant: string }[], ...rest: unknown[]) =>
      member(Array.isArray(owner) ? owner.map(change) : change(owner), ...rest);
    return [name, call];
  });
  // The same members with the same signatures; only owners differ.
  return Object.fromEntries(changed) as MemoryStore;
}

function withText(write: TurnWrite, change: (text: string) => string): TurnWrite {
  const messages = write.turn.messages.map((message) => ({
    ...message,
    parts: message.parts.map((part) => (part.type === "text" ? { ...part, text: change(part.text) } : part)),
  }));
  return { ...write, turn: { ...write.turn, messages } };
}

const later = () => new Promise<void>((resolve) => setImmediate(resolve));
const NO_POSTINGS = { documents: 0, totalLength: 0, terms: [] };
const always = "9999-12-31T23:59:59.999Z";

/** At least one for every suite. */
export const BROKEN_STORES: readonly BrokenStore[] = [
  broken("scope", "ignores the tenant", ["own tenant, agent and conversation", "hostile tenants"], (store) =>
    withOwners(store, (owner) => ({ ...owner, tenant: "one" })),
  ),
  broken("scope", "folds the case of conversation ids", "hostile conversation", (store) =>
    withOwners(store, (owner) =>
      "conversation" in owner && typeof owner.conversation === "string"
        ? { ...owner, conversation: owner.conversation.toLowerCase() }
        : owner,
    ),
  ),
  broken("scope", "keeps facts of all scopes together", "scope and owner they were written for", (store) =>
    withOwners(store, (owner) => ("scope" in owner ? { ...owner, scope: "user" } : owner)),
  ),
  broken("scope", "lists every conversation whoever asks for a subject", "hostile tenants", (store) => ({
    ...store,
    listConversations: (owner, { subject: _subject, ...query }, options) =>
      store.listConversations(owner, query, options),
  })),

  broken("turns", "loses the last message", ["as it was written", "every message"], (store) => ({
    ...store,
    commitTurn: (owner, write, options) =>
      store.commitTurn(
        owner,
        { ...write, turn: { ...write.turn, messages: write.turn.messages.slice(0, -1) } },
        options,
      ),
  })),
  broken("turns", "stores a retry again", "the same turn id again", (store) => ({
    ...store,
    async commitTurn(owner, write, options) {
      const commit = await store.commitTurn(owner, write, options);
      if (commit.status !== "exists") return commit;
      const messages = write.turn.messages.map((message) => ({ ...message, id: `${message.id}-again` }));
      return store.commitTurn(
        owner,
        { ...write, turn: { ...write.turn, id: `${write.turn.id}-again`, messages } },
        options,
      );
    },
  })),
  broken("turns", "doesn't look for known messages", "refuses the whole turn", (store) => ({
    ...store,
    commitTurn: (owner, write, options) =>
      store.commitTurn(
        owner,
        {
          ...write,
          turn: {
            ...write.turn,
            messages: write.turn.messages.map((message) => ({ ...message, id: `${write.turn.id}/${message.id}` })),
          },
        },
        options,
      ),
  })),
  broken("turns", "orders turns by their time", "in the order of the writes", (store) => ({
    ...store,
    async readTurns(owner, query, options) {
      const turns = await store.readTurns(owner, query, options);
      return turns.sort((left, right) => left.startedAt.localeCompare(right.startedAt));
    },
  })),
  broken("turns", "answers live references", "can be changed without changing the store", (store) => {
    const answered = new Map<string, TurnRow[]>();
    return {
      ...store,
      async readTurns(owner, query, options) {
        const key = JSON.stringify([owner, query]);
        const turns = answered.get(key) ?? (await store.readTurns(owner, query, options));
        answered.set(key, turns);
        return turns;
      },
    };
  }),
  broken("turns", "takes turns of any subject", ["refuses another", "learns nothing"], (store) => ({
    ...store,
    async commitTurn(owner, write, options) {
      const row = await store.readConversation(owner, options);
      return store.commitTurn(owner, { ...write, subject: row?.subject ?? write.subject }, options);
    },
  })),

  broken("replacing", "hides nothing", ["hidden turns stay in the transcript", "may be used again"], (store) => ({
    ...store,
    commitTurn: (owner, { hides: _hides, ...write }, options) => store.commitTurn(owner, write, options),
  })),
  broken("replacing", "lets every resume through", "finds it changed", (store) => ({
    ...store,
    async commitTurn(owner, write, options) {
      const [turn] = await store.readTurns(owner, { ids: [write.turn.id], hidden: true, limit: 1 }, options);
      return store.commitTurn(owner, turn === undefined ? write : { ...write, previousSeq: turn.seq }, options);
    },
  })),
  broken("replacing", "brings an erased turn back by its resume", "brings nothing back", (store) => ({
    ...store,
    async commitTurn(owner, write, options) {
      const [turn] = await store.readTurns(owner, { ids: [write.turn.id], hidden: true, limit: 1 }, options);
      const { previousSeq: _previousSeq, ...fresh } = write;
      return store.commitTurn(owner, turn === undefined ? fresh : write, options);
    },
  })),

  broken("window", "drops a newest turn that is too large", "however large", (store) => ({
    ...store,
    async readContext(owner, query, options) {
      const context = await store.readContext(owner, query, options);
      const { window } = query;
      if (window === null) return context;
      return {
        ...context,
        turns: context.turns.filter((turn) => turn.tokens <= window.maxTokens && turn.counted <= window.maxMessages),
      };
    },
  })),
  broken("window", "lets smaller turns slip in behind the cut", "the cut is a border", (store) => ({
    ...store,
    async readContext(owner, query, options) {
      const { window } = query;
      if (window === null) return store.readContext(owner, query, options);
      const wide = { ...window, maxMessages: 1_000_000, maxTokens: 1_000_000 };
      const context = await store.readContext(owner, { ...query, window: wide }, options);
      let left = window.maxTokens;
      let messages = window.maxMessages;
      const turns = context.turns.toReversed().filter((turn) => {
        if (turn.tokens > left || turn.counted > messages) return false;
        left -= turn.tokens;
        messages -= turn.counted;
        return true;
      });
      return { ...context, turns: turns.reverse() };
    },
  })),
  broken("window", "serves what was folded again", "after the summary's border", (store) => ({
    ...store,
    readContext: (owner, query, options) =>
      store.readContext(owner, { ...query, window: query.window && { ...query.window, afterSummary: false } }, options),
  })),

  broken("conversations", "has its own order among ties", ["ties by id", "paging gives"], (store) => ({
    ...store,
    async listConversations(owner, query, options) {
      const rows = await store.listConversations(owner, query, options);
      return rows.sort(
        (left, right) => right.updatedAt.localeCompare(left.updatedAt) || right.id.localeCompare(left.id),
      );
    },
  })),
  broken("conversations", "pages by time alone", "paging gives", (store) => ({
    ...store,
    async listConversations(owner, { after, ...query }, options) {
      const rows = await store.listConversations(owner, { ...query, limit: 1_000 }, options);
      return rows.filter((row) => after === undefined || row.updatedAt < after.updatedAt).slice(0, query.limit);
    },
  })),
  broken("conversations", "forgets to compare versions", "one of two writers", (store) => ({
    ...store,
    changeConversation: (owner, { ifVersion: _ifVersion, ...change }, options) =>
      store.changeConversation(owner, change, options),
  })),

  broken("summaries", "forgets to compare versions", ["the first is kept", "deleting at another version"], (store) => ({
    ...store,
    async commitSummary(owner, commit, options) {
      const { summary } = await store.readContext(owner, { now: commit.now, window: null, facts: null }, options);
      return store.commitSummary(owner, { ...commit, expectedVersion: summary?.version ?? 0 }, options);
    },
  })),
  broken("summaries", "counts a fold as activity", "order of conversations alone", (store) => ({
    ...store,
    async commitSummary(owner, commit, options) {
      const result = await store.commitSummary(owner, commit, options);
      await store.changeConversation(owner, { now: commit.now }, options);
      return result;
    },
  })),

  broken("facts", "forgets to compare versions", "a version that is over", (store) => ({
    ...store,
    async commitFacts(owner, commit, options) {
      const [set] = await store.readFacts([owner], { now: commit.now, limit: 1 }, options);
      return store.commitFacts(owner, { ...commit, expectedVersion: set?.version ?? 0 }, options);
    },
  })),
  broken("facts", "expires in a sweep only", "an expired fact is not read", (store) => ({
    ...store,
    readFacts: (owners, query, options) => store.readFacts(owners, { ...query, now: "" }, options),
  })),
  broken("facts", "overwrites what is superseded", ["a superseded value is history", "as of a moment"], (store) => ({
    ...store,
    commitFacts: (owner, commit, options) =>
      store.commitFacts(owner, { ...commit, put: commit.put.filter((fact) => fact.validTo === undefined) }, options),
    readFacts: (owners, { history: _history, ...query }, options) => store.readFacts(owners, query, options),
  })),
  broken("facts", "lets forgotten values back in", "a tombstone refuses", (store) => ({
    ...store,
    commitFacts: (owner, { unlessTombstoned: _hashes, ...commit }, options) =>
      store.commitFacts(owner, commit, options),
  })),
  broken("facts", "runs an operation twice", "the same operation again", (store) => ({
    ...store,
    commitFacts: (owner, { operation: _operation, ...commit }, options) => store.commitFacts(owner, commit, options),
  })),

  broken("records", "matches namespaces as text", "whole labels", (store) => ({
    ...store,
    async readRecords(owner, query, options) {
      const all = await store.readRecords(owner, { ...query, namespace: [], keys: undefined, limit: 1_000 }, options);
      const prefix = query.namespace.join("/");
      return all.filter((record) => record.namespace.join("/").startsWith(prefix));
    },
  })),
  broken("records", "applies commits one by one", "together or not at all", (store) => ({
    ...store,
    async commitRecords(owner, commits, options) {
      const versions: number[] = [];
      for (const [index, commit] of commits.entries()) {
        const result = await store.commitRecords(owner, [commit], options);
        if (result.status === "conflict") return { ...result, index };
        versions.push(...result.versions);
      }
      return { status: "committed", versions };
    },
  })),
  broken("records", "reads what has expired", "an expired record is not there", (store) => ({
    ...store,
    readRecords: (owner, query, options) => store.readRecords(owner, { ...query, now: "" }, options),
  })),

  broken("items", "matches prefixes as patterns", "deletes take exactly what they name", (store) => ({
    ...store,
    async commitItems(owner, commits, options) {
      for (const commit of commits) {
        await store.commitItems(owner, [commit], options);
        if (commit.action === "delete-prefix") {
          const under = commit.prefix.replace(/:$/, "_");
          await store.commitItems(owner, [{ action: "delete-prefix", prefix: under }], options);
        }
      }
    },
  })),
  broken("items", "sorts keys as people do", ["sorted by key", "hostile keys"], (store) => ({
    ...store,
    async readItems(owner, query, options) {
      const items = await store.readItems(owner, query, options);
      return items.sort((left, right) => left.key.localeCompare(right.key, "en"));
    },
  })),
  broken("items", "overwrites in spite of ifAbsent", "ifAbsent leaves", (store) => ({
    ...store,
    commitItems: (owner, commits, options) =>
      store.commitItems(
        owner,
        commits.map((commit) => (commit.action === "put" ? { ...commit, ifAbsent: false } : commit)),
        options,
      ),
  })),

  broken("work", "leases the same work to everybody", ["nobody else's", "has one holder"], (store) => ({
    ...store,
    claimWork: (owner, claim, options) => store.claimWork(owner, { ...claim, holder: "anybody" }, options),
    claimLease: (owner, lease, options) => store.claimLease(owner, { ...lease, holder: "anybody" }, options),
  })),
  broken("work", "takes watermarks back", "watermarks never go back", (store) => {
    const given = new Map<string, Record<string, number>>();
    return {
      ...store,
      async settleWork(owner, settlement, options) {
        given.set(owner.conversation, { ...given.get(owner.conversation), ...settlement.watermarks });
        await store.settleWork(owner, settlement, options);
      },
      async readConversation(owner, options) {
        const row = await store.readConversation(owner, options);
        return row && { ...row, watermarks: { ...row.watermarks, ...given.get(owner.conversation) } };
      },
    };
  }),

  broken(
    "erase",
    "lets late turns resurrect what was erased",
    ["began by the time", "in every conversation"],
    (store) => ({
      ...store,
      commitTurn: (owner, write, options) =>
        store.commitTurn(owner, { ...write, turn: { ...write.turn, startedAt: always } }, options),
    }),
  ),
  broken("erase", "leaves a subject's records", "erasing a subject removes all", (store) => ({
    ...store,
    commitRecords: (owner, commits, options) =>
      store.commitRecords(
        owner,
        commits.map(({ subject: _subject, ...commit }) => commit),
        options,
      ),
  })),
  broken("erase", "takes late facts", "late facts of what was erased", (store) => ({
    ...store,
    commitFacts: (owner, { beganAt: _beganAt, ...commit }, options) => store.commitFacts(owner, commit, options),
  })),
  broken("erase", "counts nothing", "removes all of it, counts it", (store) => ({
    ...store,
    async erase(owner, target, options) {
      await store.erase(owner, target, options);
      return { removed: {}, residue: [] };
    },
  })),

  broken("texts", "ends texts at NUL", "stored exactly", (store) => ({
    ...store,
    commitTurn: (owner, write, options) =>
      store.commitTurn(
        owner,
        withText(write, (text) => text.split("\u0000")[0] ?? ""),
        options,
      ),
  })),
  broken("texts", "mends lone surrogates", "stored exactly", (store) => ({
    ...store,
    commitTurn: (owner, write, options) =>
      store.commitTurn(
        owner,
        withText(write, (text) => text.toWellFormed()),
        options,
      ),
  })),
  broken("texts", "cuts texts at 64 kB", "stored exactly", (store) => ({
    ...store,
    commitTurn: (owner, write, options) =>
      store.commitTurn(
        owner,
        withText(write, (text) => text.slice(0, 65_536)),
        options,
      ),
  })),

  broken("calls", "doesn't look at signals", "ends every call with ABORTED", (store) => ({
    ...store,
    commitTurn: (owner, write) => store.commitTurn(owner, write),
  })),
  broken("calls", "claims an ability it doesn't have", "names itself", (store) => ({ ...store, keyword: undefined })),
  {
    suite: "calls",
    name: "answers after it was closed",
    caughtBy: ["after close", "closed before its first use"],
    hooks: { create: () => ({ ...inMemoryStore(), close: async () => {} }) },
  },

  broken("concurrency", "reads the version and writes later", ["one gets through", "lose nothing"], (store) => ({
    ...store,
    async commitFacts(owner, commit, options) {
      const [set] = await store.readFacts([owner], { now: commit.now, limit: 1_000 }, options);
      if (set?.version !== commit.expectedVersion) return { status: "conflict", version: set?.version ?? 0 };
      await later();
      // Puts the facts it read back as they were, as a store that rewrites one whole value does.
      const [current] = await store.readFacts([owner], { now: commit.now, limit: 1_000 }, options);
      const erase = (current?.facts ?? []).filter((fact) => !set.facts.some((old) => old.id === fact.id));
      const whole = { ...commit, expectedVersion: current?.version ?? 0, erase: erase.map((fact) => fact.id) };
      return store.commitFacts(owner, whole, options);
    },
  })),
  broken("concurrency", "writes a turn in two steps", "see whole turns", (store) => ({
    ...store,
    async commitTurn(owner, write, options) {
      const { messages, counted, tokens } = write.turn;
      const commit = await store.commitTurn(
        owner,
        { ...write, turn: { ...write.turn, messages: messages.slice(0, 1) } },
        options,
      );
      if (commit.status !== "stored") return commit;
      await later();
      await store.changeTurns(owner, [{ turn: write.turn.id, action: "rewrite", messages, counted, tokens }], options);
      return commit;
    },
  })),

  {
    suite: "two handles",
    name: "keeps each handle's writes to itself",
    caughtBy: ["one handle acknowledged", "all get a number"],
    hooks: (() => {
      const hooks = soundHooks();
      return { ...hooks, reopen: async (place) => soundHooks().create(place) };
    })(),
  },
  {
    suite: "durability",
    name: "is empty when it is opened again",
    caughtBy: ["are there after reopening", "numbers and versions go on", "erasures, tombstones"],
    hooks: { ...soundHooks(), reopen: (place) => soundHooks().create(place) },
  },
  {
    suite: "durability",
    name: "keeps its leases in the process",
    caughtBy: ["leases, watermarks"],
    hooks: (() => {
      const hooks = soundHooks();
      let opened = 0;
      return {
        ...hooks,
        async reopen(place) {
          const store = await hooks.reopen(place);
          opened += 1;
          const holder = `process ${opened}`;
          return handleOf({
            ...store,
            claimWork: (owner, claim, options) => store.claimWork(owner, { ...claim, holder: "w1" }, options),
            claimLease: (owner, lease, options) =>
              store.claimLease(owner, { ...lease, name: `${lease.name} ${holder}` }, options),
          });
        },
      };
    })(),
  },

  {
    suite: "raw bytes",
    name: "leaves what was erased in its log",
    caughtBy: ["erased conversation", "erased subject", "erased fact", "rewritten turn", "deleted records"],
    hooks: (() => {
      const logs: Uint8Array[] = [];
      const log = (entry: unknown): void => {
        logs.push(new TextEncoder().encode(JSON.stringify(entry)));
      };
      const hooks = soundHooks((store) => ({
        ...store,
        commitTurn(owner, write, options) {
          log(write);
          return store.commitTurn(owner, write, options);
        },
        commitFacts(owner, commit, options) {
          log(commit);
          return store.commitFacts(owner, commit, options);
        },
        commitRecords(owner, commits, options) {
          log(commits);
          return store.commitRecords(owner, commits, options);
        },
      }));
      return { ...hooks, peek: async (directory) => [...(await hooks.peek(directory)), ...logs] };
    })(),
  },
  {
    suite: "raw bytes",
    name: "has nothing to look at",
    caughtBy: ["erased conversation"],
    hooks: { ...soundHooks(), peek: () => [] },
  },

  broken("keyword", "indexes from anywhere", "refused whole", (store) => ({
    ...store,
    keyword: store.keyword && {
      ...store.keyword,
      async index(owner, batch, options) {
        const row = await store.readConversation(owner, options);
        return store.keyword?.index(owner, { ...batch, after: row?.watermarks.index ?? 0 }, options) ?? false;
      },
    },
  })),
  broken("keyword", "counts after filtering", "leave the statistics as they are", (store) => ({
    ...store,
    keyword: store.keyword && {
      ...store.keyword,
      async postings(owner, scope, query, options) {
        const postings = (await store.keyword?.postings(owner, scope, query, options)) ?? NO_POSTINGS;
        return {
          ...postings,
          terms: postings.terms.map((term) => ({ ...term, documentFrequency: term.documents.length })),
        };
      },
    },
  })),
  broken("keyword", "searches every subject", ["each scope holds its own", "restamped turn"], (store) => ({
    ...store,
    keyword: store.keyword && {
      ...store.keyword,
      postings: (owner, _scope, query, options) =>
        store.keyword?.postings(owner, { kind: "agent" }, query, options) ?? Promise.reject(new Error("no index")),
    },
  })),
  broken("keyword", "finds what is hidden", ["hidden turns are neither", "while it was being indexed"], (store) => ({
    ...store,
    changeTurns: (owner, changes, options) =>
      store.changeTurns(
        owner,
        changes.filter((change) => change.action !== "hide"),
        options,
      ),
  })),
  broken("keyword", "folds case and accents of terms", "hostile terms are exact", (store) => ({
    ...store,
    keyword: store.keyword && {
      ...store.keyword,
      index: (owner, batch, options) =>
        store.keyword?.index(
          owner,
          {
            ...batch,
            documents: batch.documents.map((document) => ({
              ...document,
              terms: document.terms.map(
                ([term, frequency]) => [term.normalize("NFC").toLowerCase(), frequency] as const,
              ),
            })),
          },
          options,
        ) ?? Promise.resolve(false),
    },
  })),

  broken("ranking", "weighs every term alike", "ranks as core does", (store) => ({
    ...store,
    keyword: store.keyword && {
      ...store.keyword,
      async postings(owner, scope, query, options) {
        const postings = (await store.keyword?.postings(owner, scope, query, options)) ?? NO_POSTINGS;
        const terms = postings.terms.map((term) => ({
          ...term,
          frequencies: term.frequencies.map(() => 1),
          documentFrequency: 1,
        }));
        return { ...postings, terms };
      },
    },
  })),
  broken("ranking", "says that everything is indexed", "isn't indexed yet", (store) => ({
    ...store,
    keyword: store.keyword && { ...store.keyword, behind: async () => [] },
  })),

  broken("properties", "cuts the window one turn short", "longest run of newest turns", (store) => ({
    ...store,
    readContext: (owner, query, options) =>
      store.readContext(
        owner,
        { ...query, window: query.window && { ...query.window, maxTokens: query.window.maxTokens - 1 } },
        options,
      ),
  })),
  broken("properties", "mends texts and ids", "random ids stay apart", (store) => ({
    ...store,
    commitTurn: (owner, write, options) =>
      store.commitTurn(
        owner,
        withText(write, (text) => text.replaceAll("\u0000", " ").toWellFormed()),
        options,
      ),
  })),
  broken("properties", "takes a late summary of a turn that is gone", "random story", (store) => ({
    ...store,
    async commitSummary(owner, commit, options) {
      const result = await store.commitSummary(owner, commit, options);
      return result.status === "conflict" && commit.expectedVersion === 0
        ? { status: "committed", version: 1 }
        : result;
    },
  })),
];
