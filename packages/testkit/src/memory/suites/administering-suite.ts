import { expect } from "vitest";
import type { MemorySuite } from "../memory-suite.ts";
import { assistant, calling, codeOf, DAY_MS, FOLDING, listing, resultOf, say, texts, user } from "../talk.ts";

/** Titles, clones, rewinds, deletions, retention, and a memory that moves house. */
export const administeringSuite: MemorySuite = {
  name: "administering",
  cases: [
    {
      rules: ["W16"],
      title: "titles and metadata have a version that nobody overwrites unseen",
      async run({ memory }) {
        const made = memory();
        const chat = made.conversation({ id: "c", subject: "ana" });
        await say(chat, 1, 1);
        await chat.update({ title: "Holidays", metadata: { folder: 7 } });
        const [info] = (await made.conversations()).items;
        expect(info).toMatchObject({ title: "Holidays", metadata: { folder: 7 }, turns: 1, messages: 2 });
        expect(await codeOf(() => chat.update({ title: "x", ifVersion: 1 }))).toBe("VERSION_CONFLICT");
        await chat.update({ title: null, ifVersion: info?.version ?? 0 });
        expect((await made.conversations()).items[0]?.title).toBeUndefined();
      },
    },
    {
      rules: ["W16"],
      title: "a rewound conversation goes on from there, and its clone is a conversation of its own",
      async run({ memory }) {
        const chat = memory().conversation({ id: "c", subject: "ana" });
        await say(chat, 1, 3);
        await chat.rewind({ to: "t2" });
        const copy = await chat.clone("copy");
        await copy.record({ messages: [user("only here")] });
        expect(texts(await copy.history())).toEqual(["q1", "a1", "q2", "a2", "only here"]);
        expect(texts(await chat.history())).toEqual(["q1", "a1", "q2", "a2"]);
        expect((await chat.transcript()).turns.map((turn) => turn.hidden ?? false)).toEqual([false, false, true]);
        expect((await chat.search("q3")).hits).toEqual([]);
        expect(await codeOf(() => chat.clone("copy"))).toBe("INVALID_ARGUMENT");
        expect(await codeOf(() => chat.rewind({ to: "t3" }))).toBe("NOT_FOUND");
      },
    },
    {
      rules: ["W16"],
      title: "a deleted message is gone from transcript and search, with a call goes its result",
      async run({ memory }) {
        const made = memory();
        const chat = made.conversation({ id: "c" });
        await chat.record({
          id: "t",
          messages: [user("look", "u"), calling("k"), resultOf("k", "secret", "r"), assistant("found it", "a")],
        });
        await made.settled();
        expect((await chat.deleteMessages(["r"])).status).toBe("stored");
        expect(texts(await chat.history())).toEqual(["look", "found it"]);
        expect((await chat.search("found")).hits).toHaveLength(1);
        expect(JSON.stringify(await chat.transcript())).not.toContain("secret");
        expect(await chat.deleteMessages(["r"])).toMatchObject({ status: "unchanged", code: "NOT_FOUND" });
        await chat.deleteMessages(["u", "a"]);
        expect((await chat.transcript()).turns).toEqual([]);
      },
    },
    {
      rules: ["W16"],
      title: "clear hides what was said so far, with its summary, and erases nothing",
      async run({ memory }) {
        const made = memory({ policy: FOLDING, summarizer: listing });
        const chat = made.conversation({ id: "c" });
        await say(chat, 1, 6);
        await made.settled();
        expect((await chat.clear()).status).toBe("stored");
        await chat.record({ messages: [user("fresh")] });
        expect([texts(await chat.history()), await chat.summary()]).toEqual([["fresh"], null]);
        expect((await chat.transcript()).turns).toHaveLength(7);
      },
    },
    {
      rules: ["A1"],
      title: "a person's export, imported elsewhere, is the same memory, and importing it again adds nothing",
      async run({ memory }) {
        const made = memory({ policy: FOLDING, summarizer: listing });
        const chat = made.conversation({ id: "c", subject: "ana" });
        await say(chat, 1, 6);
        await chat.record({ id: "t6b", messages: [user("q6 again"), assistant("ok")], replaces: "t6" });
        await (await chat.begin({ messages: [user("fails")] })).fail(new Error("down"));
        await made.settled();
        await chat.update({ title: "Title" });
        await chat.remember("city", "Porto");
        await chat.remember("city", "Braga");
        await chat.remember("here", 1, { scope: "conversation" });
        await made.records(["prefs"]).put("theme", "dark", { subject: "ana" });
        const audit = await made.subject("ana").audit();
        expect(audit.conversations[0]).toMatchObject({ title: "Title", transcript: { length: 8 } });

        const elsewhere = memory({ agent: "other", policy: FOLDING });
        const copy = JSON.parse(JSON.stringify(await made.subject("ana").export()));
        const report = await elsewhere.operator.import(copy, { trusted: true });
        expect(report).toMatchObject({ turns: 8, facts: 3, records: 1, refused: [] });
        const there = elsewhere.conversation({ id: "c", subject: "ana" });
        expect(texts(await there.history())).toEqual(texts(await chat.history()));
        expect((await there.summary())?.text).toBe((await chat.summary())?.text);
        expect(await there.recall("city")).toBe("Braga");
        const again = await elsewhere.operator.import(copy, { trusted: true });
        expect(again).toMatchObject({ turns: 0, facts: 0, records: 0 });
        const seen = (given: typeof audit) =>
          given.conversations[0]?.transcript.map((turn) => [turn.id, turn.status, turn.hidden ?? false, turn.error]);
        expect(seen(await elsewhere.subject("ana").audit())).toEqual(seen(audit));
      },
    },
    {
      rules: ["A4"],
      title: "retention stubs old tool results, drops old turns and expired facts, and says so before it does",
      async run({ memory, tick }) {
        const made = memory({ policy: { enabled: true, retention: { toolResults: "10d", messages: "100d" } } });
        const chat = made.conversation({ id: "c", subject: "ana" });
        await chat.record({
          id: "old",
          messages: [user("look"), calling("k"), resultOf("k", "large result"), assistant("seen")],
        });
        await chat.remember("k", 1, { ttl: "1d" });
        await made.settled();
        tick(20 * DAY_MS);
        await say(chat, 1, 1);
        const planned = await made.operator.sweepRetention({ dryRun: true });
        expect(planned).toMatchObject({ dryRun: true, toolResults: 1, messages: 0 });
        expect(JSON.stringify(await chat.history())).toContain("large result");
        expect(await made.operator.sweepRetention()).toMatchObject({ toolResults: 1, expired: { facts: 1 } });
        expect(JSON.stringify(await chat.transcript())).not.toContain("large result");
        expect(await chat.history()).toHaveLength(6);
        expect((await chat.search("seen")).hits).toHaveLength(1);
        tick(90 * DAY_MS);
        expect(await made.operator.sweepRetention()).toMatchObject({ messages: 4 });
        expect((await chat.transcript()).turns.map((turn) => turn.id)).toEqual(["t1"]);
      },
    },
  ],
};
