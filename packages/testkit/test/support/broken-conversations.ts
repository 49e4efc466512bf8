import type { TurnRow } from "@throughline/core";
import { type BrokenStore, broken, withOwners } from "./broken-store.ts";

/** Stores that break what is said of conversations and their turns. */
export const BROKEN_CONVERSATIONS: readonly BrokenStore[] = [
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
  broken("turns", "forgets why a turn failed", "as it was written", (store) => ({
    ...store,
    commitTurn(owner, write, options) {
      const { error: _error, ...turn } = write.turn;
      return store.commitTurn(owner, { ...write, turn }, options);
    },
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
  broken("turns", "finds turns under any number", "several conversations of one agent", (store) => ({
    ...store,
    findTurns: async (owner, places, options) =>
      (await store.findTurns?.(
        owner,
        places.map(({ seq: _seq, ...place }) => place),
        options,
      )) ?? [],
  })),
  broken("turns", "cuts numbers to whole ones where it finds turns", "takes any places", (store) => ({
    ...store,
    findTurns: async (owner, places, options) =>
      (await store.findTurns?.(
        owner,
        places.map(({ seq, ...place }) => (seq === undefined ? place : { ...place, seq: Math.trunc(seq) })),
        options,
      )) ?? [],
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
  broken("conversations", "keeps no track of former subjects", "somebody else's is found", (store) => ({
    ...store,
    listConversations: async (owner, { former, ...query }, options) =>
      former ? [] : store.listConversations(owner, query, options),
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
];
