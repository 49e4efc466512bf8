import { BROKEN_CHECKPOINTS } from "./broken-checkpoints.ts";
import { BROKEN_CONVERSATIONS } from "./broken-conversations.ts";
import { BROKEN_DATA } from "./broken-data.ts";
import { BROKEN_SEARCH_READS } from "./broken-search-reads.ts";
import type { BrokenStore } from "./broken-store.ts";
import { BROKEN_VECTORS } from "./broken-vectors.ts";
import { BROKEN_WHOLES } from "./broken-wholes.ts";
import { BROKEN_WORK_TRIPS } from "./broken-work-trips.ts";

/** At least one for every suite. */
export const BROKEN_STORES: readonly BrokenStore[] = [
  ...BROKEN_CONVERSATIONS,
  ...BROKEN_DATA,
  ...BROKEN_CHECKPOINTS,
  ...BROKEN_WHOLES,
  ...BROKEN_VECTORS,
  ...BROKEN_SEARCH_READS,
  ...BROKEN_WORK_TRIPS,
];
