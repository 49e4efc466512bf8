import type { CallOptions, MemoryStore } from "@throughline/core";
import { expect } from "vitest";
import { AGENT, allTurns, at, bytesOf, CHAT, codeOf, factOf, factsOf, record, turnOf, WIDE } from "../fixtures.ts";
import type { StoreSuite } from "../store-suite.ts";

/** Every method of the contract, called once. */
function everyCall(store: MemoryStore, options: CallOptions = {}): Record<string, () => Promise<unknown>> {
  const conversation = CHAT.conversation;
  const calls: Record<string, () => Promise<unknown>> = {
    readContext: () => store.readContext(CHAT, { now: at(0), window: WIDE, facts: { limit: 1 } }, options),
    commitTurn: () => store.commitTurn(CHAT, turnOf("called"), options),
    readTurns: () => store.readTurns(CHAT, { limit: 1 }, options),
    findMessages: () => store.findMessages(CHAT, ["m"], options),
    changeTurns: () => store.changeTurns(CHAT, [{ turn: "kept", action: "erase" }], options),
    readConversation: () => store.readConversation(CHAT, options),
    listConversations: () => store.listConversations(AGENT, { limit: 1 }, options),
    changeConversation: () => store.changeConversation(CHAT, { now: at(1), title: "x" }, options),
    commitSummary: () => store.commitSummary(CHAT, { expectedVersion: 0, summary: null, now: at(1) }, options),
    readSummaries: () => store.readSummaries(CHAT, { limit: 1 }, options),
    readFacts: () => store.readFacts([factsOf("app", "")], { now: at(0), limit: 1 }, options),
    commitFacts: () =>
      store.commitFacts(factsOf("app", ""), { expectedVersion: 0, now: at(0), put: [factOf("f")] }, options),
    readTombstones: () => store.readTombstones(factsOf("app", ""), options),
    readRecords: () => store.readRecords(AGENT, { now: at(0), namespace: [], limit: 1 }, options),
    commitRecords: () =>
      store.commitRecords(AGENT, [{ namespace: ["n"], key: "k", value: 1 }], { now: at(0), ...options }),
    listNamespaces: () => store.listNamespaces(AGENT, { now: at(0), limit: 1 }, options),
    readItems: () => store.readItems(CHAT, { keys: ["k"] }, options),
    commitItems: () => store.commitItems(CHAT, [{ action: "put", key: "k", bytes: bytesOf("b") }], options),
    claimWork: () => store.claimWork(AGENT, { holder: "w", now: at(0), leaseMs: 60_000, limit: 1 }, options),
    settleWork: () => store.settleWork(CHAT, { holder: "w", settledSeq: 1 }, options),
    reopenWork: () => store.reopenWork(AGENT, options),
    claimLease: () => store.claimLease(AGENT, { name: "l", holder: "w", now: at(0), leaseMs: 60_000 }, options),
    releaseLease: () => store.releaseLease(AGENT, { name: "l", holder: "w" }, options),
    linkIdentity: () => store.linkIdentity(AGENT, { identity: "i", subject: "s", since: at(0) }, options),
    unlinkIdentity: () => store.unlinkIdentity(AGENT, "i", options),
    listIdentities: () => store.listIdentities(AGENT, {}, options),
    resolveSubject: () => store.resolveSubject(AGENT, "i", options),
    purgeExpired: () => store.purgeExpired(AGENT, { now: at(0), operationsBefore: at(0), limit: 1 }, options),
    erase: () => store.erase(AGENT, { kind: "conversation", conversation }, { now: at(9), ...options }),
  };
  const { keyword, checkpoints } = store;
  if (store.findTurns !== undefined) {
    calls.findTurns = async () => store.findTurns?.(AGENT, [{ conversation, turn: "called" }], options);
  }
  if (store.readSearch !== undefined) {
    const records = { namespace: ["n"], keys: ["k"] };
    const search = { scope: { kind: "conversation", conversation }, now: at(0), records } as const;
    calls.readSearch = async () => store.readSearch?.(AGENT, search, options);
  }
  if (store.readHits !== undefined) {
    const hits = { documents: [1], places: [{ conversation, turn: "called" }] };
    calls.readHits = async () => store.readHits?.(AGENT, hits, options);
  }
  if (store.beginWork !== undefined) {
    calls.beginWork = async () => store.beginWork?.(CHAT, { holder: "w", now: at(0), leaseMs: 60_000 }, options);
  }
  if (store.finishWork !== undefined) {
    calls.finishWork = async () => store.finishWork?.(CHAT, { settlement: { holder: "w", settledSeq: 1 } }, options);
  }
  if (checkpoints !== undefined) {
    const read = { space: "", id: "called" };
    const write = { space: "", id: "called", now: at(0), values: [], tags: [], body: "{}" };
    const writes = { space: "", checkpoint: "called", task: "t", path: "", writes: [] };
    calls["checkpoints.put"] = () => checkpoints.put(CHAT, write, options);
    calls["checkpoints.putWrites"] = () => checkpoints.putWrites(CHAT, writes, options);
    calls["checkpoints.read"] = () => checkpoints.read(CHAT, read, options);
    calls["checkpoints.list"] = () => checkpoints.list(AGENT, { limit: 1 }, options);
    calls["checkpoints.history"] = () => checkpoints.history(CHAT, { ...read, names: [] }, options);
    calls["checkpoints.threads"] = () => checkpoints.threads(AGENT, { limit: 1 }, options);
    calls["checkpoints.copy"] = () => checkpoints.copy(CHAT, { conversation: "copy", now: at(0) }, options);
    calls["checkpoints.remove"] = () => checkpoints.remove(CHAT, [read], options);
  }
  if (keyword !== undefined) {
    const scope = { kind: "agent" } as const;
    calls["keyword.index"] = () => keyword.index(CHAT, { after: 0, through: 1, documents: [] }, options);
    calls["keyword.postings"] = () => keyword.postings(AGENT, scope, { terms: ["x"], groups: ["said"] }, options);
    const behind = { documents: [1], turns: 4, groups: ["said"] } as const;
    calls["keyword.following"] = () => keyword.following(AGENT, scope, behind, options);
    calls["keyword.documents"] = () => keyword.documents(AGENT, [1], options);
    calls["keyword.behind"] = () => keyword.behind(AGENT, scope, { limit: 1 }, options);
  }
  const { vectors } = store;
  if (vectors !== undefined) {
    const model = { modelId: "m", dimensions: 1 };
    const vector = Float32Array.of(1);
    const query = { model, vector, limit: 1, floor: 0 };
    calls["vectors.put"] = () => vectors.put(CHAT, { model, documents: [] }, options);
    calls["vectors.nearest"] = () => vectors.nearest(AGENT, { kind: "agent" }, query, options);
    calls["vectors.drop"] = () => vectors.drop(CHAT, { turns: ["t"] }, options);
    calls["vectors.describe"] = () => vectors.describe(options);
  }
  return calls;
}

