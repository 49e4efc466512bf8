import {
  BaseStore,
  type IndexConfig,
  type Item,
  type ListNamespacesOperation,
  type Operation,
  type OperationResults,
  type PutOperation,
  type SearchItem,
  type SearchOperation,
  validateNamespace,
} from "@langchain/langgraph-checkpoint";
import { type Json, type Memory, MemoryError, type RecordRow } from "@throughline/core";
import { matchesFilter } from "./convert/store-filter.ts";
import { commonPrefix, compareNamespaces, fromStoreLabel, matchesCondition } from "./convert/store-namespace.ts";
import { textsAt } from "./convert/store-texts.ts";
import { cosine, hybridScore, packVectors, unpackVectors, withoutUndefined } from "./convert/store-vectors.ts";
import { createFactItems, type FactItems } from "./fact-items.ts";

/** Options of the store. */
export interface StoreOptions {
  /** Embeds what is put, so that a `query` finds by meaning as well as by words. */
  index?: IndexConfig;
  /** Minutes after which an item is gone, counted from its last put. @default never */
  ttl?: number;
  /** Whose data a namespace holds: erased with that person. @default nobody's */
  subjectOf?(namespace: string[]): string | undefined;
  /** First label under which facts are read: `[facts, storeLabel(subject)]`. @default facts are not shown */
  facts?: string;
}

/** Options of one put outside of a graph. */
export interface StorePutOptions {
  /** Minutes. @default the store's */
  ttl?: number;
}

type Searched = SearchItem & { namespace: string[] };

/** Where the items are among the memory's records, and where their vectors. */
const [ITEMS, VECTORS] = ["langgraph.items", "langgraph.vectors"];
const PAGE = 500;
const MAX_MATCHES = 10_000;

/** LangGraph's store over the memory's records. Made by {@link createStore}. */
export class MemoryBaseStore extends BaseStore {
  readonly #memory: Memory;
  readonly #options: StoreOptions;
  readonly #facts: FactItems | undefined;

  constructor(memory: Memory, options: StoreOptions) {
    super();
    this.#memory = memory;
    this.#options = options;
    if (options.facts !== undefined) this.#facts = createFactItems(memory, options.facts, fromStoreLabel);
  }

  /** Any label will do here; nodes and tools reach the store through LangGraph, which takes fewer: see `storeLabel`. */
  override async get(namespace: string[], key: string): Promise<Item | null> {
    const [item = null] = await this.batch([{ namespace, key }]);
    return item;
  }

  override async search(namespacePrefix: string[], options: Omit<SearchOperation, "namespacePrefix"> = {}) {
    const [items = []] = await this.batch([{ namespacePrefix, ...options }]);
    return items;
  }

  override async put(
    namespace: string[],
    key: string,
    value: Item["value"],
    index?: false | string[],
    { ttl }: StorePutOptions = {},
  ): Promise<void> {
    await this.batch([
      { namespace, key, value, ...(index !== undefined && { index }), ...(ttl !== undefined && { ttl }) },
    ]);
  }

  override async delete(namespace: string[], key: string): Promise<void> {
    await this.batch([{ namespace, key, value: null }]);
  }

