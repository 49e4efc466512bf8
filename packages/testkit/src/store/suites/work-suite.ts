import type { MemoryStore } from "@throughline/core";
import { expect } from "vitest";
import { AGENT, at, CHAT, chat, idsOf, record, turnOf } from "../fixtures.ts";
import type { StoreSuite } from "../store-suite.ts";

async function claim(
  store: MemoryStore,
  holder: string,
  minute: number,
  options: { limit?: number; conversation?: string } = {},
) {
  const rows = await store.claimWork(AGENT, { holder, now: at(minute), leaseMs: 5 * 60_000, limit: 10, ...options });
  return idsOf(rows);
}

/** Derived work: due by watermark, claimed by lease, never taken back. */
export const workSuite: StoreSuite = {
  name: "work",
  cases: [
    {
      rules: ["E3"],
      title: "what isn't settled is due, least recently updated first, ties by id",
      async run({ store }) {
        await record(store, chat("new"), turnOf("t", { minute: 3 }));
        await record(store, chat("b"), turnOf("t", { minute: 2 }));
        await record(store, chat("a"), turnOf("t", { minute: 2 }));
        await record(store, chat("old"), turnOf("t", { minute: 1 }));
        await store.changeConversation(chat("empty"), { now: at(0), create: true });
        expect(await claim(store, "w1", 10, { limit: 3 })).toEqual(["old", "a", "b"]);
        expect(await claim(store, "w2", 10)).toEqual(["new"]);
      },
    },
    {
      rules: ["E3", "J10"],
      title: "a leased conversation is nobody else's until the lease is over or given up",
      async run({ store }) {
        await record(store, CHAT, turnOf("t1"));
        expect(await claim(store, "w1", 0)).toEqual([CHAT.conversation]);
        expect(await claim(store, "w2", 4.99)).toEqual([]);
        expect(await claim(store, "w2", 5)).toEqual([CHAT.conversation]);
        await store.settleWork(CHAT, { holder: "w1" });
        expect(await claim(store, "w3", 6)).toEqual([]);
        await store.settleWork(CHAT, { holder: "w2" });
        expect(await claim(store, "w3", 6)).toEqual([CHAT.conversation]);
      },
    },
    {
      rules: ["A2", "E3"],
      title: "what settles a conversation leaves one alone that was begun anew under its id",
      async run({ store }) {
        await record(store, CHAT, turnOf("t1"), turnOf("t2"));
        const { createdAt } = (await store.readConversation(CHAT)) ?? expect.fail("The conversation is not there.");
        await store.erase(AGENT, { kind: "conversation", conversation: CHAT.conversation }, { now: at(1) });
        await record(store, CHAT, turnOf("n1", { minute: 2 }));
        expect(await claim(store, "w1", 3)).toEqual([CHAT.conversation]);
        await store.settleWork(CHAT, { holder: "w1", createdAt, watermarks: { embed: 2 }, settledSeq: 2 });
        expect(await store.readConversation(CHAT)).toMatchObject({ settledSeq: 0, watermarks: {} });
        expect(await claim(store, "w2", 4)).toEqual([]);
        const anew = (await store.readConversation(CHAT))?.createdAt ?? expect.fail("The new one is not there.");
        await store.settleWork(CHAT, { holder: "w1", createdAt: anew, watermarks: { embed: 1 }, settledSeq: 1 });
        expect(await store.readConversation(CHAT)).toMatchObject({ settledSeq: 1, watermarks: { embed: 1 } });
      },
    },
    {
      rules: ["E3"],
      title: "a holder renews its own lease; release false keeps it",
      async run({ store }) {
        await record(store, CHAT, turnOf("t1"));
        await claim(store, "w1", 0);
        expect(await claim(store, "w1", 4)).toEqual([CHAT.conversation]);
        await store.settleWork(CHAT, { holder: "w1", watermarks: { index: 1 }, release: false });
        expect(await claim(store, "w2", 8)).toEqual([]);
        expect(await claim(store, "w2", 9)).toEqual([CHAT.conversation]);
      },
    },
    {
      rules: ["E3"],
      title: "one conversation can be claimed by name",
      async run({ store }) {
        await record(store, chat("a"), turnOf("t"));
        await record(store, chat("b"), turnOf("t"));
        expect(await claim(store, "w1", 1, { conversation: "b" })).toEqual(["b"]);
        expect(await claim(store, "w1", 1, { conversation: "none" })).toEqual([]);
        expect(await claim(store, "w2", 1)).toEqual(["a"]);
      },
    },
    {
      rules: ["E3", "W6"],
      title: "settled is no longer due; a turn recorded meanwhile is",
      async run({ store }) {
        await record(store, CHAT, turnOf("t1"));
        await claim(store, "w1", 0);
        await record(store, CHAT, turnOf("t2"));
        await store.settleWork(CHAT, { holder: "w1", settledSeq: 1 });
        expect(await claim(store, "w2", 1)).toEqual([CHAT.conversation]);
        await store.settleWork(CHAT, { holder: "w2", settledSeq: 2 });
        expect(await claim(store, "w3", 1)).toEqual([]);
        await record(store, CHAT, turnOf("t3"));
        expect(await claim(store, "w3", 1)).toEqual([CHAT.conversation]);
      },
    },
    {
      rules: ["W6", "E3"],
      title: "watermarks never go back, and nothing is settled that isn't recorded",
      async run({ store }) {
        await record(store, CHAT, turnOf("t1"), turnOf("t2"));
        await store.settleWork(CHAT, { holder: "w1", watermarks: { fold: 2, index: 1 }, settledSeq: 99 });
        await store.settleWork(CHAT, { holder: "w1", watermarks: { fold: 1, embed: 2 }, settledSeq: 1 });
        expect(await store.readConversation(CHAT)).toMatchObject({
          settledSeq: 2,
          watermarks: { fold: 2, index: 1, embed: 2 },
        });
        await record(store, CHAT, turnOf("t3"));
        expect(await claim(store, "w2", 1)).toEqual([CHAT.conversation]);
      },
    },
    {
      rules: ["E3"],
      title: "reopenWork makes everything due again and keeps the watermarks",
      async run({ store }) {
        for (const id of ["a", "b"]) {
          await record(store, chat(id), turnOf("t"));
          await store.settleWork(chat(id), { holder: "w", watermarks: { fold: 1 }, settledSeq: 1 });
        }
        expect(await claim(store, "w1", 1)).toEqual([]);
        await store.reopenWork(AGENT);
        expect(await claim(store, "w1", 1)).toEqual(["a", "b"]);
        expect(await store.readConversation(chat("a"))).toMatchObject({ settledSeq: 0, watermarks: { fold: 1 } });
      },
    },
    {
      rules: ["E3"],
      title: "settling what was erased meanwhile does nothing",
      async run({ store }) {
        await record(store, CHAT, turnOf("t1"));
        await claim(store, "w1", 1);
        await store.erase(AGENT, { kind: "conversation", conversation: CHAT.conversation }, { now: at(2) });
        await store.settleWork(CHAT, { holder: "w1", settledSeq: 1, watermarks: { fold: 1 } });
        expect(await store.readConversation(CHAT)).toBeNull();
      },
    },
    {
      rules: ["J10", "E3"],
      title: "a named lease has one holder, who renews it; it ends by time or by release",
      async run({ store }) {
        const lease = (holder: string, minute: number, name = "distill") =>
          store.claimLease(AGENT, { name, holder, now: at(minute), leaseMs: 5 * 60_000 });
        expect(await lease("w1", 0)).toBe(true);
        expect(await lease("w2", 1)).toBe(false);
        expect(await lease("w2", 1, "other")).toBe(true);
        expect(await lease("w1", 4)).toBe(true);
        expect(await lease("w2", 8.99)).toBe(false);
        expect(await lease("w2", 9)).toBe(true);
        await store.releaseLease(AGENT, { name: "distill", holder: "w1" });
        expect(await lease("w1", 10)).toBe(false);
        await store.releaseLease(AGENT, { name: "distill", holder: "w2" });
        expect(await lease("w1", 10)).toBe(true);
      },
    },
  ],
};
