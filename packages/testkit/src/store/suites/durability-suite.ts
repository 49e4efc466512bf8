import { expect } from "vitest";
import {
  AGENT,
  allTurns,
  at,
  bytesOf,
  CHAT,
  chat,
  factIds,
  factOf,
  factsOf,
  idsOf,
  putFacts,
  record,
  turnOf,
} from "../fixtures.ts";
import type { StoreSuite } from "../store-suite.ts";

/** What was acknowledged is there after the place is opened again. */
export const durabilitySuite: StoreSuite = {
  name: "durability",
  applies: ({ capabilities }) => capabilities.durable,
  needsReopen: true,
  cases: [
    {
      rules: ["E2"],
      title: "turns, rows, summaries, facts, records and items are there after reopening",
      async run({ store, reopened }) {
        const owner = factsOf("user", "ann");
        const summary = { text: "s", through: 1, throughTurn: "t1", turns: 1, tokens: 1, createdAt: at(1) };
        await record(store, CHAT, turnOf("t1", { subject: "ann" }), turnOf("t2", { hides: ["t1"] }));
        await store.changeConversation(CHAT, { now: at(3), title: "kept" });
        await store.commitSummary(CHAT, { expectedVersion: 0, now: at(1), summary });
        await putFacts(store, owner, factOf("f1"));
        await store.commitRecords(AGENT, [{ namespace: ["n"], key: "k", value: { x: 1 } }], { now: at(1) });
        await store.commitItems(CHAT, [{ action: "put", key: "k", bytes: bytesOf("bytes") }]);
        const turns = await allTurns(store, CHAT);
        const row = await store.readConversation(CHAT);
        const again = await reopened();
        expect(await allTurns(again, CHAT)).toEqual(turns);
        expect(await again.readConversation(CHAT)).toEqual(row);
        expect(await again.readSummaries(CHAT, { limit: 9 })).toEqual([{ ...summary, version: 1 }]);
        expect(await factIds(again, owner)).toEqual(["f1"]);
        expect(await again.readRecords(AGENT, { now: at(1), namespace: [], limit: 9 })).toMatchObject([
          { value: { x: 1 } },
        ]);
        const [item] = await again.readItems(CHAT, { keys: ["k"] });
        expect(new TextDecoder().decode(item?.bytes)).toBe("bytes");
      },
    },
    {
      rules: ["E2", "W6"],
      title: "numbers and versions go on where they were",
      async run({ store, reopened }) {
        await record(store, CHAT, turnOf("t1"), turnOf("t2"));
        await store.changeTurns(CHAT, [{ turn: "t2", action: "erase" }]);
        await putFacts(store, factsOf("user", "ann"), factOf("f1"));
        const again = await reopened();
        expect(await record(again, CHAT, turnOf("t3"))).toEqual([3]);
        expect((await again.commitTurn(CHAT, turnOf("t1"))).status).toBe("exists");
        const stale = await again.commitFacts(factsOf("user", "ann"), { expectedVersion: 0, now: at(1), put: [] });
        expect(stale).toEqual({ status: "conflict", version: 1 });
      },
    },
    {
      rules: ["E2", "A2", "G3"],
      title: "erasures, tombstones and operations are still known",
      async run({ store, reopened }) {
        const ann = factsOf("user", "ann");
        await store.commitFacts(ann, {
          expectedVersion: 0,
          now: at(1),
          put: [],
          tombstones: { add: ["hash"] },
          operation: { key: "op", result: "first" },
        });
        await store.erase(AGENT, { kind: "conversation", conversation: "gone" }, { now: at(5) });
        await store.erase(AGENT, { kind: "subject", subject: "bob" }, { now: at(5) });
        const again = await reopened();
        expect((await again.commitTurn(chat("gone"), turnOf("t", { minute: 4 }))).status).toBe("erased");
        expect((await again.commitTurn(CHAT, turnOf("t", { minute: 4, subject: "bob" }))).status).toBe("erased");
        expect(await again.readTombstones(ann)).toEqual(["hash"]);
        const back = { expectedVersion: 1, now: at(2), put: [factOf("f")], unlessTombstoned: ["hash"] };
        expect(await again.commitFacts(ann, back)).toEqual({ status: "tombstoned", hashes: ["hash"] });
        const repeat = { ...back, unlessTombstoned: [], operation: { key: "op", result: "second" } };
        expect(await again.commitFacts(ann, repeat)).toEqual({ status: "repeated", result: "first" });
      },
    },
    {
      rules: ["E2", "F11", "G3"],
      title: "identities and the secret are the same after reopening",
      async run({ store, reopened }) {
        await store.linkIdentity(AGENT, { identity: "mail", subject: "ann", since: at(1) });
        const secret = await store.secret?.();
        const again = await reopened();
        expect(await again.resolveSubject(AGENT, "mail")).toBe("ann");
        expect(await again.secret?.()).toEqual(secret);
      },
    },
    {
      rules: ["E3"],
      title: "leases, watermarks and what is due survive, to be found by any process",
      async run({ store, reopened }) {
        await record(store, chat("done"), turnOf("t"));
        await record(store, chat("due"), turnOf("t"));
        await record(store, chat("held"), turnOf("t"));
        await store.settleWork(chat("done"), { holder: "w1", settledSeq: 1, watermarks: { fold: 1 } });
        await store.claimWork(AGENT, { holder: "w1", now: at(1), leaseMs: 5 * 60_000, limit: 1, conversation: "held" });
        await store.claimLease(AGENT, { name: "l", holder: "w1", now: at(1), leaseMs: 5 * 60_000 });
        const again = await reopened();
        const claim = (minute: number) =>
          again.claimWork(AGENT, { holder: "w2", now: at(minute), leaseMs: 1_000, limit: 9 });
        expect(idsOf(await claim(2))).toEqual(["due"]);
        expect(idsOf(await claim(6))).toEqual(["due", "held"]);
        expect(await again.claimLease(AGENT, { name: "l", holder: "w2", now: at(2), leaseMs: 1 })).toBe(false);
        expect(await again.readConversation(chat("done"))).toMatchObject({ settledSeq: 1, watermarks: { fold: 1 } });
      },
    },
    {
      rules: ["E2", "E4"],
      title: "a write under way while the store closes is there afterwards if it was acknowledged",
      async run({ store, reopened }) {
        const writes = Array.from({ length: 5 }, (_, index) => store.commitTurn(CHAT, turnOf(`t${index}`)));
        await store.close();
        const acknowledged = (await Promise.allSettled(writes)).filter((write) => write.status === "fulfilled").length;
        const turns = await allTurns(await reopened(), CHAT);
        expect(acknowledged).toBe(5);
        expect(turns.map((turn) => turn.messages.length)).toEqual([2, 2, 2, 2, 2]);
      },
    },
    {
      rules: ["E2"],
      title: "a handle that was never closed keeps nothing from being read elsewhere",
      async run({ store, another }) {
        await record(store, CHAT, turnOf("t1"));
        expect(await allTurns(await another(), CHAT)).toHaveLength(1);
      },
    },
  ],
};
