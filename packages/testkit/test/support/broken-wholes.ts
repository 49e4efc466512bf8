import { inMemoryStore, type KeywordDocument, type MemoryStore } from "@throughline/core";
import { type BrokenStore, broken, later, withFollowing, withTerms, withText } from "./broken-store.ts";
import { handleOf } from "./keyword-overlay.ts";
import { soundHooks } from "./sound-store.ts";

const hidesNothing = (store: MemoryStore): MemoryStore => ({
  ...store,
  changeTurns: (owner, changes, options) =>
    store.changeTurns(
      owner,
      changes.filter((change) => change.action !== "hide"),
      options,
    ),
});

/** Stores that break what is said of the store as a whole, and of searching. */
export const BROKEN_WHOLES: readonly BrokenStore[] = [
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
    caughtBy: ["erased conversation", "erased subject", "erased fact", "rewritten turn", "deleted record"],
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
  broken("raw bytes", "keeps what a fact quoted before", "taken out of a fact", (store) => {
    const quotes = new Map<string, string>();
    return {
      ...store,
      commitFacts(owner, commit, options) {
        const put = commit.put.map((fact) => {
          const quote = fact.source?.quote ?? quotes.get(fact.id);
          if (fact.source === undefined || quote === undefined) return fact;
          quotes.set(fact.id, quote);
          return { ...fact, source: { ...fact.source, quote } };
        });
        return store.commitFacts(owner, { ...commit, put }, options);
      },
    };
  }),
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
  broken("keyword", "takes a conversation for the one before it", "begun anew under its id", (store) => ({
    ...store,
    keyword: store.keyword && {
      ...store.keyword,
      index: (owner, { createdAt: _createdAt, ...batch }, options) =>
        store.keyword?.index(owner, batch, options) ?? Promise.resolve(false),
    },
  })),
  broken("keyword", "takes what a message said for another one's words", "erased from a hidden turn", (store) => ({
    ...store,
    keyword: store.keyword && {
      ...store.keyword,
      async index(owner, batch, options) {
        const documents: KeywordDocument[] = [];
        for (const document of batch.documents) {
          const [turn] = await store.readTurns(owner, { ids: [document.turn], limit: 1, hidden: true });
          const isHeld = turn?.messages.some(({ id }) => id === document.message) ?? true;
          documents.push(isHeld ? document : { ...document, message: turn?.messages[0]?.id ?? document.message });
        }
        return store.keyword?.index(owner, { ...batch, documents }, options) ?? false;
      },
    },
  })),
  broken("keyword", "rewrites a turn and leaves it out of the index", "what it brings along", (store) => ({
    ...store,
    changeTurns: (owner, changes, options) =>
      store.changeTurns(
        owner,
        changes.map((change) => (change.action === "rewrite" ? { ...change, documents: [] } : change)),
        options,
      ),
  })),
  broken("keyword", "counts after filtering", "leave the statistics as they are", (store) =>
    withTerms(store, (term) => ({ ...term, documentFrequency: term.documents.length })),
  ),
  broken("keyword", "numbers the conversations anew in each term", "as behind numbers them", (store) =>
    withTerms(store, (term) => ({ ...term, conversations: term.documents.map((_, index) => 1_000_000 + index) })),
  ),
  broken("keyword", "keeps one document of a message", "may be several documents", (store) => ({
    ...store,
    keyword: store.keyword && {
      ...store.keyword,
      index(owner, batch, options) {
        const documents = batch.documents.filter(
          ({ turn, message }, index) =>
            batch.documents.findIndex((other) => other.turn === turn && other.message === message) === index,
        );
        return store.keyword?.index(owner, { ...batch, documents }, options) ?? Promise.reject(new Error("no index"));
      },
    },
  })),
  broken("keyword", "indexes what fits one portion", "very many words", (store) => ({
    ...store,
    keyword: store.keyword && {
      ...store.keyword,
      index(owner, batch, options) {
        const documents = batch.documents.map((document) => ({ ...document, terms: document.terms.slice(0, 256) }));
        return store.keyword?.index(owner, { ...batch, documents }, options) ?? Promise.reject(new Error("no index"));
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
  broken("following", "looks behind documents of every subject", "out of the scope", (store) =>
    withFollowing(
      store,
      (following) =>
        (owner, _scope, ...rest) =>
          following(owner, { kind: "agent" }, ...rest),
    ),
  ),
  broken("following", "knows no filters", "passes the filters", (store) =>
    withFollowing(
      store,
      (following) =>
        (owner, scope, { groups, documents, turns }, ...rest) =>
          following(owner, scope, { groups, documents, turns }, ...rest),
    ),
  ),
  broken("following", "looks one document too far", "stands the next one", (store) =>
    withFollowing(store, (following) => async (owner, scope, query, ...rest) => {
      const once = await following(owner, scope, query, ...rest);
      const documents = once.map(({ document }) => document);
      const twice = await following(owner, scope, { ...query, documents }, ...rest);
      return twice.map((next, index) => ({ ...next, behind: once[index]?.behind ?? next.behind }));
    }),
  ),
  broken("following", "looks as far as the conversation goes", "passes the filters", (store) =>
    withFollowing(
      store,
      (following) =>
        (owner, scope, query, ...rest) =>
          following(owner, scope, { ...query, turns: 1_000 }, ...rest),
    ),
  ),
  broken("following", "looks at whole messages only", "the next piece", (store) =>
    withFollowing(
      store,
      (following) =>
        async (...asked) =>
          (await following(...asked)).filter(({ place }) => place % 8 === 0),
    ),
  ),
  broken("following", "looks behind what is hidden", "hidden and erased turns", hidesNothing),
  broken("keyword", "finds what is hidden", ["hidden turns are neither", "while it was being indexed"], hidesNothing),
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

  broken("ranking", "weighs every term alike", "ranks as core does", (store) =>
    withTerms(store, (term) => ({ ...term, frequencies: term.frequencies.map(() => 1), documentFrequency: 1 })),
  ),
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
