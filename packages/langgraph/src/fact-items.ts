import type { Item, SearchItem, SearchOperation } from "@langchain/langgraph-checkpoint";
import type { Fact, Memory } from "@throughline/core";
import { matchesFilter } from "./convert/store-filter.ts";

/** Facts as a store's items. */
export interface FactItems {
  /** Is this the namespace of facts, or one below it? */
  owns(namespace: readonly string[]): boolean;
  get(namespace: readonly string[], key: string): Promise<Item | null>;
  search(operation: SearchOperation): Promise<SearchItem[]>;
}

/** Conversation that a search by words is asked in. It needs one, and this one is never written. */
const ASKING = "langgraph.facts";

/** Facts of one subject under `[root, label]`, by their keys, those without one by their ids. Read only. */
export function createFactItems(memory: Memory, root: string, subjectOf: (label: string) => string): FactItems {
  const factsOf = async ([, label, ...below]: readonly string[]): Promise<Fact[]> =>
    // No listing goes across people: it takes the label of one.
    label === undefined || below.length > 0 ? [] : memory.subject(subjectOf(label)).facts();

  return {
    owns: ([label]) => label === root,
    async get(namespace, key) {
      const fact = (await factsOf(namespace)).find((one) => (one.key ?? one.id) === key);
      return fact === undefined ? null : itemOf(fact, namespace);
    },
    async search({ namespacePrefix, filter, limit = 10, offset = 0, query }) {
      const [, label] = namespacePrefix;
      const all = await factsOf(namespacePrefix);
      const ranked =
        query && label !== undefined
          ? (await memory.conversation({ id: ASKING, subject: subjectOf(label) }).recall({ query, n: all.length || 1 }))
              .facts
          : all;
      return ranked
        .map((fact) => ({
          ...itemOf(fact, namespacePrefix),
          ...("score" in fact ? { score: fact.score as number } : {}),
        }))
        .filter(({ value }) => matchesFilter(value, filter))
        .slice(offset, offset + limit);
    },
  };
}

function itemOf(fact: Fact, namespace: readonly string[]): Item {
  const { id, key, topic, value, type, tags, scope, author, confidence } = fact;
  const members = Object.entries({ id, topic, value, type, tags, scope, author, confidence });
  return {
    key: key ?? id,
    namespace: [...namespace],
    value: Object.fromEntries(members.filter(([, member]) => member !== undefined)),
    createdAt: new Date(fact.createdAt),
    updatedAt: new Date(fact.updatedAt),
  };
}
