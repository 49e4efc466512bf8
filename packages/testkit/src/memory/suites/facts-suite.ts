import { memoryTools } from "@throughline/core";
import { expect } from "vitest";
import type { MemorySuite } from "../memory-suite.ts";
import { assistant, codeOf, user } from "../talk.ts";

/** Facts: whose they are, what replaces what, and forgetting that holds. */
export const factsSuite: MemorySuite = {
  name: "facts",
  cases: [
    {
      rules: ["F4", "G7", "O2"],
      title: "of a text too long it is told how much was kept, by the call and by the model's tool",
      async run({ memory }) {
        const made = memory({ policy: { enabled: true, longTerm: { maxValueChars: 10 } } });
        const chat = made.conversation({ id: "c", subject: "ana" });
        const cut = { kept: 10, of: 16 };
        const long = "long walks, alone".slice(0, 16);
        expect(await chat.remember("a", long, { idempotencyKey: "k" })).toMatchObject({
          status: "stored",
          truncated: cut,
        });
        expect(await chat.remember("a", long, { idempotencyKey: "k" })).toMatchObject({ truncated: cut });
        expect(await chat.remember("a", long)).toMatchObject({ status: "unchanged", truncated: cut });
        expect((await chat.remember("b", "short")).truncated).toBeUndefined();
        const tool = memoryTools(chat, { only: ["memory_remember"] })[0];
        const told = await tool?.answer({ key: "c", value: long }, {});
        expect(told?.text).toContain("Remembered only the first 10 of 16 characters");
        expect(told?.data).toMatchObject({ status: "stored", truncated: cut });
        expect(await tool?.answer({ key: "d", value: "short" }, {})).toMatchObject({ text: "Remembered." });
      },
    },
    {
      rules: ["F2", "F3", "F9"],
      title: "a fact is read back under its own scope and person only",
      async run({ memory }) {
        const made = memory();
        const chat = made.conversation({ id: "c", subject: "ana" });
        await chat.remember("k", "ana's");
        await chat.remember("k", "the chat's", { scope: "conversation" });
        await made.conversation({ id: "alone" }).remember("k", "nobody's");
        await made.operator.remember({ scope: "app", key: "k", value: "the app's" });
        expect(await chat.recall("k", { scope: "user" })).toBe("ana's");
        expect(await chat.recall("k", { scope: "conversation" })).toBe("the chat's");
        expect(await made.conversation({ id: "d", subject: "ana" }).recall("k")).toBe("ana's");
        expect(await made.conversation({ id: "e", subject: "bob" }).recall("k", { scope: "app" })).toBe("the app's");
        expect(await made.conversation({ id: "e", subject: "bob" }).recall("k", { scope: "user" })).toBeNull();
        expect(await chat.remember("k", 1, { scope: "app" })).toMatchObject({ code: "SCOPE_READ_ONLY" });
      },
    },
    {
      rules: ["F1", "F2", "F3", "F9", "O2"],
      title: "without a scope a key is found in the narrowest that holds it, and forgotten in all that may be written",
      async run({ memory }) {
        const made = memory();
        const chat = made.conversation({ id: "c", subject: "ana" });
        const [remember, recall, forget] = memoryTools(chat);
        await made.operator.remember({ scope: "app", key: "tone", value: "app" });
        expect(await chat.recall("tone")).toBe("app");
        expect(await chat.forget("tone")).toMatchObject({ forgotten: 0, code: "SCOPE_READ_ONLY" });
        await made.operator.remember({ scope: "global", subject: "ana", key: "tone", value: "global" });
        expect(await chat.recall("tone")).toBe("global");
        await chat.remember("tone", "everywhere");
        expect(await chat.recall("tone")).toBe("everywhere");
        await remember?.run({ key: "tone", value: "here", scope: "conversation" });
        expect(await chat.recall("tone")).toBe("here");
        expect((await recall?.answer({ key: "tone" }))?.data).toMatchObject({ facts: [{ value: "here" }] });
        expect(await made.conversation({ id: "d", subject: "ana" }).recall("tone")).toBe("everywhere");
        expect(await chat.forget("tone", { scope: "conversation" })).toMatchObject({ forgotten: 1 });
        expect(await chat.recall("tone")).toBe("everywhere");
        await chat.remember("tone", "only here", { scope: "conversation" });
        expect(await forget?.run({ key: "tone" })).toBe("Forgotten: 2 facts.");
        expect(await chat.recall("tone")).toBe("global");
        const nobody = made.conversation({ id: "e" });
        await nobody.remember("pet", "Rex");
        expect([await nobody.recall("pet"), (await nobody.forget("pet")).forgotten]).toEqual(["Rex", 1]);
        expect(await nobody.forget("pet")).toMatchObject({ forgotten: 0, code: "NOT_FOUND" });
      },
    },
    {
      rules: ["F7", "G5"],
      title: "a changed fact keeps its history, and is read as of a moment",
      async run({ memory }) {
        const made = memory();
        const chat = made.conversation({ id: "c", subject: "ana" });
        await chat.remember("city", "Porto");
        const [porto] = await made.subject("ana").facts();
        expect((await chat.remember("city", "Braga")).status).toBe("superseded");
        expect(await chat.recall("city")).toBe("Braga");
        const asOf = porto?.validFrom ?? "";
        expect((await chat.recall({ asOf })).facts.map((fact) => fact.value)).toEqual(["Porto"]);
        const all = await made.subject("ana").facts({ history: true });
        const [braga] = await made.subject("ana").facts();
        expect(all.find((fact) => fact.id === porto?.id)).toMatchObject({ value: "Porto", supersededBy: braga?.id });
      },
    },
    {
      rules: ["F12"],
      title: "ifVersion refuses what somebody else has changed, and the same call again changes nothing",
      async run({ memory }) {
        const chats = [memory(), memory()].map((made) => made.conversation({ id: "c", subject: "ana" }));
        const [one, two] = chats;
        await one?.remember("n", 1, { ifVersion: 0 });
        await two?.remember("n", 2, { ifVersion: 1 });
        expect(await codeOf(() => one?.remember("n", 3, { ifVersion: 1 }))).toBe("VERSION_CONFLICT");
        const first = await one?.remember("n", 4, { idempotencyKey: "call-1" });
        await two?.remember("n", 5);
        expect(await two?.remember("n", 4, { idempotencyKey: "call-1" })).toEqual(first);
        expect(await one?.recall("n")).toBe(5);
      },
    },
    {
      rules: ["F4", "F8"],
      title: "the agent's facts expire on read, and past the cap the oldest goes and is named",
      async run({ memory, tick }) {
        const made = memory({ policy: { enabled: true, longTerm: { maxAgentFacts: 2 } } });
        const chat = made.conversation({ id: "c", subject: "ana" });
        const first = await chat.remember("a", "first");
        await chat.remember("b", "second", { ttl: "1m" });
        expect(await chat.remember("c", "third")).toMatchObject({ status: "stored", evicted: [first.id] });
        tick(120_000);
        expect((await made.subject("ana").facts()).map((fact) => fact.key)).toEqual(["c"]);
        expect((await chat.remember("a", "first")).status).toBe("stored");
      },
    },
    {
      rules: ["F8"],
      title: "forgetting says what would go, and takes it with its history",
      async run({ memory }) {
        const made = memory();
        const chat = made.conversation({ id: "c", subject: "ana" });
        await chat.remember("city", "Porto", { tags: ["place"] });
        await chat.remember("city", "Braga", { tags: ["place"] });
        await chat.remember("tea", "green");
        expect(await chat.forget({ tag: "place", dryRun: true })).toMatchObject({ forgotten: 1, dryRun: true });
        expect(await chat.recall("city")).toBe("Braga");
        expect(await chat.forget({ tag: "place" })).toMatchObject({ forgotten: 1 });
        const left = await made.subject("ana").facts({ history: true });
        expect(left.map((fact) => fact.value)).toEqual(["green"]);
        expect((await chat.begin({ messages: [user("where do I live?")] })).system).not.toContain("Braga");
      },
    },
    {
      rules: ["G3"],
      title: "what was forgotten isn't restated, imported or retried back, until the person lifts it",
      async run({ memory }) {
        const made = memory();
        const chat = made.conversation({ id: "c", subject: "ana" });
        await chat.remember("city", "Porto", { idempotencyKey: "call-1" });
        const backup = await made.subject("ana").export();
        await chat.forget("city");
        const others = memory();
        for (const attempt of [
          chat.remember("city", "  PORTO "),
          others.conversation({ id: "d", subject: "ana" }).remember("home_town", "Porto"),
          others.operator.remember({ scope: "user", subject: "ana", key: "city", value: "Porto" }),
        ]) {
          expect(await attempt).toMatchObject({ status: "refused", code: "FORGOTTEN" });
        }
        expect(await others.operator.import(backup)).toMatchObject({ facts: 0, refused: [{ code: "FORGOTTEN" }] });
        await chat.remember("city", "Porto", { idempotencyKey: "call-1" });
        expect((await chat.recall({})).facts).toEqual([]);
        expect((await chat.remember("city", "Braga")).status).toBe("stored");
        await made.subject("ana").lift({ key: "city", value: "Porto" });
        expect((await chat.remember("city", "Porto")).status).toBe("superseded");
      },
    },
    {
      rules: ["G13"],
      title: "a change of the agent's is listed with its reason, and undone it stays away",
      async run({ memory }) {
        const made = memory();
        const chat = made.conversation({ id: "c", subject: "ana" });
        await chat.remember("city", "Porto");
        const turn = await chat.begin({ messages: [user("I moved to Braga")] });
        const moved = await turn.conversation.remember("city", "Braga", { quote: "I moved to Braga" });
        await turn.complete([assistant("noted")]);
        expect((await made.subject("ana").changes())[0]).toMatchObject({
          fact: { value: "Braga", origin: "user" },
          replaced: { value: "Porto" },
          because: { conversation: "c", turn: turn.id, quote: "I moved to Braga" },
        });
        expect((await made.subject("ana").undo(moved.id ?? "")).status).toBe("stored");
        expect(await chat.recall("city")).toBe("Porto");
        expect(await chat.remember("city", "Braga")).toMatchObject({ code: "FORGOTTEN" });
      },
    },
  ],
};
