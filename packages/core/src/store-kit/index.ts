export { sameWords } from "../conversation/same-words.ts";
export { compareNear } from "../search/compare-near.ts";
export { checkVectors, dotProduct } from "../search/vector-math.ts";
export { endOfPrefix, labelsOfNamespaceKey, namespaceKey, sortKey, textOfSortKey } from "./sort-key.ts";
