import { expect } from "vitest";
import { AGENT, allTurns, at, CHAT, chat, idsOf, record, turnOf } from "../fixtures.ts";
import type { StoreSuite } from "../store-suite.ts";

/** Listing conversations and changing what they are called, who they belong to, what they show. */
export const conversationsSuite: StoreSuite = {
  name: "conversations",
  cases: [
    {
      rules: ["W16", "J1"],
      title: "the most recently active comes first, ties by id",
      async run({ store }) {
        for (const id of ["b", "é", "a", "B", "中"]) await record(store, chat(id), turnOf("t", { minute: 5 }));
        await record(store, chat("new"), turnOf("t", { minute: 9 }));
        await record(store, chat("old"), turnOf("t", { minute: 1 }));
        const listed = await store.listConversations(AGENT, { limit: 100 });
        expect(idsOf(listed)).toEqual(["new", "B", "a", "b", "é", "中", "old"]);
        await record(store, chat("old"), turnOf("t2", { minute: 10 }));
        expect(idsOf(await store.listConversations(AGENT, { limit: 1 }))).toEqual(["old"]);
      },
    },
    {
      rules: ["W16", "J1"],
      title: "paging gives each conversation once, also among ties",
      async run({ store }) {
        for (let index = 0; index < 7; index += 1) {
          await record(store, chat(`c${index}`), turnOf("t", { minute: Math.floor(index / 3) }));
        }
        const seen: string[] = [];
        let after: { updatedAt: string; id: string } | undefined;
        for (;;) {
          const page = await store.listConversations(AGENT, { limit: 2, ...(after === undefined ? {} : { after }) });
          if (page.length === 0) break;
          seen.push(...idsOf(page));
          after = page.at(-1);
          expect(seen.length).toBeLessThan(20);
        }
        expect(seen).toEqual(["c6", "c3", "c4", "c5", "c0", "c1", "c2"]);
      },
    },
    {
      rules: ["F13", "W16"],
      title: "the listing of a subject holds the conversations bound to it now",
      async run({ store }) {
        await record(store, chat("a"), turnOf("t", { subject: "ann", minute: 1 }));
        await record(store, chat("b"), turnOf("t", { subject: "bob", minute: 2 }));
        await record(store, chat("n"), turnOf("t", { minute: 3 }));
        const of = async (subject: string) => idsOf(await store.listConversations(AGENT, { subject, limit: 9 }));
        expect(await of("ann")).toEqual(["a"]);
        await store.changeConversation(chat("a"), { now: at(4), subject: "bob" });
        expect(await of("ann")).toEqual([]);
        expect(await of("bob")).toEqual(["a", "b"]);
        expect(await of("nobody")).toEqual([]);
      },
    },
    {
      rules: ["A2", "F10"],
      title: "what a subject said in a conversation of somebody else's is found by the subject",
      async run({ store }) {
        const former = async (subject: string, more: { after?: { updatedAt: string; id: string } } = {}) =>
          idsOf(await store.listConversations(AGENT, { subject, former: true, limit: 2, ...more }));
        for (const id of ["a", "b", "c", "d"]) {
          await record(store, chat(id), turnOf(`${id}1`, { subject: "ann", minute: 1 }));
          await store.changeConversation(chat(id), { now: at(2), subject: "bob" });
        }
        expect(await former("ann")).toEqual(["a", "b"]);
        expect(await former("ann", { after: { updatedAt: at(2), id: "b" } })).toEqual(["c", "d"]);
        expect(await former("bob")).toEqual([]);
        // Hers again, filed under him altogether, and only rewound.
        await store.changeConversation(chat("a"), { now: at(3), subject: "ann" });
        await store.changeTurns(chat("b"), [{ turn: "b1", action: "restamp", subject: "bob" }]);
        await store.changeTurns(chat("c"), [{ turn: "c1", action: "hide" }]);
        expect(await former("ann")).toEqual(["c", "d"]);
        await record(store, chat("a"), turnOf("a2", { minute: 4 }));
        await store.changeTurns(chat("a"), [{ turn: "a2", action: "restamp", subject: "eve" }]);
        expect(await former("eve")).toEqual(["a"]);
        expect(await former("nobody")).toEqual([]);
      },
    },
    {
      rules: ["F10"],
      title: "binding to another subject leaves the turns as they were and accepts the new one",
      async run({ store }) {
        await record(store, CHAT, turnOf("t1", { subject: "visitor" }));
        await store.changeConversation(CHAT, { now: at(1), subject: "ann" });
        expect((await store.commitTurn(CHAT, turnOf("t2", { subject: "visitor" }))).status).toBe("owner-mismatch");
        await record(store, CHAT, turnOf("t2", { subject: "ann" }), turnOf("t3"));
        expect((await allTurns(store, CHAT)).map((turn) => turn.subject)).toEqual(["visitor", "ann", "ann"]);
      },
    },
    {
      rules: ["W16"],
      title: "title and metadata are set, kept, cleared",
      async run({ store }) {
        await record(store, CHAT, turnOf("t1"));
        const metadata = { tags: ["x"], nested: { deep: null } };
        await store.changeConversation(CHAT, { now: at(1), title: "Trip", metadata });
        const kept = await store.changeConversation(CHAT, { now: at(2), title: "Trip to Rome" });
        expect(kept).toMatchObject({ conversation: { title: "Trip to Rome", metadata, updatedAt: at(2), version: 3 } });
        await store.changeConversation(CHAT, { now: at(3), title: null, metadata: null });
        const row = await store.readConversation(CHAT);
        expect(row?.title).toBeUndefined();
        expect(row?.metadata).toBeUndefined();
      },
    },
    {
      rules: ["F12"],
      title: "ifVersion lets one of two writers through; recorded turns don't count as changes",
      async run({ store }) {
        await record(store, CHAT, turnOf("t1"), turnOf("t2"));
        const first = await store.changeConversation(CHAT, { now: at(1), ifVersion: 1, title: "first" });
        expect(first).toMatchObject({ status: "changed", conversation: { version: 2, title: "first" } });
        const second = await store.changeConversation(CHAT, { now: at(2), ifVersion: 1, title: "second" });
        expect(second).toEqual({ status: "conflict" });
        expect(await store.readConversation(CHAT)).toMatchObject({ title: "first", version: 2, updatedAt: at(1) });
      },
    },
    {
      rules: ["W16"],
      title: "a conversation that isn't there is missing, or created where asked for",
      async run({ store }) {
        expect(await store.changeConversation(CHAT, { now: at(1), title: "x" })).toEqual({ status: "missing" });
        expect(await store.readConversation(CHAT)).toBeNull();
        const made = await store.changeConversation(CHAT, { now: at(1), create: true, subject: "ann" });
        expect(made).toMatchObject({
          status: "changed",
          conversation: { id: CHAT.conversation, subject: "ann", version: 1, lastSeq: 0, turns: 0, createdAt: at(1) },
        });
        expect(await record(store, CHAT, turnOf("t1"))).toEqual([1]);
        expect(await store.changeConversation(CHAT, { now: at(2), create: true, title: "y" })).toMatchObject({
          conversation: { title: "y", version: 2, createdAt: at(1), lastSeq: 1 },
        });
      },
    },
    {
      rules: ["W16", "F12"],
      title: "ifVersion 0 creates only where there is nothing",
      async run({ store }) {
        const create = { now: at(1), create: true, ifVersion: 0, title: "first" };
        expect((await store.changeConversation(CHAT, create)).status).toBe("changed");
        expect(await store.changeConversation(CHAT, { ...create, title: "second" })).toEqual({ status: "conflict" });
        expect(await store.readConversation(CHAT)).toMatchObject({ title: "first" });
      },
    },
  ],
};
