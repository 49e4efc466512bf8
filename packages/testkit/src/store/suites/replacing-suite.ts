import { expect } from "vitest";
import { allTurns, at, bare, CHAT, idsOf, messageOf, record, turnOf, WIDE } from "../fixtures.ts";
import type { StoreSuite } from "../store-suite.ts";

/** Merging, replacing, hiding and rewriting stored turns. */
export const replacingSuite: StoreSuite = {
  name: "replacing",
  cases: [
    {
      rules: ["W12"],
      title: "previousSeq puts the resumed turn in place of the paused one, under a new number",
      async run({ store }) {
        await record(store, CHAT, turnOf("t1", { turn: { status: "paused" } }), turnOf("t2"));
        const messages = [...turnOf("t1").turn.messages, messageOf("t1-b", "assistant", "approved")];
        const write = turnOf("t1", { previousSeq: 1, turn: { messages, counted: 3 } });
        expect(await record(store, CHAT, write)).toEqual([3]);
        const turns = await allTurns(store, CHAT);
        expect(turns.map((turn) => [turn.id, turn.seq, turn.status])).toEqual([
          ["t2", 2, "completed"],
          ["t1", 3, "completed"],
        ]);
        expect(await store.findMessages(CHAT, ["t1-q", "t1-b"])).toEqual([
          { id: "t1-q", turn: "t1", seq: 3 },
          { id: "t1-b", turn: "t1", seq: 3 },
        ]);
        expect(await store.readConversation(CHAT)).toMatchObject({ lastSeq: 3, turns: 2, messages: 5 });
      },
    },
    {
      rules: ["W12", "F12"],
      title: "of two resumes of one paused turn the second finds it changed",
      async run({ store }) {
        await record(store, CHAT, turnOf("t1", { turn: { status: "paused" } }));
        await record(store, CHAT, turnOf("t1", { previousSeq: 1, answered: "first" }));
        const second = await store.commitTurn(CHAT, turnOf("t1", { previousSeq: 1, answered: "second" }));
        expect(second).toMatchObject({ status: "exists", turn: { id: "t1", seq: 2 } });
        const [turn] = await allTurns(store, CHAT);
        expect(turn?.messages[1]?.parts).toEqual([{ type: "text", text: "first" }]);
      },
    },
    {
      rules: ["W12", "A2"],
      title: "a resume of a turn that was erased brings nothing back",
      async run({ store }) {
        await record(store, CHAT, turnOf("t1", { turn: { status: "paused" } }));
        await store.changeTurns(CHAT, [{ turn: "t1", action: "erase" }]);
        expect(await store.commitTurn(CHAT, turnOf("t1", { previousSeq: 1 }))).toEqual({ status: "erased" });
        expect(await allTurns(store, CHAT)).toEqual([]);
      },
    },
    {
      rules: ["W15"],
      title: "hidden turns stay in the transcript, marked, and leave window, counts and paging",
      async run({ store }) {
        await record(store, CHAT, turnOf("t1"), turnOf("t2"), turnOf("t3"));
        await record(store, CHAT, turnOf("t4", { hides: ["t2", "t3", "nothing"], turn: { replaces: "t2" } }));
        const turns = await allTurns(store, CHAT);
        expect(turns.map((turn) => [turn.id, turn.hidden === true, turn.replacedBy])).toEqual([
          ["t1", false, undefined],
          ["t2", true, "t4"],
          ["t3", true, "t4"],
          ["t4", false, undefined],
        ]);
        expect(idsOf(await store.readTurns(CHAT, { limit: 10 }))).toEqual(["t1", "t4"]);
        const context = await store.readContext(CHAT, { now: at(1), window: WIDE, facts: null });
        expect(idsOf(context.turns)).toEqual(["t1", "t4"]);
        expect(context.conversation).toMatchObject({ lastSeq: 4, turns: 2, messages: 4 });
      },
    },
    {
      rules: ["W15", "W1"],
      title: "message ids of the turns it hides may be used again",
      async run({ store }) {
        await record(store, CHAT, turnOf("t1"));
        const messages = [...turnOf("t1").turn.messages.slice(0, 1), messageOf("other", "assistant", "again")];
        await record(store, CHAT, turnOf("t2", { hides: ["t1"], turn: { messages, replaces: "t1" } }));
        expect(await store.findMessages(CHAT, ["t1-q", "t1-a"])).toEqual([{ id: "t1-q", turn: "t2", seq: 2 }]);
      },
    },
    {
      rules: ["W15", "J1"],
      title: "a refused write hides nothing",
      async run({ store }) {
        await record(store, CHAT, turnOf("t1"), turnOf("t2"));
        const messages = [messageOf("t1-q", "user", "known")];
        const refused = await store.commitTurn(CHAT, turnOf("t3", { hides: ["t2"], turn: { messages } }));
        expect(refused.status).toBe("known");
        expect(idsOf(await store.readTurns(CHAT, { limit: 10 }))).toEqual(["t1", "t2"]);
      },
    },
    {
      rules: ["W1"],
      title: "the id of a hidden turn is still taken",
      async run({ store }) {
        await record(store, CHAT, turnOf("t1"));
        await store.changeTurns(CHAT, [{ turn: "t1", action: "hide" }]);
        expect((await store.commitTurn(CHAT, turnOf("t1"))).status).toBe("exists");
      },
    },
    {
      rules: ["W16"],
      title: "hide and show take a turn out of history and back in",
      async run({ store }) {
        await record(store, CHAT, turnOf("t1"), turnOf("t2", { hides: ["t1"] }));
        expect(
          await store.changeTurns(CHAT, [
            { turn: "t2", action: "hide" },
            { turn: "t1", action: "show" },
          ]),
        ).toBe(2);
        const turns = await allTurns(store, CHAT);
        expect(turns.map((turn) => [turn.id, turn.hidden === true, turn.replacedBy])).toEqual([
          ["t1", false, undefined],
          ["t2", true, undefined],
        ]);
        expect(await store.findMessages(CHAT, ["t1-q", "t2-q"])).toEqual([{ id: "t1-q", turn: "t1", seq: 1 }]);
        expect(await store.readConversation(CHAT)).toMatchObject({ turns: 1, messages: 2, lastSeq: 2 });
      },
    },
    {
      rules: ["W16", "A4"],
      title: "rewrite changes messages and counts and keeps the place",
      async run({ store }) {
        await record(store, CHAT, turnOf("t1"), turnOf("t2"));
        const messages = [messageOf("t1-q", "user", "kept")];
        const change = { turn: "t1", action: "rewrite", messages, counted: 1, tokens: 5 } as const;
        expect(await store.changeTurns(CHAT, [change], { now: at(9) })).toBe(1);
        const [turn] = await store.readTurns(CHAT, { limit: 1 });
        expect(turn).toMatchObject({ id: "t1", seq: 1, counted: 1, tokens: 5, status: "completed" });
        expect(bare(turn?.messages ?? [])).toEqual(messages);
        expect(await store.findMessages(CHAT, ["t1-q", "t1-a"])).toEqual([{ id: "t1-q", turn: "t1", seq: 1 }]);
        expect(await store.readConversation(CHAT)).toMatchObject({ messages: 3, turns: 2, updatedAt: at(9) });
      },
    },
    {
      rules: ["W16", "A2"],
      title: "a rewrite or an erasure of a turn that changed since it was read is passed over",
      async run({ store }) {
        const [seq = 0] = await record(store, CHAT, turnOf("t1"));
        const messages = [messageOf("t1-q", "user", "kept")];
        const rewrite = { turn: "t1", action: "rewrite", messages, counted: 1, tokens: 5 } as const;
        const asRead = { seq, messages: ["t1-q", "t1-a"] };
        await record(store, CHAT, turnOf("t2"));
        for (const ifStill of [
          { ...asRead, seq: seq + 1 },
          { seq, messages: ["t1-q"] },
          { seq, messages: ["t1-a", "t1-q"] },
        ]) {
          expect(await store.changeTurns(CHAT, [{ ...rewrite, ifStill }])).toBe(0);
          expect(await store.changeTurns(CHAT, [{ turn: "t1", action: "erase", ifStill }])).toBe(0);
        }
        expect((await allTurns(store, CHAT))[0]?.messages).toHaveLength(2);
        expect(await store.changeTurns(CHAT, [{ ...rewrite, ifStill: asRead }])).toBe(1);
        const erase = { turn: "t1", action: "erase", ifStill: { seq, messages: ["t1-q"] } } as const;
        expect(await store.changeTurns(CHAT, [erase])).toBe(1);
        expect((await allTurns(store, CHAT)).map((turn) => turn.id)).toEqual(["t2"]);
      },
    },
    {
      rules: ["F10"],
      title: "restamp files one turn under another subject and leaves the others",
      async run({ store }) {
        await record(store, CHAT, turnOf("t1", { subject: "visitor" }), turnOf("t2"));
        expect(await store.changeTurns(CHAT, [{ turn: "t2", action: "restamp", subject: "ann" }])).toBe(1);
        const turns = await allTurns(store, CHAT);
        expect(turns.map((turn) => turn.subject)).toEqual(["visitor", "ann"]);
        expect(await store.readConversation(CHAT)).toMatchObject({ subject: "visitor" });
      },
    },
    {
      rules: ["W16"],
      title: "changes of turns that aren't there are passed over and not counted",
      async run({ store }) {
        await record(store, CHAT, turnOf("t1"));
        const changes = [
          { turn: "x", action: "hide" },
          { turn: "t1", action: "hide" },
        ] as const;
        expect(await store.changeTurns(CHAT, changes)).toBe(1);
        expect(await store.changeTurns({ ...CHAT, conversation: "none" }, changes)).toBe(0);
        expect(await store.readConversation({ ...CHAT, conversation: "none" })).toBeNull();
      },
    },
  ],
};
