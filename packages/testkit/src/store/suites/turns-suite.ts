import type { TurnRow } from "@throughline/core";
import { expect } from "vitest";
import { allTurns, at, bare, CHAT, chat, idsOf, messageOf, record, turnOf } from "../fixtures.ts";
import type { StoreSuite } from "../store-suite.ts";

/** Recording: order, sequence numbers, wholeness, and never twice. */
export const turnsSuite: StoreSuite = {
  name: "turns",
  cases: [
    {
      rules: ["W1", "W6"],
      title: "a turn comes back as it was written, with the next sequence number",
      async run({ store }) {
        const write = turnOf("t1", {
          subject: "ann",
          login: "login-1",
          turn: {
            status: "failed",
            endedAt: at(2),
            agentName: "Ada",
            replaces: "t0",
            error: { code: "rate_limit", message: "Slow down." },
            counted: 3,
            tokens: 77,
          },
        });
        const commit = await store.commitTurn(CHAT, write);
        expect(commit).toMatchObject({
          status: "stored",
          seq: 1,
          conversation: { id: CHAT.conversation, subject: "ann", login: "login-1", lastSeq: 1, turns: 1, messages: 3 },
        });
        const [turn] = await store.readTurns(CHAT, { limit: 10 });
        if (turn === undefined) expect.fail("The turn is not there.");
        expect({ ...turn, messages: bare(turn.messages) }).toEqual({
          ...write.turn,
          conversation: CHAT.conversation,
          seq: 1,
          subject: "ann",
        });
      },
    },
    {
      rules: ["W1"],
      title: "every message of the turn is there, in order, with all its parts",
      async run({ store }) {
        const messages = [
          messageOf("m1", "user", "look it up"),
          {
            ...messageOf("m2", "assistant", "a moment"),
            parts: [
              { type: "reasoning" as const, text: "think" },
              { type: "tool-call" as const, callId: "c1", tool: "find", input: { deep: [1, null, { "": -0.5 }] } },
            ],
            native: { format: "host/message@1", value: { kept: ["as", "given"] } },
          },
          {
            ...messageOf("m3", "tool", ""),
            parts: [{ type: "tool-result" as const, callId: "c1", tool: "find", output: "found", isError: false }],
          },
          { ...messageOf("m4", "assistant", "done"), name: "Ada" },
        ];
        await record(store, CHAT, turnOf("t1", { turn: { messages } }));
        const [turn] = await store.readTurns(CHAT, { limit: 1 });
        expect(bare(turn?.messages ?? [])).toEqual(messages);
      },
    },
    {
      rules: ["W6"],
      title: "the sequence runs from 1 in the order of the writes, whatever the turns' times",
      async run({ store }) {
        const sequence = await record(
          store,
          CHAT,
          turnOf("late", { minute: 9 }),
          turnOf("early", { minute: 1 }),
          turnOf("same", { minute: 1 }),
        );
        expect(sequence).toEqual([1, 2, 3]);
        expect(idsOf(await store.readTurns(CHAT, { limit: 10 }))).toEqual(["late", "early", "same"]);
      },
    },
    {
      rules: ["W6", "A2"],
      title: "a sequence number is never given twice, even after the newest turn was erased",
      async run({ store }) {
        await record(store, CHAT, turnOf("t1"), turnOf("t2"));
        expect(await store.changeTurns(CHAT, [{ turn: "t2", action: "erase" }])).toBe(1);
        expect(await store.readConversation(CHAT)).toMatchObject({ lastSeq: 2, turns: 1, messages: 2 });
        expect(await record(store, CHAT, turnOf("t3"))).toEqual([3]);
      },
    },
    {
      rules: ["W1"],
      title: "the same turn id again answers what is there and writes nothing",
      async run({ store }) {
        await record(store, CHAT, turnOf("t1", { said: "first" }));
        const before = await store.readConversation(CHAT);
        const again = await store.commitTurn(CHAT, turnOf("t1", { said: "second", minute: 5 }));
        expect(again).toMatchObject({ status: "exists", turn: { id: "t1", seq: 1 } });
        const turns = await allTurns(store, CHAT);
        expect(turns.map((turn) => turn.messages[0]?.parts)).toEqual([[{ type: "text", text: "first" }]]);
        expect(await store.readConversation(CHAT)).toEqual(before);
      },
    },
    {
      rules: ["W1"],
      title: "a message that another turn holds refuses the whole turn and says where it is",
      async run({ store }) {
        await record(store, CHAT, turnOf("t1"), turnOf("t2"));
        const messages = [
          messageOf("new", "user", "x"),
          messageOf("t2-a", "assistant", "y"),
          messageOf("t1-q", "user", "z"),
        ];
        expect(await store.commitTurn(CHAT, turnOf("t3", { turn: { messages } }))).toEqual({
          status: "known",
          messages: [
            { id: "t2-a", turn: "t2", seq: 2 },
            { id: "t1-q", turn: "t1", seq: 1 },
          ],
        });
        expect(await store.findMessages(CHAT, ["new"])).toEqual([]);
        expect(await store.readConversation(CHAT)).toMatchObject({ lastSeq: 2, turns: 2 });
      },
    },
    {
      rules: ["W1"],
      title: "findMessages answers in the order of the ids and leaves out what isn't there",
      async run({ store }) {
        await record(store, CHAT, turnOf("t1"), turnOf("t2"));
        expect(await store.findMessages(CHAT, ["t2-q", "nothing", "t1-a"])).toEqual([
          { id: "t2-q", turn: "t2", seq: 2 },
          { id: "t1-a", turn: "t1", seq: 1 },
        ]);
        expect(await store.findMessages(CHAT, [])).toEqual([]);
      },
    },
    {
      rules: ["J1"],
      title: "readTurns pages both ways between exclusive borders",
      async run({ store }) {
        await record(store, CHAT, ...["t1", "t2", "t3", "t4", "t5"].map((id) => turnOf(id)));
        expect(idsOf(await store.readTurns(CHAT, { limit: 2 }))).toEqual(["t1", "t2"]);
        expect(idsOf(await store.readTurns(CHAT, { after: 2, limit: 2 }))).toEqual(["t3", "t4"]);
        expect(idsOf(await store.readTurns(CHAT, { order: "newest", limit: 2 }))).toEqual(["t5", "t4"]);
        expect(idsOf(await store.readTurns(CHAT, { order: "newest", before: 4, limit: 2 }))).toEqual(["t3", "t2"]);
        expect(idsOf(await store.readTurns(CHAT, { after: 1, before: 4, limit: 9 }))).toEqual(["t2", "t3"]);
        expect(idsOf(await store.readTurns(CHAT, { ids: ["t4", "x", "t2"], limit: 9 }))).toEqual(["t2", "t4"]);
        expect(idsOf(await store.readTurns(CHAT, { ids: ["t4", "t2"], after: 2, limit: 9 }))).toEqual(["t4"]);
        expect(await store.readTurns(CHAT, { ids: [], limit: 9 })).toEqual([]);
      },
    },
    {
      rules: ["J1"],
      title: "findTurns, where there is one, reads visible turns of several conversations of one agent",
      async run({ store }) {
        if (store.findTurns === undefined) return;
        const [other, stranger] = [chat("c2"), { ...CHAT, agent: `${CHAT.agent}-other` }];
        await record(store, CHAT, turnOf("t1", { subject: "ann" }), turnOf("t2"), turnOf("t3"));
        await record(store, other, turnOf("t1"));
        await record(store, stranger, turnOf("t9"));
        await store.changeTurns(CHAT, [{ turn: "t3", action: "hide" }]);
        const places = [
          { conversation: CHAT.conversation, turn: "t2", seq: 2 },
          { conversation: CHAT.conversation, turn: "t1" },
          { conversation: CHAT.conversation, turn: "t2" },
          { conversation: CHAT.conversation, turn: "t3" },
          { conversation: CHAT.conversation, turn: "t9" },
          { conversation: other.conversation, turn: "t1", seq: 1 },
          { conversation: other.conversation, turn: "t1", seq: 2 },
          { conversation: "nowhere", turn: "t1" },
        ];
        const byPlace = (rows: readonly TurnRow[]) =>
          rows.toSorted((a, b) =>
            a.conversation === b.conversation ? a.seq - b.seq : a.conversation < b.conversation ? -1 : 1,
          );
        const expected = [
          ...(await store.readTurns(CHAT, { ids: ["t1", "t2"], limit: 9 })),
          ...(await store.readTurns(other, { limit: 9 })),
        ];
        expect(expected).toHaveLength(3);
        expect(byPlace(await store.findTurns(CHAT, places))).toEqual(byPlace(expected));
        expect(await store.findTurns(CHAT, [{ conversation: CHAT.conversation, turn: "t1", seq: 2 }])).toEqual([]);
        expect(await store.findTurns(CHAT, [])).toEqual([]);
      },
    },
    {
      rules: ["J1", "J3"],
      title: "findTurns, where there is one, takes any places: thousands, odd ids, numbers that no turn has",
      async run({ store }) {
        if (store.findTurns === undefined) return;
        const odd = chat("%_'\";: 🦫 \\");
        const oddTurn = "'); -- %_ é 🦫";
        await record(store, CHAT, turnOf("t1"), turnOf("t2"));
        await record(store, odd, turnOf(oddTurn, { subject: "bob" }));
        const { conversation } = CHAT;
        const many = Array.from({ length: 40_000 }, (_, index) => ({ conversation, turn: `no-${index}`, seq: index }));
        const found = await store.findTurns(CHAT, [
          ...many,
          { conversation, turn: "t2" },
          ...many,
          { conversation: odd.conversation, turn: oddTurn, seq: 1 },
        ]);
        expect(found.map(({ id, subject }) => [id, subject]).sort()).toEqual(
          [
            [oddTurn, "bob"],
            ["t2", undefined],
          ].sort(),
        );
        for (const seq of [0, -1, 2.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 31, 2 ** 53]) {
          expect(await store.findTurns(CHAT, [{ conversation, turn: "t2", seq }]), `number ${seq}`).toEqual([]);
        }
        for (const id of ["", "\0", "\ud800", "T2", "t2 ", "t".repeat(100_000), "__proto__"]) {
          expect(await store.findTurns(CHAT, [{ conversation, turn: id }]), JSON.stringify(id.slice(0, 9))).toEqual([]);
          expect(await store.findTurns(CHAT, [{ conversation: id, turn: "t2" }])).toEqual([]);
        }
        expect(
          await store.findTurns({ ...CHAT, tenant: `${CHAT.tenant}-other` }, [{ conversation, turn: "t2" }]),
        ).toEqual([]);
      },
    },
    {
      rules: ["J1"],
      title: "what was given and what was answered can be changed without changing the store",
      async run({ store }) {
        const write = turnOf("t1", { said: "kept" });
        await record(store, CHAT, write);
        write.turn.messages.pop();
        const [first] = await store.readTurns(CHAT, { limit: 1 });
        first?.messages.splice(0);
        const row = await store.readConversation(CHAT);
        if (row !== null) row.watermarks.x = 9;
        const [second] = await store.readTurns(CHAT, { limit: 1 });
        expect(idsOf(second?.messages ?? [])).toEqual(["t1-q", "t1-a"]);
        expect(await store.readConversation(CHAT)).toMatchObject({ watermarks: {} });
      },
    },
    {
      rules: ["F13"],
      title: "a conversation takes the first subject named and refuses another",
      async run({ store }) {
        await record(store, CHAT, turnOf("t1"), turnOf("t2", { subject: "ann" }), turnOf("t3"));
        expect(await store.commitTurn(CHAT, turnOf("t4", { subject: "bob" }))).toEqual({ status: "owner-mismatch" });
        const turns = await allTurns(store, CHAT);
        expect(turns.map((turn) => turn.subject)).toEqual([undefined, "ann", "ann"]);
        expect(await store.readConversation(CHAT)).toMatchObject({ subject: "ann", lastSeq: 3 });
      },
    },
    {
      rules: ["F13"],
      title: "another subject learns nothing of a turn by sending its id",
      async run({ store }) {
        await record(store, CHAT, turnOf("t1", { subject: "ann" }));
        expect(await store.commitTurn(CHAT, turnOf("t1", { subject: "bob" }))).toEqual({ status: "owner-mismatch" });
        const messages = [messageOf("t1-q", "user", "guess")];
        const guess = await store.commitTurn(CHAT, turnOf("t9", { subject: "bob", turn: { messages } }));
        expect(guess).toEqual({ status: "owner-mismatch" });
      },
    },
    {
      rules: ["C1"],
      title: "the conversation keeps the newest login named",
      async run({ store }) {
        await record(store, CHAT, turnOf("t1", { login: "one" }), turnOf("t2", { login: "two" }), turnOf("t3"));
        expect(await store.readConversation(CHAT)).toMatchObject({ login: "two" });
      },
    },
    {
      rules: ["W16"],
      title: "times and counts of the conversation follow its turns",
      async run({ store }) {
        await record(store, CHAT, turnOf("t1", { minute: 1 }), turnOf("t2", { minute: 7, turn: { counted: 5 } }));
        expect(await store.readConversation(CHAT)).toMatchObject({
          createdAt: at(1),
          updatedAt: at(7),
          lastSeq: 2,
          turns: 2,
          messages: 7,
          clearedThrough: 0,
          settledSeq: 0,
          watermarks: {},
          version: 1,
        });
      },
    },
  ],
};
