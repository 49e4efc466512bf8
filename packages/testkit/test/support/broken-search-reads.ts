import type { MemoryStore, SearchQuery, SearchRows } from "@throughline/core";
import { type BrokenStore, broken } from "./broken-store.ts";
import { withSearchReads } from "./search-reads.ts";

/** A store whose one trip asks for something else, or answers something else. */
const reading =
  (ask: (query: SearchQuery) => SearchQuery, tell: (rows: SearchRows) => SearchRows = (rows) => rows) =>
  (store: MemoryStore): MemoryStore => {
    const sound = withSearchReads(store);
    return { ...sound, readSearch: async (owner, query) => tell((await sound.readSearch?.(owner, ask(query))) ?? {}) };
  };
const asking = (query: SearchQuery): SearchQuery => query;

/** Stores that break what is said of a search's reading. */
export const BROKEN_SEARCH_READS: readonly BrokenStore[] = [
  broken(
    "search reads",
    "takes every subject for an identity",
    "takes an identity",
    reading((query) => ({ ...query, resolve: true })),
  ),
  broken(
    "search reads",
    "takes no identity for its subject",
    "takes an identity",
    reading(({ resolve: _resolve, ...query }) => query),
  ),
  broken(
    "search reads",
    "narrows no words",
    "by every filter",
    reading(({ words, ...query }) => {
      if (words === undefined) return query;
      const { terms, groups, unindexed } = words;
      return { ...query, words: { terms, groups, unindexed } };
    }),
  ),
  broken(
    "search reads",
    "forgets turns that no index holds",
    ["every part", "unindexed turns"],
    reading(asking, (rows) => (rows.unindexed === undefined ? rows : { ...rows, unindexed: [] })),
  ),
  broken(
    "search reads",
    "answers all turns that no index holds",
    "no more unindexed turns",
    reading((query) =>
      query.words === undefined ? query : { ...query, words: { ...query.words, unindexed: 1_000_000 } },
    ),
  ),
  broken("search reads", "reads facts of all that is shared with the conversation's", "every part", (store) => {
    const sound = withSearchReads(store);
    return {
      ...sound,
      readSearch: async (owner, query) => {
        const rows = (await sound.readSearch?.(owner, query)) ?? {};
        if (query.facts === undefined) return rows;
        const apps = { ...owner, scope: "app", id: "" } as const;
        const sets = await store.readFacts([apps], { now: query.now, limit: query.facts.limit });
        return { ...rows, facts: [...(rows.facts ?? []), ...sets.flatMap(({ facts }) => facts)] };
      },
    };
  }),
  broken("search reads", "reads for the agent alone, whatever the tenant", "within tenant and agent", (store) => {
    const sound = withSearchReads(store);
    return {
      ...sound,
      readSearch: async (owner, query) => (await sound.readSearch?.({ ...owner, tenant: "acme" }, query)) ?? {},
    };
  }),
  broken("search reads", "finds hits by conversation and turn only", "documents with their turns", (store) => {
    const sound = withSearchReads(store);
    return {
      ...sound,
      readHits: async (owner, { documents, places }) => {
        const asked = places.map(({ conversation, turn }) => ({ conversation, turn }));
        return (await sound.readHits?.(owner, { documents, places: asked })) ?? { documents: [], turns: [] };
      },
    };
  }),
];
