import type { MemoryStore } from "@throughline/core";
import { searchParts } from "../../src/store/suites/search-parts.ts";

/** The store with what a search reads in one call, put together from the calls for its parts. */
export function withSearchReads(store: MemoryStore): MemoryStore {
  return {
    ...store,
    readSearch: (owner, query) => searchParts(store, owner, query),
    async readHits(owner, { documents, places }) {
      const found = (await store.keyword?.documents(owner, documents)) ?? [];
      const turns = (await store.findTurns?.(owner, [...places, ...found])) ?? [];
      return { documents: found, turns };
    },
  };
}
