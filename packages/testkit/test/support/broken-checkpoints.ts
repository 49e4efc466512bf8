import type { CheckpointStore, MemoryStore } from "@throughline/core";
import { type BrokenStore, broken } from "./broken-store.ts";

type Change = (checkpoints: CheckpointStore, store: MemoryStore) => Partial<CheckpointStore>;

/** A store whose checkpoints are changed. */
function breaks(suite: string, name: string, caughtBy: string | readonly string[], change: Change): BrokenStore {
  return broken(suite, name, caughtBy, (store) => {
    const { checkpoints } = store;
    if (checkpoints === undefined) throw new Error("The sound store keeps checkpoints.");
    return { ...store, checkpoints: { ...checkpoints, ...change(checkpoints, store) } };
  });
}

/** Stores that break what is said of checkpoints. */
export const BROKEN_CHECKPOINTS: readonly BrokenStore[] = [
  breaks("checkpoints", "lets late checkpoints resurrect what was removed", "is late", (checkpoints) => ({
    put: (owner, write, options) => checkpoints.put(owner, { ...write, detached: true }, options),
  })),
  breaks(
    "checkpoints",
    "doesn't look at generations",
    ["is late", "makes numbers read before stale"],
    (checkpoints) => ({
      async put(owner, write, options) {
        const commit = await checkpoints.put(owner, write, options);
        if (commit.status !== "stale") return commit;
        return checkpoints.put(owner, { ...write, generation: commit.generation }, options);
      },
      putWrites: (owner, { generation: _generation, ...writes }, options) =>
        checkpoints.putWrites(owner, writes, options),
    }),
  ),
  breaks("checkpoints", "writes whatever is newest", "behind the newest one only", (checkpoints) => ({
    put: (owner, { ifNewest: _ifNewest, ...write }, options) => checkpoints.put(owner, write, options),
  })),
  breaks("checkpoints", "decides for a batch of writes as a whole", "each by itself", (checkpoints) => ({
    async putWrites(owner, given, options) {
      const row = await checkpoints.read(owner, { space: given.space, id: given.checkpoint }, options);
      const known = row?.writes.some((write) => write.task === given.task) === true;
      const all = given.writes.map((write) => ({ ...write, replaces: true }));
      return checkpoints.putWrites(owner, { ...given, writes: known ? all : given.writes }, options);
    },
  })),
  breaks("checkpoints", "keeps elements by their place", ["a fork keeps its own", "kept once"], (checkpoints) => {
    const first = new Map<string, string>();
    return {
      put: (owner, write, options) => {
        const values = write.values.map(({ name, value }) => {
          if (typeof value === "string") return { name, value };
          let place = 0;
          const segments = value.map((segment) => {
            if (typeof segment !== "string") {
              place = segment[0] + segment[1] - 1;
              return segment;
            }
            place += 1;
            const key = JSON.stringify([owner, name, place]);
            const kept = first.get(key) ?? segment;
            first.set(key, kept);
            return kept;
          });
          return { name, value: segments };
        });
        return checkpoints.put(owner, { ...write, values }, options);
      },
    };
  }),
  breaks("checkpoints", "lists as it finds them", "newest first", (checkpoints) => ({
    list: async (owner, query, options) => (await checkpoints.list(owner, query, options)).reverse(),
  })),
  breaks(
    "checkpoints",
    "follows the newest and not the parents",
    "follows the parents of one branch",
    (checkpoints) => ({
      async history(owner, query, options) {
        const rows = await checkpoints.list(
          owner,
          { ...owner, space: query.space, before: query.id, limit: 99 },
          options,
        );
        return query.names.map((name) => ({
          name,
          steps: rows.map((row) => row.writes.filter((write) => write.name === name)).reverse(),
        }));
      },
    }),
  ),
  breaks("checkpoints", "copies over what is there", "not overwritten", (checkpoints) => ({
    async copy(owner, to, options) {
      await checkpoints.remove({ ...owner, conversation: to.conversation }, undefined, options);
      return checkpoints.copy(owner, to, options);
    },
  })),
  breaks("checkpoints", "lists conversations without their subjects", "by subject and in pages", (checkpoints) => ({
    threads: async (owner, query, options) =>
      (await checkpoints.threads(owner, query, options)).map(({ subject: _subject, ...row }) => row),
  })),

  breaks(
    "checkpoint owners",
    "takes checkpoints of anybody",
    "belong to the conversation's subject",
    (checkpoints) => ({
      put: (owner, { subject: _subject, ...write }, options) => checkpoints.put(owner, write, options),
    }),
  ),
  broken(
    "checkpoint owners",
    "erases without checkpoints",
    ["takes its checkpoints along", "it had a part in"],
    (store) => {
      const kept = store.checkpoints;
      if (kept === undefined) throw new Error("The sound store keeps checkpoints.");
      return {
        ...store,
        async erase(owner, target, options) {
          const rows = await kept.threads(owner, { limit: 99 });
          for (const { conversation } of rows) {
            await kept.copy({ ...owner, conversation }, { conversation: `${conversation} kept`, now: options.now });
          }
          return store.erase(owner, target, options);
        },
      };
    },
  ),

  breaks(
    "lasting checkpoints",
    "looks at the newest first and writes later",
    "behind the newest one gets through",
    (checkpoints) => ({
      async put(owner, { ifNewest, ...write }, options) {
        if (ifNewest === true) {
          const newest = await checkpoints.read(owner, { space: write.space }, options);
          if (newest?.id !== write.parent) return { status: "behind" };
        }
        return checkpoints.put(owner, write, options);
      },
    }),
  ),
  broken("raw bytes of checkpoints", "keeps what was removed", "that were removed", (store) => {
    const { checkpoints } = store;
    if (checkpoints === undefined) throw new Error("The sound store keeps checkpoints.");
    return { ...store, checkpoints: { ...checkpoints, remove: async () => 0 } };
  }),
];