async function codesOf(calls: Record<string, () => Promise<unknown>>): Promise<Record<string, string>> {
  const codes: Record<string, string> = {};
  for (const [name, call] of Object.entries(calls)) codes[name] = await codeOf(call());
  return codes;
}

const sameForAll = (calls: Record<string, unknown>, code: string): Record<string, string> =>
  Object.fromEntries(Object.keys(calls).map((name) => [name, code]));

/** Signals, closing, and what the store says of itself. */
export const callsSuite: StoreSuite = {
  name: "calls",
  cases: [
    {
      rules: ["T6", "J1"],
      title: "the store names itself, its contract and its abilities",
      async run({ store }) {
        expect(store.contractVersion).toBe(1);
        expect(store.name).toMatch(/\S/);
        expect(
          Object.entries(store.capabilities)
            .map(([name, value]) => [name, typeof value])
            .toSorted(),
        ).toEqual(
          [
            "changeFeed",
            "checkpoints",
            "durable",
            "keywordSearch",
            "multiProcess",
            "rowLevelSecurity",
            "vectorSearch",
          ].map((name) => [name, "boolean"]),
        );
        expect(store.keyword !== undefined).toBe(store.capabilities.keywordSearch);
      },
    },
    {
      rules: ["G3", "J1"],
      title: "a secret, where the store keeps one, is long enough and always the same",
      async run({ store }) {
        if (store.secret === undefined) return;
        const secret = await store.secret();
        expect(secret.length).toBeGreaterThanOrEqual(16);
        expect(new Set(secret).size).toBeGreaterThan(1);
        expect(await store.secret()).toEqual(secret);
      },
    },
    {
      rules: ["E5"],
      title: "a signal that is over ends every call with ABORTED and nothing is written",
      async run({ store }) {
        await record(store, CHAT, turnOf("kept"));
        const before = await store.readContext(CHAT, { now: at(0), window: WIDE, facts: { limit: 9 } });
        const calls = everyCall(store, { signal: AbortSignal.abort() });
        expect(await codesOf(calls)).toEqual(sameForAll(calls, "ABORTED"));
        expect(await store.readContext(CHAT, { now: at(0), window: WIDE, facts: { limit: 9 } })).toEqual(before);
        expect(await store.readRecords(AGENT, { now: at(0), namespace: [], limit: 1 })).toEqual([]);
        expect(await store.readItems(CHAT, { keys: ["k"] })).toEqual([]);
        expect(await store.claimLease(AGENT, { name: "l", holder: "other", now: at(0), leaseMs: 1 })).toBe(true);
      },
    },
    {
      rules: ["E5", "J5"],
      title: "a signal in the middle of a write leaves the turn whole or absent, as answered",
      async run({ store }) {
        for (let index = 0; index < 10; index += 1) {
          const controller = new AbortController();
          const id = `t${index}`;
          const write = store.commitTurn(CHAT, turnOf(id), { signal: controller.signal });
          if (index % 2 === 1) await Promise.resolve();
          controller.abort();
          const stored = await write.then(
            (commit) => commit.status === "stored",
            () => false,
          );
          const [turn] = await store.readTurns(CHAT, { ids: [id], limit: 1 });
          if (stored) expect(turn).toBeDefined();
          if (turn !== undefined) expect(turn.messages).toHaveLength(2);
        }
        const turns = await allTurns(store, CHAT);
        expect((await store.readConversation(CHAT))?.turns ?? 0).toBe(turns.length);
      },
    },
    {
      rules: ["E4", "J5"],
      title: "after close every call answers STORE_CLOSED, and closing again does nothing",
      async run({ store }) {
        await record(store, CHAT, turnOf("kept"));
        await store.close();
        await store.close();
        const calls = everyCall(store);
        expect(await codesOf(calls)).toEqual(sameForAll(calls, "STORE_CLOSED"));
        await store.close();
      },
    },
    {
      rules: ["E4", "J5"],
      title: "close waits for what is under way",
      async run({ store }) {
        const write = store.commitTurn(CHAT, turnOf("t1"));
        const closed = store.close();
        const status = await write.then((commit) => commit.status);
        await closed;
        expect(status).toBe("stored");
      },
    },
    {
      rules: ["J2"],
      title: "a store that is closed before its first use closes",
      async run({ store }) {
        await store.close();
        expect(await codeOf(store.readConversation(CHAT))).toBe("STORE_CLOSED");
      },
    },
  ],
};
