import { expect } from "vitest";
import type { MemorySuite } from "../memory-suite.ts";
import { assistant, FOLDING, listing, say, texts, user } from "../talk.ts";

/** The rolling summary. */
export const foldingSuite: MemorySuite = {
  name: "folding",
  cases: [
    {
      rules: ["W2", "W4"],
      title: "older turns are folded once, leave history and stay in the transcript",
      async run({ memory }) {
        const made = memory({ policy: FOLDING, summarizer: listing });
        const chat = made.conversation({ id: "c" });
        await say(chat, 1, 6);
        expect(await chat.history()).toHaveLength(12);
        await made.settled();
        expect(await chat.summary()).toMatchObject({ text: "q1 q2 q3 q4", through: "t4", turns: 4, version: 1 });
        expect(texts(await chat.history())).toEqual(["q5", "a5", "q6", "a6"]);
        expect(await chat.transcript()).toMatchObject({ summarizedThrough: "t4", turns: { length: 6 } });
        await say(chat, 7, 9);
        await made.settled();
        expect((await chat.summary())?.text).toBe("q1 q2 q3 q4 q5 q6 q7");
        expect(await chat.systemContext()).toContain("q1 q2 q3 q4 q5 q6 q7");
      },
    },
    {
      rules: ["W6"],
      title: "a turn that began before a fold and was written after it is folded with the next",
      async run({ memory }) {
        const made = memory({ policy: FOLDING, summarizer: listing });
        const chat = made.conversation({ id: "c" });
        const early = await chat.begin({ id: "early", messages: [user("early")] });
        await say(chat, 1, 6);
        await made.settled();
        await early.complete([assistant("late")]);
        expect(texts(await chat.history())).toContain("early");
        await say(chat, 7, 10);
        await made.settled();
        expect((await chat.summary())?.text).toBe("q1 q2 q3 q4 q5 q6 early q7 q8");
      },
    },
    {
      rules: ["W6"],
      title: "folds of two processes at once leave one correct summary",
      async run({ memory, tick }) {
        const [one, two] = [1, 2].map(() => memory({ policy: FOLDING, summarizer: async (input) => listing(input) }));
        if (one === undefined || two === undefined) return;
        const chat = one.conversation({ id: "c" });
        await say(chat, 1, 7);
        const first = one.sweep();
        // Past the lease: the other one takes it for dead.
        tick(600_000);
        await Promise.all([first, two.sweep(), two.conversation({ id: "c" }).begin({ messages: [user("x")] })]);
        expect((await chat.summary())?.text).toBe("q1 q2 q3 q4 q5");
      },
    },
    {
      rules: ["W6"],
      title: "a summarizer that fails leaves everything as it was, and is tried again",
      async run({ memory }) {
        let works = false;
        const made = memory({
          policy: FOLDING,
          summarizer: (input) => (works ? listing(input) : Promise.reject(new Error("down"))),
        });
        const chat = made.conversation({ id: "c" });
        await say(chat, 1, 6);
        await made.settled();
        expect([await chat.summary(), (await chat.history()).length]).toEqual([null, 12]);
        expect(await made.operator.failures()).toMatchObject([
          { work: "fold", code: "SUMMARIZER_FAILED", attempts: 1 },
        ]);
        works = true;
        await made.sweep();
        expect((await chat.summary())?.text).toBe("q1 q2 q3 q4");
        expect(await made.operator.failures()).toEqual([]);
      },
    },
    {
      rules: ["W7"],
      title: "a deleted summary gives its turns back, and the next is written from them",
      async run({ memory }) {
        const given: (string | null)[] = [];
        const made = memory({
          policy: FOLDING,
          summarizer: (input) => {
            given.push(input.previous);
            return listing(input);
          },
        });
        const chat = made.conversation({ id: "c" });
        await say(chat, 1, 6);
        await made.settled();
        expect((await chat.deleteSummary()).status).toBe("stored");
        expect([await chat.summary(), (await chat.history()).length]).toEqual([null, 12]);
        await say(chat, 7, 7);
        await made.settled();
        expect(given).toEqual([null, null]);
        expect((await chat.summary())?.text).toBe("q1 q2 q3 q4 q5");
      },
    },
    {
      rules: ["W15"],
      title: "a summary that holds a replaced turn is dropped",
      async run({ memory }) {
        const made = memory({ policy: FOLDING, summarizer: listing });
        const chat = made.conversation({ id: "c" });
        await say(chat, 1, 6);
        await made.settled();
        await chat.record({ messages: [user("q2 anew"), assistant("a")], replaces: "t2" });
        expect(await chat.summary()).toBeNull();
        expect(texts(await chat.history())).toEqual(["q1", "a1", "q2 anew", "a"]);
      },
    },
  ],
};
