export { endOfPrefix, labelsOfNamespaceKey, namespaceKey, sortKey, textOfSortKey } from "./sort-key.ts";