  /** Reads see what was there before the writes; of several writes of one key the last one counts. */
  async batch<Operations extends Operation[]>(operations: Operations): Promise<OperationResults<Operations>> {
    const writes = new Map<string, PutOperation & StorePutOptions>();
    for (const operation of operations) {
      if (!isPut(operation)) continue;
      this.#checkWritable(operation.namespace);
      writes.set(JSON.stringify([operation.namespace, operation.key]), operation);
    }
    const answers = await Promise.all(operations.map((operation) => this.#read(operation)));
    for (const write of writes.values()) await this.#write(write);
    // Each operation was told apart by the members that its type names.
    return answers as OperationResults<Operations>;
  }

  async #read(operation: Operation): Promise<Item | SearchItem[] | string[][] | null | undefined> {
    if (isPut(operation)) return undefined;
    if ("namespacePrefix" in operation) {
      const ofFacts = this.#facts?.owns(operation.namespacePrefix);
      return ofFacts ? this.#facts?.search(operation) : this.#search(operation);
    }
    if (!("key" in operation)) return this.#listNamespaces(operation);
    const { namespace, key } = operation;
    if (this.#facts?.owns(namespace)) return this.#facts.get(namespace, key);
    const row = namespace.length === 0 ? null : await this.#records(ITEMS, namespace).get(key);
    return row && itemOf(row);
  }

  #records(root: string, namespace: readonly string[]) {
    return this.#memory.records([root, ...namespace]);
  }

  async #write({
    namespace,
    key,
    value,
    index,
    ttl = this.#options.ttl,
  }: PutOperation & StorePutOptions): Promise<void> {
    const items = this.#records(ITEMS, namespace);
    const vectors = this.#records(VECTORS, namespace);
    if (value === null) {
      await items.delete(key);
      // A store of another process may have an index.
      await vectors.delete(key);
      return;
    }
    const subject = this.#options.subjectOf?.(namespace);
    const options = {
      ...(ttl === undefined ? {} : { ttl: ttl * 60_000 }),
      ...(subject === undefined ? {} : { subject }),
    };
    const texts =
      this.#options.index && index !== false ? textsAt(value, index ?? this.#options.index.fields ?? ["$"]) : [];
    // Embedded first: an item is not stored without the vectors that were asked for.
    const embedded = texts.length === 0 ? [] : ((await this.#options.index?.embeddings.embedDocuments(texts)) ?? []);
    // Core looks at what it is given, and refuses what isn't JSON.
    const { version } = await items.put(key, withoutUndefined(value) as Json, options);
    if (embedded.length > 0) await vectors.put(key, { version, vectors: packVectors(embedded) }, options);
  }

  async *#rows(root: string, prefix: readonly string[]): AsyncGenerator<RecordRow> {
    for (let offset = 0; ; offset += PAGE) {
      const page = await this.#records(root, prefix).list({ limit: PAGE, offset });
      yield* page;
      if (page.length < PAGE) return;
    }
  }

  async #search({ namespacePrefix, filter, limit = 10, offset = 0, query }: SearchOperation): Promise<Searched[]> {
    if (query !== undefined && query !== "") {
      const ranked = await this.#rank(namespacePrefix, query);
      return ranked.filter(({ value }) => matchesFilter(value as Json, filter)).slice(offset, offset + limit);
    }
    if (filter === undefined) {
      return (await this.#records(ITEMS, namespacePrefix).list({ limit, offset })).map(itemOf);
    }
    const found: Searched[] = [];
    for await (const row of this.#rows(ITEMS, namespacePrefix)) {
      if (matchesFilter(row.value, filter)) found.push(itemOf(row));
      if (found.length >= offset + limit) break;
    }
    return found.slice(offset);
  }

  /** By the words, and by the meaning where there is an index; the best first. */
  async #rank(prefix: readonly string[], query: string): Promise<Searched[]> {
    const words = await this.#records(ITEMS, prefix).search(query, { limit: MAX_MATCHES });
    const { index } = this.#options;
    if (index === undefined) return words.map((row) => ({ ...itemOf(row), score: row.score }));
    const asked = await index.embeddings.embedQuery(query);
    const packed = new Map<string, Json>();
    for await (const row of this.#rows(VECTORS, prefix)) packed.set(placeOf(row), row.value);
    const scores = new Map(words.map((row) => [placeOf(row), row.score]));
    const best = Math.max(0, ...scores.values());
    const found: (Searched & { score: number })[] = [];
    for await (const row of this.#rows(ITEMS, prefix)) {
      const vectors = unpackVectors(packed.get(placeOf(row)) ?? null, row.version);
      const near = vectors.length === 0 ? undefined : Math.max(...vectors.map((vector) => cosine(asked, vector)));
      const ofWords = scores.get(placeOf(row));
      if (near === undefined && ofWords === undefined) continue;
      found.push({ ...itemOf(row), score: hybridScore(ofWords, best, near) });
    }
    return found.sort((one, other) => other.score - one.score);
  }

  async #listNamespaces(operation: ListNamespacesOperation): Promise<string[][]> {
    const { matchConditions = [], maxDepth, limit = 100, offset = 0 } = operation;
    const found = new Map<string, string[]>();
    for await (const { namespace } of this.#rows(ITEMS, commonPrefix(matchConditions))) {
      const labels = namespace.slice(1);
      if (!matchConditions.every((condition) => matchesCondition(labels, condition))) continue;
      const shown = labels.slice(0, maxDepth);
      found.set(JSON.stringify(shown), shown);
    }
    return [...found.values()].sort(compareNamespaces).slice(offset, offset + limit);
  }

  #checkWritable(namespace: string[]): void {
    if (namespace.length === 0 || namespace[0] === "langgraph") validateNamespace(namespace);
    if (!this.#facts?.owns(namespace)) return;
    throw new MemoryError(
      "INVALID_ARGUMENT",
      `Facts are read under "${namespace[0]}", not written; use the memory's tools, or subject(id).remember.`,
    );
  }
}

const isPut = (operation: Operation): operation is PutOperation => "value" in operation;

const placeOf = ({ namespace, key }: RecordRow): string => JSON.stringify([namespace.slice(1), key]);

const itemOf = ({ namespace, key, value, createdAt, updatedAt }: RecordRow): Item => ({
  // What was put was an object.
  value: value as Item["value"],
  key,
  namespace: namespace.slice(1),
  createdAt: new Date(createdAt),
  updatedAt: new Date(updatedAt),
});

/**
 * LangGraph's long-term store on the memory's own: what nodes and tools put is kept as given, under exact namespaces, in
 * the database that the memory uses.
 *
 * @example
 * const graph = builder.compile({ store: createStore(memory) });
 */
export function createStore(memory: Memory, options: StoreOptions = {}): MemoryBaseStore {
  return new MemoryBaseStore(memory, options);
}
