import type { MemoryStore, NearMessage, VectorIndex, VectorModel } from "@throughline/core";
import { type BrokenStore, broken } from "./broken-store.ts";

/** The store with some methods of its index of vectors changed. */
function withVectors(store: MemoryStore, change: (vectors: VectorIndex) => Partial<VectorIndex>): MemoryStore {
  const { vectors } = store;
  if (vectors === undefined) throw new Error("A sound store has vectors.");
  return { ...store, vectors: { ...vectors, ...change(vectors) } };
}

/** Answers that are looked at again before they are given. */
const answering = (change: (found: NearMessage[]) => NearMessage[]) => (store: MemoryStore) =>
  withVectors(store, (vectors) => ({
    nearest: async (...given) => change(await vectors.nearest(...given)),
  }));

/** One model for all. */
const merged = ({ dimensions }: VectorModel): VectorModel => ({ modelId: "any", dimensions });

/** What a store wrote before: kept again whenever it is read. */
function resurrecting(store: MemoryStore): MemoryStore {
  const kept: NearMessage[] = [];
  return withVectors(store, (vectors) => ({
    async nearest(owner, scope, query, options) {
      const found = await vectors.nearest(owner, scope, query, options);
      const same =
        ({ conversation, message }: NearMessage) =>
        (other: NearMessage) =>
          other.conversation === conversation && other.message === message;
      for (const near of found) if (!kept.some(same(near))) kept.push(near);
      return [...found, ...kept.filter((near) => !found.some(same(near)))];
    },
  }));
}

