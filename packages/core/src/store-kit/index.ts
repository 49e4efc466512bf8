export { sameWords } from "../conversation/same-words.ts";
export { compareNear } from "../search/compare-near.ts";
export { noPostings } from "../search/no-postings.ts";
export { passesFilter } from "../search/vector-filter.ts";
export { checkVectors, dotProduct } from "../search/vector-math.ts";
export { contextFactOwners, matchesFactQuery } from "./fact-query.ts";
export { type HeldLease, isLeaseFree, leaseOf } from "./held-lease.ts";
export { compareNamespaces, compareText, compareUpdated, startsWithLabels } from "./orders.ts";
export { plainCopy } from "./plain-copy.ts";
export {
  isAnother,
  refusalOfFacts,
  refusalOfTurn,
  type StoredConversation,
  type StoredFacts,
  settledWork,
} from "./refusals.ts";
export { isLiveRecord, selectItemKeys, selectNamespaces, selectRecords } from "./select-records.ts";
export { endOfPrefix, labelsOfNamespaceKey, namespaceKey, sortKey, textOfSortKey } from "./sort-key.ts";
export { changeTurnRow, cutWindow, locateMessages } from "./turn-rows.ts";
export { BestBounds, type Candidate } from "./vectors/best-bounds.ts";
export { type CodePlace, type CodeRun, clearCodes, emptyRun, GONE, putCodes, readRun } from "./vectors/code-run.ts";
export { type QuantisedQuery, quantiseQuery } from "./vectors/quantise.ts";
export { type ScanFilter, scanArena } from "./vectors/scan-arena.ts";
export { jsKernel, type ScanKernel, wasmKernel } from "./vectors/scan-kernel.ts";
export type { VectorArena } from "./vectors/vector-arena.ts";
export { VectorArenas } from "./vectors/vector-arenas.ts";
