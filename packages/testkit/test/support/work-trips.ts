import type { MemoryStore } from "@throughline/core";
import { beginParts, finishParts } from "../../src/store/suites/work-parts.ts";

/** The store with work begun and ended in one call each, put together from the calls for their parts. */
export const withWorkTrips = (store: MemoryStore): MemoryStore => ({
  ...store,
  beginWork: (owner, begin) => beginParts(store, owner, begin),
  finishWork: (owner, result) => finishParts(store, owner, result),
});
