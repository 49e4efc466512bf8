import type { AgentOwner, CheckpointStore, MemoryStore, SearchQuery } from "@throughline/core";
import { FILL_MODEL } from "./fill-tenants.ts";
import { at, factOf, turnOf } from "./rows.ts";

/** One call of a store, by name. */
export interface Operation {
  name: string;
  run(store: MemoryStore): Promise<unknown>;
}

/** Calls that run every statement of the store on a tenant of `fillTenants`. A round writes under names of its own. */
export function everyStatement(agent: AgentOwner, round: number): Operation[] {
  const chat = (conversation: string) => ({ ...agent, conversation });
  const owner = chat("c3");
  const facts = { ...agent, scope: "user", id: "s3" } as const;
  const window = { afterSummary: true, maxMessages: 20, maxTokens: 10_000 };
  const postings = { terms: ["w1", "w7", "w8", "w20", "w33", "w47"], groups: ["said"] as const };
  const subject = { kind: "subject", subject: "s1" } as const;
  const conversation = { kind: "conversation", conversation: "c3" } as const;
  const now = at(2);
  const word = {
    position: 0,
    place: 0,
    role: "user",
    createdAt: at(1),
    group: "said",
    length: 1,
    terms: [["w1", 1]],
  } as const;
  const near = { model: FILL_MODEL, vector: Float32Array.of(1, 0), limit: 5, floor: 0 };
  const message = {
    turn: "t5",
    seq: 5,
    position: 0,
    place: 0,
    message: "m11",
    role: "user",
    createdAt: at(1),
  } as const;
  const embedded = { ...message, vector: Float32Array.of(0, 1) };
  const whole = {
    now,
    words: { ...postings, unindexed: 10 },
    facts: { limit: 5 },
    records: { namespace: ["n"], keys: ["k"] },
  };
  const readSearch = async (store: MemoryStore, query: SearchQuery) => store.readSearch?.(agent, query);
  const one = (name: string, run: Operation["run"]): Operation => ({ name, run });
  return [
    one("begin", (store) => store.readContext(owner, { now, subject: "i3", window, facts: { limit: 12 } })),
    one("record", (store) => store.commitTurn(owner, turnOf(`new${round}`))),
    one("record the first turn", (store) => store.commitTurn(chat(`n${round}`), turnOf("t", { subject: "s1" }))),
    one("record in place of another", (store) =>
      store.commitTurn(owner, turnOf(`late${round}`, { hides: [`new${round}`] })),
    ),
    one("find messages", (store) => store.findMessages(owner, ["m3", "m4"])),
    one("read turns", (store) => store.readTurns(owner, { limit: 20, order: "newest" })),
    one("read turns by id", (store) => store.readTurns(owner, { ids: ["t3", "t4"], limit: 20 })),
    one("change turns", (store) =>
      store.changeTurns(owner, [
        { turn: `late${round}`, action: "hide" },
        { turn: `late${round}`, action: "show" },
        { turn: `late${round}`, action: "restamp", subject: "s2" },
      ]),
    ),
    one("change a conversation", (store) => store.changeConversation(owner, { now, title: "x" })),
    one("bind a conversation anew", (store) => store.changeConversation(chat("c4"), { now, subject: "s2" })),
    one("read a conversation", (store) => store.readConversation(owner)),
    one("list conversations", (store) => store.listConversations(agent, { limit: 5 })),
    one("list conversations: next page", (store) =>
      store.listConversations(agent, { limit: 5, after: { updatedAt: at(1), id: "c4" } }),
    ),
    one("list a subject's conversations", (store) => store.listConversations(agent, { subject: "s1", limit: 5 })),
    one("list a former subject's conversations", (store) =>
      store.listConversations(agent, { subject: "x3", former: true, limit: 5 }),
    ),
    one("fold: read", (store) => store.readSummaries(owner, { limit: 5 })),
    one("fold: write", async (store) => {
      const [latest] = await store.readSummaries(owner, { limit: 1 });
      const summary = { text: "x", through: 1, throughTurn: "t1", turns: 1, tokens: 1, createdAt: now };
      await store.commitSummary(owner, { expectedVersion: latest?.version ?? 0, now, summary });
    }),
    one("facts: read", (store) => store.readFacts([facts], { now, limit: 5 })),
    one("facts: read by key, type and tag", (store) =>
      store.readFacts([facts], { now, keys: ["k1"], type: "fact", tags: ["tag"], limit: 5 }),
    ),
    one("facts: read what was", (store) => store.readFacts([facts], { now, asOf: at(1), limit: 5 })),
    one("facts: write", async (store) => {
      const [set] = await store.readFacts([facts], { now, limit: 1 });
      const commit = { expectedVersion: set?.version ?? 0, now, put: [factOf("f1", "x")], beganAt: now };
      await store.commitFacts(facts, { ...commit, operation: { key: `op${round}`, result: "1" } });
    }),
    one("facts: tombstones", (store) => store.readTombstones(facts)),
    one("search a subject", async (store) => store.keyword?.postings(agent, subject, postings)),
    one("search a conversation", async (store) => store.keyword?.postings(agent, conversation, postings)),
    one("search an agent", async (store) => store.keyword?.postings(agent, { kind: "agent" }, postings)),
    one("search: what was found", async (store) => store.keyword?.documents(agent, [103, 104, 205])),
    one("search: what stands behind", async (store) =>
      store.keyword?.following(agent, subject, { groups: ["said"], documents: [103, 104, 205], turns: 4 }),
    ),
    one("search: not indexed, of a subject", async (store) => store.keyword?.behind(agent, subject, { limit: 5 })),
    one("search: not indexed, of a conversation", async (store) =>
      store.keyword?.behind(agent, conversation, { limit: 5 }),
    ),
    one("search: not indexed, of an agent", async (store) =>
      store.keyword?.behind(agent, { kind: "agent" }, { limit: 5 }),
    ),
    one("search: all that one begins with", (store) => readSearch(store, { ...whole, scope: subject, resolve: true })),
    one("search: all that one in a conversation begins with", (store) =>
      readSearch(store, { ...whole, scope: conversation }),
    ),
    one("search: hits", async (store) =>
      store.readHits?.(agent, { documents: [103, 104, 205], places: [{ conversation: "c3", turn: "t5", seq: 5 }] }),
    ),
    one("nearest of a subject", async (store) => store.vectors?.nearest(agent, subject, near)),
    one("nearest of a conversation", async (store) => store.vectors?.nearest(agent, conversation, near)),
    one("nearest of an agent", async (store) => store.vectors?.nearest(agent, { kind: "agent" }, near)),
    one("vectors: write", async (store) =>
      store.vectors?.put(chat("c4"), { model: FILL_MODEL, documents: [embedded] }),
    ),
    one("vectors: retention", async (store) => store.vectors?.drop(owner, { createdBefore: at(0) })),
    one("index", async (store) => {
      const documents = [{ ...word, turn: "t", seq: 1, message: "t-q" }] as const;
      await store.keyword?.index(chat(`n${round}`), { after: 0, through: 1, documents });
    }),
    one("records: write", (store) =>
      store.commitRecords(agent, [{ namespace: ["n"], key: "k", value: round }], { now }),
    ),
    one("records: read", (store) => store.readRecords(agent, { now, namespace: ["n"], limit: 5 })),
    one("records: read by key", (store) => store.readRecords(agent, { now, namespace: ["n"], keys: ["k"], limit: 5 })),
    one("records: namespaces", (store) => store.listNamespaces(agent, { now, prefix: [], limit: 5 })),
    one("items: write", (store) => store.commitItems(owner, [{ action: "put", key: "k", bytes: new Uint8Array(1) }])),
    one("items: read", (store) => store.readItems(owner, { prefix: "k", limit: 5 })),
    one("items: delete", (store) => store.commitItems(owner, [{ action: "delete-prefix", prefix: "k" }])),
    ...checkpointStatements(agent, round),
    one("identities: link", (store) =>
      store.linkIdentity(agent, { identity: `i${round}x`, subject: "s1", since: now }),
    ),
    one("identities: list", (store) => store.listIdentities(agent, { subject: "s1" })),
    one("identities: resolve", (store) => store.resolveSubject(agent, "i3")),
    one("identities: unlink", (store) => store.unlinkIdentity(agent, `i${round}x`)),
    one("work: claim", (store) => store.claimWork(agent, { holder: `w${round}`, now, leaseMs: 1000, limit: 3 })),
    one("work: begin", (store) => {
      const turns = { behind: ["index", "embed"], limit: 9 };
      const begin = { holder: `w${round}`, now, leaseMs: 1000, turns, records: [{ namespace: ["n"], keys: ["k"] }] };
      return store.beginWork?.(chat("c5"), begin) ?? Promise.resolve();
    }),
    one("work: finish", async (store) => {
      const named = chat(`f${round}`);
      await store.commitTurn(named, turnOf("t", { now }));
      const documents = [{ ...word, turn: "t", seq: 1, message: "t-q" }] as const;
      const index = { after: 0, through: 1, documents };
      const vectors = { model: FILL_MODEL, documents: [{ ...embedded, turn: "t", seq: 1, message: "t-q" }] };
      const settlement = { holder: "w", watermarks: { embed: 1 }, settledSeq: 1 };
      const done = await store.finishWork?.(named, { index, vectors, settlement });
      if (done?.indexed !== true || done.vectors !== 1) throw new Error("It wasn't written in one trip.");
    }),
    one("work: claim of one", (store) =>
      store.claimWork(agent, { holder: `w${round}`, now: at(9), leaseMs: 1000, limit: 1, conversation: "c1" }),
    ),
    one("work: settle", (store) => store.settleWork(owner, { holder: "w", settledSeq: 1, watermarks: { x: 1 } })),
    one("lease: claim", (store) => store.claimLease(agent, { name: "l", holder: "w", now, leaseMs: 1000 })),
    one("lease: release", (store) => store.releaseLease(agent, { name: "l", holder: "w" })),
    one("retention", (store) => store.purgeExpired(agent, { now, operationsBefore: now, limit: 5 })),
    one("erase a conversation", (store) =>
      store.erase(agent, { kind: "conversation", conversation: `n${round}` }, { now: at(9) }),
    ),
  ];
}

