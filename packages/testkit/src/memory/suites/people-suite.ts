import { memoryTools } from "@throughline/core";
import { expect } from "vitest";
import type { MemorySuite } from "../memory-suite.ts";
import { assistant, codeOf, say, texts, user } from "../talk.ts";

/** Whose a conversation is: binding, rebinding, and several names of one person. */
export const peopleSuite: MemorySuite = {
  name: "people",
  cases: [
    {
      rules: ["F10"],
      title: "rebound in mid-turn, question and answer are filed under one person, earlier turns stay",
      async run({ memory }) {
        const made = memory();
        const chat = made.conversation({ id: "c" });
        await chat.record({ id: "t1", messages: [user("hello from nobody")] });
        const turn = await chat.begin({ messages: [user("I am Ana")] });
        expect((await chat.rebindSubject("ana")).status).toBe("stored");
        await turn.complete([assistant("Welcome, Ana")]);
        const { turns, subject } = await memory().conversation({ id: "c" }).transcript();
        expect([subject, ...turns.map((entry) => entry.subject)]).toEqual(["ana", undefined, "ana"]);
        const { hits } = await made.subject("ana").search("Ana nobody");
        expect(texts(hits.map((hit) => hit.message)).sort()).toEqual(["I am Ana", "Welcome, Ana"]);
        await memory().conversation({ id: "c" }).remember("name", "Ana");
        expect((await made.subject("ana").facts()).map((fact) => fact.key)).toEqual(["name"]);
      },
    },
    {
      rules: ["F10", "F13"],
      title: "all turns move where that is asked for, and the earlier subject is refused from then on",
      async run({ memory }) {
        const made = memory();
        const chat = made.conversation({ id: "c", subject: "wrong" });
        await say(chat, 1, 3);
        await made.settled();
        await chat.rebindSubject("right", { restamp: "all" });
        expect((await chat.transcript()).turns.map((turn) => turn.subject)).toEqual(["right", "right", "right"]);
        expect((await made.subject("right").search("q1")).hits).toHaveLength(1);
        expect((await made.subject("wrong").search("q1")).hits).toEqual([]);
        const late = memory().conversation({ id: "c", subject: "wrong" });
        expect(await codeOf(() => late.history())).toBe("CONVERSATION_OWNER_MISMATCH");
        expect(await late.record({ messages: [user("late")] })).toMatchObject({
          status: "refused",
          code: "CONVERSATION_OWNER_MISMATCH",
        });
      },
    },
    {
      rules: ["F13", "F2"],
      title: "what was remembered and said in a person's conversation is refused to another, and the tools say so",
      async run({ memory }) {
        const made = memory();
        const ana = made.conversation({ id: "c", subject: "ana" });
        await ana.record({ id: "t1", messages: [user("hi")] });
        await ana.remember("pin", "4711", { scope: "conversation" });
        const bob = memory().conversation({ id: "c", subject: "bob" });
        for (const call of [
          () => bob.recall("pin", { scope: "conversation" }),
          () => bob.recall({ query: "pin" }),
          () => bob.recall({ scope: "conversation" }),
          () => bob.forget("pin", { scope: "conversation" }),
          () => bob.forget({ all: true, dryRun: true }),
          () => bob.search("hi"),
          () => bob.search("what did I say yesterday?"),
          () => bob.search("hi", { excludeHistory: true }),
        ]) {
          expect(await codeOf(call)).toBe("CONVERSATION_OWNER_MISMATCH");
        }
        expect(await bob.remember("pin", "0000", { scope: "conversation" })).toMatchObject({
          status: "refused",
          code: "CONVERSATION_OWNER_MISMATCH",
        });
        for (const [tool, asked] of [
          ["memory_recall", { query: "pin" }],
          ["memory_recall", { key: "pin", scope: "conversation" }],
          ["memory_remember", { key: "pin", value: "0000", scope: "conversation" }],
          ["memory_forget", { key: "pin", scope: "conversation" }],
          ["memory_search", { query: "hi" }],
        ] as const) {
          const [run] = memoryTools(bob, { only: [tool] });
          const answer = await run?.answer(asked);
          expect(answer).toMatchObject({ code: "CONVERSATION_OWNER_MISMATCH", retryable: false });
          expect(answer?.text).toContain("belongs to another subject");
          expect(JSON.stringify(answer)).not.toContain("4711");
        }
        expect((await memory().conversation({ id: "c" }).search("hi")).hits).toHaveLength(1);
        // What is Bob's own is his in any conversation; whoever names nobody is in the conversation's own.
        await bob.remember("tea", "green");
        expect(await bob.recall("tea", { scope: "user" })).toBe("green");
        expect(await made.conversation({ id: "c" }).recall("pin", { scope: "conversation" })).toBe("4711");
        expect(await ana.recall("pin", { scope: "conversation" })).toBe("4711");
      },
    },
    {
      rules: ["F13", "F9", "W16"],
      title: "what a person has remembered in a conversation before its first turn makes it theirs, and it is listed",
      async run({ memory }) {
        const made = memory();
        const ana = made.conversation({ id: "c", subject: "ana" });
        expect(await ana.remember("pin", "4711", { scope: "conversation" })).toMatchObject({ status: "stored" });
        expect((await made.conversations()).items).toMatchObject([{ id: "c", subject: "ana", turns: 0, messages: 0 }]);
        const bob = memory().conversation({ id: "c", subject: "bob" });
        expect(await codeOf(() => bob.recall({}))).toBe("CONVERSATION_OWNER_MISMATCH");
        expect(await bob.record({ messages: [user("hi")] })).toMatchObject({ code: "CONVERSATION_OWNER_MISMATCH" });
        expect((await ana.record({ messages: [user("hi")] })).status).toBe("stored");
        const nobody = made.conversation({ id: "d" });
        await nobody.remember("tone", "brief", { scope: "conversation" });
        expect(await made.conversation({ id: "d", subject: "ana" }).recall("tone", { scope: "conversation" })).toBe(
          "brief",
        );
        expect((await made.conversation({ id: "d", subject: "bob" }).record({ messages: [user("x")] })).status).toBe(
          "stored",
        );
      },
    },
    {
      rules: ["F13", "A2"],
      title:
        "of two people who remember in a new conversation at once one is refused, and erasing the other leaves nothing",
      async run({ memory }) {
        const people = ["ana", "bob"] as const;
        const chats = people.map((subject) => memory().conversation({ id: "c", subject }));
        const outcomes = await Promise.all(
          chats.map((chat) => chat.remember("pin", "4711", { scope: "conversation" })),
        );
        expect(outcomes.map(({ status }) => status).sort()).toEqual(["refused", "stored"]);
        const winner = outcomes.findIndex(({ status }) => status === "stored");
        const made = memory();
        expect((await made.conversation({ id: "c" }).info())?.subject).toBe(people[winner]);
        await made.subject(people[winner] ?? "").erase();
        expect(await made.conversation({ id: "c" }).info()).toBeNull();
        expect(await made.conversation({ id: "c" }).recall("pin")).toBeNull();
      },
    },
    {
      rules: ["A2", "F13"],
      title: "what is remembered late in a conversation of an erased person binds nothing to them",
      async run({ memory }) {
        const made = memory();
        const turn = await made.conversation({ id: "c", subject: "ana" }).begin({ messages: [user("hi")] });
        await memory().subject("ana").erase();
        const late = await turn.conversation.remember("pin", "4711", { scope: "conversation" });
        expect(late).toMatchObject({ status: "refused", code: "ERASED" });
        expect(await made.conversation({ id: "c" }).info()).toBeNull();
      },
    },
    {
      rules: ["F11"],
      title: "linked channels are one person's memory, also what was there before",
      async run({ memory }) {
        const made = memory();
        const mail = made.conversation({ id: "by-mail", subject: "ana@example.org" });
        await mail.record({ messages: [user("my dog is Rex")] });
        await made.settled();
        await mail.remember("dog", "Rex");
        await mail.remember("city", "Porto");
        const app = made.conversation({ id: "app", subject: "ana" });
        await app.remember("city", "Braga");
        expect((await made.operator.link({ identity: "ana@example.org", subject: "ana" })).status).toBe("stored");
        expect([await app.recall("dog"), await app.recall("city")]).toEqual(["Rex", "Braga"]);
        expect((await app.search("dog")).hits).toHaveLength(1);
        expect(texts(await mail.history())).toEqual(["my dog is Rex"]);
        await memory().conversation({ id: "new", subject: "ana@example.org" }).remember("tea", "green");
        expect(await app.recall("tea")).toBe("green");
        expect((await made.operator.link({ identity: "ana@example.org", subject: "ana" })).status).toBe("unchanged");
      },
    },
    {
      rules: ["F11"],
      title: "unlinked, what is written later is the channel's own again",
      async run({ memory }) {
        const made = memory();
        await made.operator.link({ identity: "phone", subject: "ana" });
        await made.conversation({ id: "c1", subject: "phone" }).remember("a", 1);
        expect((await made.operator.unlink({ identity: "phone" })).status).toBe("stored");
        await made.conversation({ id: "c2", subject: "phone" }).remember("b", 2);
        expect((await made.subject("ana").facts()).map((fact) => fact.key)).toEqual(["a"]);
        expect((await made.subject("phone").facts()).map((fact) => fact.key)).toEqual(["b"]);
        expect((await made.operator.unlink({ identity: "phone" })).status).toBe("unchanged");
      },
    },
    {
      rules: ["W16"],
      title: "the operator files a conversation under another person, with all that was said",
      async run({ memory }) {
        const made = memory();
        await say(made.conversation({ id: "c", subject: "ana" }), 1, 2);
        await made.settled();
        expect((await made.operator.transfer({ conversation: "c", subject: "bob" })).status).toBe("stored");
        expect((await made.subject("bob").search("q1")).hits).toHaveLength(1);
        expect((await made.subject("ana").search("q1")).hits).toEqual([]);
        expect((await made.conversations({ subject: "bob" })).items.map((info) => info.messages)).toEqual([4]);
        expect(await made.operator.transfer({ conversation: "none", subject: "bob" })).toMatchObject({
          code: "NOT_FOUND",
        });
      },
    },
  ],
};