/** Stores that break what is said of vectors. */
export const BROKEN_VECTORS: readonly BrokenStore[] = [
  broken(
    "vector search",
    "misses a neighbour",
    "an exact reference",
    answering((found) => found.toSpliced(1, 1)),
  ),
  broken(
    "vector search",
    "answers in any order",
    ["an exact reference", "limit and floor"],
    answering((found) => found.toReversed()),
  ),
  broken(
    "vector search",
    "answers distances",
    "an exact reference",
    answering((found) => found.map((near) => ({ ...near, score: 1 - near.score }))),
  ),
  broken("vector search", "ignores the floor", "limit and floor", (store) =>
    withVectors(store, (vectors) => ({
      nearest: (owner, scope, query, options) => vectors.nearest(owner, scope, { ...query, floor: -9 }, options),
    })),
  ),
  broken("vector search", "answers for everybody", ["each scope holds", "hostile ids"], (store) =>
    withVectors(store, (vectors) => ({
      nearest: (owner, _scope, query, options) => vectors.nearest(owner, { kind: "agent" }, query, options),
    })),
  ),
  broken("vector search", "folds the case of names", ["each scope holds", "hostile ids"], (store) =>
    withVectors(store, (vectors) => ({
      async nearest(owner, scope, query, options) {
        const found = await vectors.nearest(owner, { kind: "agent" }, query, options);
        if (scope.kind === "agent") return found;
        const name = scope.kind === "subject" ? scope.subject : scope.conversation;
        const of = ({ subject, conversation }: NearMessage) => (scope.kind === "subject" ? subject : conversation);
        return found.filter((near) => of(near)?.toLowerCase() === name.toLowerCase());
      },
    })),
  ),
  broken("vector search", "filters what it found already", "filters narrow", (store) =>
    withVectors(store, (vectors) => ({
      async nearest(owner, scope, { role, conversation, ...query }, options) {
        const found = await vectors.nearest(owner, scope, query, options);
        return found.filter(
          (near) => (role ?? near.role) === near.role && (conversation ?? near.conversation) === near.conversation,
        );
      },
    })),
  ),
  broken("vectors of turns", "takes a conversation for the one before it", "begun anew under its id", (store) =>
    withVectors(store, (vectors) => ({
      put: (owner, { createdAt: _createdAt, ...batch }, options) => vectors.put(owner, batch, options),
    })),
  ),
  broken("vector search", "mixes models", ["models and lengths"], (store) =>
    withVectors(store, (vectors) => ({
      put: (owner, batch, options) => vectors.put(owner, { ...batch, model: merged(batch.model) }, options),
      nearest: (owner, scope, query, options) =>
        vectors.nearest(owner, scope, { ...query, model: merged(query.model) }, options),
    })),
  ),
  broken(
    "vector search",
    "keeps a vector twice",
    "kept again is there once",
    answering((found) => found.flatMap((near) => [near, near])),
  ),
  broken("vector search", "keeps the first of two", "kept again is there once", (store) =>
    withVectors(store, (vectors) => ({
      async put(owner, { model, documents }, options) {
        const scope = { kind: "conversation", conversation: owner.conversation } as const;
        const query = { model, vector: new Float32Array(model.dimensions), limit: 99_999, floor: -9 };
        const found = new Set((await vectors.nearest(owner, scope, query)).map(({ message }) => message));
        const fresh = documents.filter(({ message }) => !found.has(message));
        return vectors.put(owner, { model, documents: fresh }, options);
      },
    })),
  ),
  broken("vector search", "takes any numbers", "numbers of every size", (store) =>
    withVectors(store, (vectors) => ({
      put: (owner, { model, documents }, options) => {
        const sound = documents.filter(
          ({ vector }) => vector.length === model.dimensions && vector.every(Number.isFinite),
        );
        return vectors.put(owner, { model, documents: sound }, options);
      },
    })),
  ),
  broken(
    "vector search",
    "scans a thousand",
    "two thousand vectors",
    answering((found) => found.slice(0, 1_000)),
  ),
  broken("vector search", "says nothing of itself", "says in words", (store) =>
    withVectors(store, () => ({ describe: async () => "" })),
  ),

  broken(
    "vectors of turns",
    "answers what it once had",
    ["hidden turns", "erased subject", "dropping takes"],
    resurrecting,
  ),
  broken("vectors of turns", "counts no vectors", ["conversation's vectors are gone and counted"], (store) => ({
    ...store,
    async erase(owner, target, options) {
      const { removed, residue } = await store.erase(owner, target, options);
      return { removed: { ...removed, vectors: 0 }, residue };
    },
  })),
  broken("vectors of turns", "takes late writes", ["while it was being embedded", "erased conversation"], (store) =>
    withVectors(store, (vectors) => ({
      async put(owner, batch, options) {
        await vectors.put(owner, batch, options);
        return batch.documents.length;
      },
    })),
  ),
  broken("vectors of turns", "drops a rewritten turn's", "a rewrite left out", (store) => ({
    ...store,
    async changeTurns(owner, changes, options) {
      const changed = await store.changeTurns(owner, changes, options);
      const turns = changes.filter(({ action }) => action === "rewrite").map(({ turn }) => turn);
      await store.vectors?.drop(owner, { turns });
      return changed;
    },
  })),
  broken("vectors of turns", "files under the conversation's subject", "a restamped turn's vector", (store) =>
    withVectors(store, (vectors) => ({
      async nearest(owner, scope, query, options) {
        const found = await vectors.nearest(owner, { kind: "agent" }, query, options);
        if (scope.kind !== "subject") return vectors.nearest(owner, scope, query, options);
        const rows = await store.listConversations(owner, { subject: scope.subject, limit: 99 });
        return found.filter(({ conversation }) => rows.some(({ id }) => id === conversation));
      },
    })),
  ),
  broken("vectors of turns", "searches behind what was cleared only", "clearing hides nothing", (store) =>
    withVectors(store, (vectors) => ({
      async nearest(owner, scope, query, options) {
        const rows = await store.listConversations(owner, { limit: 99 });
        const cleared = new Map(rows.map(({ id, clearedThrough }) => [id, clearedThrough]));
        const found = await vectors.nearest(owner, scope, query, options);
        return found.filter(({ conversation, seq }) => seq > (cleared.get(conversation) ?? 0));
      },
    })),
  ),
  broken("vectors of turns", "drops in a dry run", "dropping takes", (store) =>
    withVectors(store, (vectors) => ({
      drop: (owner, selection, { dryRun: _dryRun, ...options } = {}) => vectors.drop(owner, selection, options),
    })),
  ),
  broken("vectors of turns", "drops what all parts name", "dropping takes", (store) =>
    withVectors(store, (vectors) => ({
      drop: async (owner, selection, options) =>
        Object.keys(selection).length > 1 ? 0 : vectors.drop(owner, selection, options),
    })),
  ),
];