function checkpointStatements(agent: AgentOwner, round: number): Operation[] {
  const owner = { ...agent, conversation: "c3" };
  const copy = { ...agent, conversation: `copy${round}` };
  const now = at(2);
  const id = `k2000${round}`;
  const one = (name: string, run: (store: CheckpointStore) => Promise<unknown>): Operation => ({
    name: `checkpoints: ${name}`,
    run: async (store) => (store.checkpoints === undefined ? undefined : run(store.checkpoints)),
  });
  return [
    one("put", async (store) => {
      const newest = await store.read(owner, { space: "" });
      if (newest === null) throw new Error("The tenant has checkpoints.");
      const values = [{ name: "m", value: [[1, 10] as const, '"7"', `"new ${round}"`] }];
      const place = { space: "", id, parent: newest.id, generation: newest.generation, ifNewest: true };
      return store.put(owner, { ...place, subject: "s0", now, values, tags: [], body: "{}" });
    }),
    one("put writes", (store) => {
      const writes = [
        { index: 0, name: "m", text: "1" },
        { index: -1, name: "m", text: "1", replaces: true },
      ];
      return store.putWrites(owner, { space: "", checkpoint: id, task: "t", path: "", writes });
    }),
    one("read by id", (store) => store.read(owner, { space: "", id: "k10002" })),
    one("list", (store) => store.list(agent, { conversation: "c3", space: "", before: id, limit: 5 })),
    one("list by tag", (store) => store.list(agent, { conversation: "c3", tags: [["k", "1"]], limit: 5 })),
    one("history", (store) => store.history(owner, { space: "", id, names: ["m", "n"] })),
    one("conversations", (store) => store.threads(agent, { after: "c2", limit: 5 })),
    one("conversations of a subject", (store) => store.threads(agent, { subject: "s1", limit: 5 })),
    one("copy", (store) => store.copy(owner, { conversation: copy.conversation, subject: "s9", now })),
    one("remove some", (store) => store.remove(copy, [{ space: "", id: "k10001" }])),
    one("remove all", (store) => store.remove(copy)),
  ];
}

/** What can be done once to a tenant. */
export function lastStatements(agent: AgentOwner): Operation[] {
  return [
    { name: "work: reopen", run: (store) => store.reopenWork(agent) },
    {
      name: "erase a long conversation",
      run: (store) => store.erase(agent, { kind: "conversation", conversation: "c5" }, { now: at(9) }),
    },
    {
      name: "erase a subject",
      run: (store) => store.erase(agent, { kind: "subject", subject: "s1" }, { now: at(9) }),
    },
    {
      name: "erase a former subject",
      run: (store) => store.erase(agent, { kind: "subject", subject: "x3" }, { now: at(9) }),
    },
  ];
}
