import type { VectorSelection } from "@throughline/core";
import { expect } from "vitest";
import { AGENT, at, CHAT, chat, messageOf, record, turnOf } from "../fixtures.ts";
import type { StoreSuite } from "../store-suite.ts";
import {
  ANN,
  axis,
  EVERYBODY,
  find,
  findAll,
  MODEL,
  near,
  questionOf,
  say,
  scopeOf,
  vectorsOf,
} from "./vector-fixtures.ts";

/** Vectors: they follow their turns, and nothing erased comes back. */
export const vectorTurnsSuite: StoreSuite = {
  name: "vectors of turns",
  applies: ({ capabilities }) => capabilities.vectorSearch,
  cases: [
    {
      rules: ["W15", "S1"],
      title: "vectors of hidden turns are not found, leave room for others, and are back when shown",
      async run({ store }) {
        await say(store, CHAT, [axis(0), axis(0), axis(1)]);
        await store.changeTurns(CHAT, [{ turn: "t1", action: "hide" }]);
        expect(await findAll(store)).toEqual(["chat-1/t2", "chat-1/t3"]);
        expect(await findAll(store, EVERYBODY, { limit: 2 })).toEqual(["chat-1/t2", "chat-1/t3"]);
        await store.changeTurns(CHAT, [{ turn: "t1", action: "show" }]);
        expect(await findAll(store)).toEqual(["chat-1/t1", "chat-1/t2", "chat-1/t3"]);
        await record(store, CHAT, turnOf("t4", { hides: ["t1", "t2"] }));
        expect(await findAll(store)).toEqual(["chat-1/t3"]);
      },
    },
    {
      rules: ["A2", "F8"],
      title: "vectors of erased and replaced turns, of messages that a rewrite left out or gave other words are gone",
      async run({ store }) {
        await say(store, CHAT, [axis(0), axis(1), axis(2), axis(3), axis(4)], { subject: "ann" });
        const answer = questionOf("t2", 2, axis(5), { position: 1, message: "t2-a", role: "assistant" });
        await vectorsOf(store).put(CHAT, { model: MODEL, documents: [answer] });
        await store.changeTurns(CHAT, [{ turn: "t1", action: "erase" }]);
        const kept = [messageOf("t2-a", "assistant", "answer of t2")];
        await store.changeTurns(CHAT, [{ turn: "t2", action: "rewrite", messages: kept, counted: 1, tokens: 1 }]);
        const other = [messageOf("t3-q", "user", "other words")];
        await store.changeTurns(CHAT, [{ turn: "t3", action: "rewrite", messages: other, counted: 1, tokens: 1 }]);
        await record(store, CHAT, turnOf("t4", { previousSeq: 4 }));
        const found = await near(store);
        expect(found.map(({ message, position }) => [message, position]).toSorted()).toEqual([
          ["t2-a", 0],
          ["t5-q", 0],
        ]);
        // What a rewrite brings back under the same id has no vector until it is given one.
        const back = [messageOf("t2-q", "user", "question of t2"), ...kept];
        await store.changeTurns(CHAT, [{ turn: "t2", action: "rewrite", messages: back, counted: 2, tokens: 1 }]);
        expect((await near(store)).map(({ message, position }) => [message, position]).toSorted()).toEqual([
          ["t2-a", 1],
          ["t5-q", 0],
        ]);
      },
    },
    {
      rules: ["A2", "G4"],
      title: "an erased conversation's vectors are gone and counted, others' stay, and a late write brings none back",
      async run({ store }) {
        const documents = await say(store, CHAT, [axis(0), axis(0)], { subject: "ann" });
        await say(store, chat("b"), [axis(0)], { subject: "ann" });
        const target = { kind: "conversation", conversation: CHAT.conversation } as const;
        const { removed } = await store.erase(AGENT, target, { now: at(9) });
        expect(removed).toMatchObject({ turns: 2, vectors: 2 });
        expect(await findAll(store)).toEqual(["b/t1"]);
        expect(await vectorsOf(store).put(CHAT, { model: MODEL, documents })).toBe(0);
        expect(await findAll(store)).toEqual(["b/t1"]);
        // A new conversation of the same id has nothing of the old one.
        await record(store, CHAT, turnOf("t1", { minute: 10 }));
        expect(await findAll(store)).toEqual(["b/t1"]);
        expect(await store.readConversation(chat("c"))).toBeNull();
        expect(await vectorsOf(store).put(chat("c"), { model: MODEL, documents })).toBe(0);
        expect(await store.readConversation(chat("c"))).toBeNull();
      },
    },
    {
      rules: ["A2", "E3"],
      title: "vectors of a conversation that was begun anew under its id since are left out",
      async run({ store }) {
        const documents = await say(store, CHAT, [axis(0)]);
        const { createdAt } = (await store.readConversation(CHAT)) ?? expect.fail("The conversation is not there.");
        await store.erase(AGENT, { kind: "conversation", conversation: CHAT.conversation }, { now: at(8) });
        await record(store, CHAT, turnOf("t1", { minute: 9 }));
        const put = (made: string) => vectorsOf(store).put(CHAT, { createdAt: made, model: MODEL, documents });
        expect(await put(createdAt)).toBe(0);
        expect(await findAll(store)).toEqual([]);
        expect(await put((await store.readConversation(CHAT))?.createdAt ?? "")).toBe(1);
        expect(await findAll(store)).toEqual(["chat-1/t1"]);
      },
    },
    {
      rules: ["A2", "F10"],
      title: "an erased subject's vectors are gone everywhere, in conversations of somebody else's too",
      async run({ store }) {
        const own = await say(store, chat("a"), [axis(0)], { subject: "ann" });
        await say(store, chat("b"), [axis(0)], { subject: "bob" });
        const shared = await say(store, chat("s"), [axis(0), axis(1)], { subject: "ann" });
        await store.changeConversation(chat("s"), { now: at(3), subject: "bob" });
        await store.changeTurns(chat("s"), [{ turn: "t2", action: "restamp", subject: "bob" }]);
        const { removed } = await store.erase(AGENT, { kind: "subject", subject: "ann" }, { now: at(9) });
        expect(removed).toMatchObject({ turns: 2, vectors: 2 });
        expect(await vectorsOf(store).put(chat("a"), { model: MODEL, documents: own })).toBe(0);
        expect(await vectorsOf(store).put(chat("s"), { model: MODEL, documents: shared })).toBe(1);
        expect(await findAll(store)).toEqual(["b/t1", "s/t2"]);
        expect(await findAll(store, ANN)).toEqual([]);
      },
    },
    {
      rules: ["A2", "W6"],
      title: "what was erased, hidden or written anew while it was being embedded is not found",
      async run({ store }) {
        await record(store, CHAT, turnOf("t1"), turnOf("t2"), turnOf("t3"), turnOf("t4"), turnOf("t5"));
        const rest = [messageOf("t5-a", "assistant", "answer of t5")];
        await store.changeTurns(CHAT, [
          { turn: "t1", action: "erase" },
          { turn: "t2", action: "hide" },
          { turn: "t5", action: "rewrite", messages: rest, counted: 1, tokens: 1 },
        ]);
        await record(store, CHAT, turnOf("t3", { previousSeq: 3 }));
        const documents = [1, 2, 3, 4, 5].map((seq) => questionOf(`t${seq}`, seq, axis(0)));
        expect(await vectorsOf(store).put(CHAT, { model: MODEL, documents })).toBe(2);
        expect(await find(store)).toEqual(["chat-1/t4"]);
        // The sequence number alone doesn't name a turn, nor does the id.
        const crossed = [questionOf("t4", 2, axis(0)), questionOf("t2", 4, axis(0), { message: "t4-q" })];
        expect(await vectorsOf(store).put(CHAT, { model: MODEL, documents: crossed })).toBe(0);
        await store.changeTurns(CHAT, [{ turn: "t2", action: "show" }]);
        expect(await findAll(store)).toEqual(["chat-1/t2", "chat-1/t4"]);
      },
    },
    {
      rules: ["F10", "S2"],
      title: "a restamped turn's vector is its new subject's, one of a rebound conversation stays whose it was",
      async run({ store }) {
        await say(store, CHAT, [axis(0), axis(0)], { subject: "visitor" });
        const visitor = { kind: "subject", subject: "visitor" } as const;
        await store.changeTurns(CHAT, [{ turn: "t2", action: "restamp", subject: "ann" }]);
        expect(await find(store, ANN)).toEqual(["chat-1/t2"]);
        expect(await find(store, visitor)).toEqual(["chat-1/t1"]);
        expect((await near(store, ANN))[0]?.subject).toBe("ann");
        await store.changeConversation(CHAT, { now: at(3), subject: "bob" });
        expect(await find(store, { kind: "subject", subject: "bob" })).toEqual([]);
        expect(await find(store, visitor)).toEqual(["chat-1/t1"]);
        // What is kept later is filed under the subject that the turn has by then.
        const late = [questionOf("t2", 2, axis(1), { position: 1, message: "t2-a", role: "assistant" })];
        await vectorsOf(store).put(CHAT, { model: MODEL, documents: late });
        expect(await find(store, ANN)).toEqual(["chat-1/t2", "chat-1/t2"]);
      },
    },
    {
      rules: ["W16"],
      title: "clearing hides nothing from search, as with words",
      async run({ store }) {
        await say(store, CHAT, [axis(0), axis(0)]);
        await store.changeConversation(CHAT, { now: at(3), clearedThrough: 2 });
        expect(await findAll(store)).toEqual(["chat-1/t1", "chat-1/t2"]);
      },
    },
    {
      rules: ["A4", "S4"],
      title: "dropping takes what any part of the selection names, of its conversation only, and counts it",
      async run({ store }) {
        const other = { ...MODEL, modelId: "other" };
        const fill = async (conversation: string) => {
          const documents = await say(store, chat(conversation), [axis(0), axis(0), axis(0), axis(0)]);
          await vectorsOf(store).put(chat(conversation), { model: other, documents: documents.slice(0, 2) });
        };
        await fill("b");
        const cases: [selection: VectorSelection, kept: string[], keptOfOther: string[]][] = [
          [{}, ["t1", "t2", "t3", "t4"], ["t1", "t2"]],
          [{ turns: ["t1", "t3"] }, ["t2", "t4"], ["t2"]],
          [{ messages: ["t2-q", "none"] }, ["t1", "t3", "t4"], ["t1"]],
          [{ createdBefore: at(3) }, ["t3", "t4"], []],
          [{ otherThan: MODEL }, ["t1", "t2", "t3", "t4"], []],
          [{ otherThan: { ...MODEL, dimensions: 4 } }, [], []],
          [{ turns: ["t1"], messages: ["t4-q"], createdBefore: at(1), otherThan: MODEL }, ["t2", "t3"], []],
        ];
        for (const [index, [selection, kept, keptOfOther]] of cases.entries()) {
          const name = `a${index}`;
          await fill(name);
          const turns = async (model = MODEL) => (await near(store, scopeOf(name), { model })).map(({ turn }) => turn);
          const count = 6 - kept.length - keptOfOther.length;
          expect(await vectorsOf(store).drop(chat(name), selection, { dryRun: true })).toBe(count);
          expect((await turns()).length + (await turns(other)).length).toBe(6);
          expect(await vectorsOf(store).drop(chat(name), selection)).toBe(count);
          expect((await turns()).toSorted()).toEqual(kept);
          expect((await turns(other)).toSorted()).toEqual(keptOfOther);
          expect(await vectorsOf(store).drop(chat(name), selection)).toBe(0);
        }
        expect(await near(store, scopeOf("b"))).toHaveLength(4);
        expect(await near(store, scopeOf("b"), { model: other })).toHaveLength(2);
        const stranger = chat("b", { ...AGENT, tenant: "other" });
        expect(await vectorsOf(store).drop(stranger, { createdBefore: at(99) })).toBe(0);
        expect(await near(store, scopeOf("b"))).toHaveLength(4);
      },
    },
  ],
};
