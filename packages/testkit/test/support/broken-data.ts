import { ALWAYS, type BrokenStore, broken } from "./broken-store.ts";

/** Stores that break what is said of facts, records, items, work and erasing. */
export const BROKEN_DATA: readonly BrokenStore[] = [
  broken("facts", "forgets to compare versions", "a version that is over", (store) => ({
    ...store,
    async commitFacts(owner, commit, options) {
      const [set] = await store.readFacts([owner], { now: commit.now, limit: 1 }, options);
      return store.commitFacts(owner, { ...commit, expectedVersion: set?.version ?? 0 }, options);
    },
  })),
  broken("facts", "expires in a sweep only", "an expired fact is not read", (store) => ({
    ...store,
    readFacts: (owners, query, options) => store.readFacts(owners, { ...query, now: "" }, options),
  })),
  broken("facts", "overwrites what is superseded", ["a superseded value is history", "as of a moment"], (store) => ({
    ...store,
    commitFacts: (owner, commit, options) =>
      store.commitFacts(owner, { ...commit, put: commit.put.filter((fact) => fact.validTo === undefined) }, options),
    readFacts: (owners, { history: _history, ...query }, options) => store.readFacts(owners, query, options),
  })),
  broken("facts", "lets forgotten values back in", "a tombstone refuses", (store) => ({
    ...store,
    commitFacts: (owner, { unlessTombstoned: _hashes, ...commit }, options) =>
      store.commitFacts(owner, commit, options),
  })),
  broken("facts", "answers tombstones as they were added", "tombstones are read in order", (store) => {
    const added: string[] = [];
    return {
      ...store,
      commitFacts(owner, commit, options) {
        added.push(...(commit.tombstones?.add ?? []));
        return store.commitFacts(owner, commit, options);
      },
      readTombstones: async () => [...added],
    };
  }),
  broken("facts", "runs an operation twice", "the same operation again", (store) => ({
    ...store,
    commitFacts: (owner, { operation: _operation, ...commit }, options) => store.commitFacts(owner, commit, options),
  })),

  broken("records", "matches namespaces as text", "whole labels", (store) => ({
    ...store,
    async readRecords(owner, query, options) {
      const all = await store.readRecords(owner, { ...query, namespace: [], keys: undefined, limit: 1_000 }, options);
      const prefix = query.namespace.join("/");
      return all.filter((record) => record.namespace.join("/").startsWith(prefix));
    },
  })),
  broken("records", "applies commits one by one", "together or not at all", (store) => ({
    ...store,
    async commitRecords(owner, commits, options) {
      const versions: number[] = [];
      for (const [index, commit] of commits.entries()) {
        const result = await store.commitRecords(owner, [commit], options);
        if (result.status === "conflict") return { ...result, index };
        versions.push(...result.versions);
      }
      return { status: "committed", versions };
    },
  })),
  broken("records", "reads what has expired", "an expired record is not there", (store) => ({
    ...store,
    readRecords: (owner, query, options) => store.readRecords(owner, { ...query, now: "" }, options),
  })),

  broken("items", "matches prefixes as patterns", "deletes take exactly what they name", (store) => ({
    ...store,
    async commitItems(owner, commits, options) {
      for (const commit of commits) {
        if (!(await store.commitItems(owner, [commit], options))) return false;
        if (commit.action === "delete-prefix") {
          const under = commit.prefix.replace(/:$/, "_");
          await store.commitItems(owner, [{ action: "delete-prefix", prefix: under }], options);
        }
      }
      return true;
    },
  })),
  broken("items", "sorts keys as people do", ["sorted by key", "hostile keys"], (store) => ({
    ...store,
    async readItems(owner, query, options) {
      const items = await store.readItems(owner, query, options);
      return items.sort((left, right) => left.key.localeCompare(right.key, "en"));
    },
  })),
  broken("items", "overwrites in spite of ifAbsent", "ifAbsent leaves", (store) => ({
    ...store,
    commitItems: (owner, commits, options) =>
      store.commitItems(
        owner,
        commits.map((commit) => (commit.action === "put" ? { ...commit, ifAbsent: false } : commit)),
        options,
      ),
  })),

  broken("work", "leases the same work to everybody", ["nobody else's", "has one holder"], (store) => ({
    ...store,
    claimWork: (owner, claim, options) => store.claimWork(owner, { ...claim, holder: "anybody" }, options),
    claimLease: (owner, lease, options) => store.claimLease(owner, { ...lease, holder: "anybody" }, options),
  })),
  broken("work", "takes a conversation for the one before it", "begun anew under its id", (store) => ({
    ...store,
    settleWork: (owner, { createdAt: _createdAt, ...settlement }, options) =>
      store.settleWork(owner, settlement, options),
  })),
  broken("work", "takes watermarks back", "watermarks never go back", (store) => {
    const given = new Map<string, Record<string, number>>();
    return {
      ...store,
      async settleWork(owner, settlement, options) {
        given.set(owner.conversation, { ...given.get(owner.conversation), ...settlement.watermarks });
        await store.settleWork(owner, settlement, options);
      },
      async readConversation(owner, options) {
        const row = await store.readConversation(owner, options);
        return row && { ...row, watermarks: { ...row.watermarks, ...given.get(owner.conversation) } };
      },
    };
  }),

  broken(
    "erase",
    "lets late turns resurrect what was erased",
    ["began by the time", "in every conversation"],
    (store) => ({
      ...store,
      commitTurn: (owner, write, options) =>
        store.commitTurn(owner, { ...write, turn: { ...write.turn, startedAt: ALWAYS } }, options),
    }),
  ),
  broken("erase", "refuses turns that began before anybody's erasure", "isn't theirs any more", (store) => {
    let erased = "";
    return {
      ...store,
      async erase(owner, target, options) {
        erased = options.now;
        return store.erase(owner, target, options);
      },
      commitTurn: async (owner, write, options) =>
        write.turn.startedAt <= erased ? { status: "erased" } : store.commitTurn(owner, write, options),
    };
  }),
  broken("erase", "leaves a subject's records", "erasing a subject removes all", (store) => ({
    ...store,
    commitRecords: (owner, commits, options) =>
      store.commitRecords(
        owner,
        commits.map(({ subject: _subject, ...commit }) => commit),
        options,
      ),
  })),
  broken("erase", "takes late facts", "late facts of what was erased", (store) => ({
    ...store,
    commitFacts: (owner, { beganAt: _beganAt, ...commit }, options) => store.commitFacts(owner, commit, options),
  })),
  broken("erase", "takes late items", "late items of an erased", (store) => ({
    ...store,
    commitItems: (owner, commits) => store.commitItems(owner, commits),
  })),
  broken("erase", "counts nothing", "removes all of it, counts it", (store) => ({
    ...store,
    async erase(owner, target, options) {
      await store.erase(owner, target, options);
      return { removed: {}, residue: [] };
    },
  })),

  broken("identities", "knows no identity while writing", ["filed under the subject", "unlinking splits"], (store) => ({
    ...store,
    commitTurn: (owner, write, options) =>
      store.commitTurn(
        owner,
        write.subject?.includes("@") ? { ...write, subject: `${write.subject} ` } : write,
        options,
      ),
  })),
  broken("identities", "shares identities among agents", "one tenant and agent", (store) => ({
    ...store,
    linkIdentity: async (owner, link, options) => {
      await store.linkIdentity(owner, link, options);
      await store.linkIdentity({ ...owner, agent: "helper2" }, link, options);
    },
  })),
  broken("identities", "forgets whose identities were erased", "late turns under them", (store) => ({
    ...store,
    async erase(owner, target, options) {
      const links = target.kind === "subject" ? await store.listIdentities(owner, { subject: target.subject }) : [];
      for (const { identity } of links) await store.unlinkIdentity(owner, identity);
      const receipt = await store.erase(owner, target, options);
      return { ...receipt, removed: { ...receipt.removed, identities: links.length } };
    },
  })),
  broken("purge", "takes more than its limit", "the limit bounds", (store) => ({
    ...store,
    purgeExpired: (owner, query, options) => store.purgeExpired(owner, { ...query, limit: 1_000 }, options),
  })),
  broken("purge", "purges what is still live", ["others stay", "held ones stay held"], (store) => ({
    ...store,
    purgeExpired: (owner, query, options) => store.purgeExpired(owner, { ...query, now: ALWAYS }, options),
  })),
];
