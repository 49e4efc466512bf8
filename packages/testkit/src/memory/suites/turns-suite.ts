import { expect } from "vitest";
import type { MemorySuite } from "../memory-suite.ts";
import { assistant, calling, codeOf, resultOf, say, texts, user } from "../talk.ts";

/** Recording turns, and what of them the model is shown. */
export const turnsSuite: MemorySuite = {
  name: "turns",
  cases: [
    {
      rules: ["W1"],
      title: "the same turn again, or the same messages in another one, are stored once",
      async run({ memory }) {
        const chat = memory().conversation({ id: "c", subject: "ana" });
        await say(chat, 1, 2);
        const again = { id: "t2", messages: [user("q2", "u2"), assistant("a2", "a2")] };
        expect((await chat.record(again)).status).toBe("unchanged");
        expect((await chat.record({ ...again, id: "other" })).status).toBe("unchanged");
        const copy = [user("q1", "u1"), assistant("a1", "a1"), user("q2", "u2"), assistant("a2", "a2")];
        const turn = await chat.begin({ messages: [...copy, user("q3", "u3")] });
        expect(texts(turn.fresh)).toEqual(["q3"]);
        await turn.complete([assistant("a3")]);
        expect(texts(await chat.history())).toEqual(["q1", "a1", "q2", "a2", "q3", "a3"]);
      },
    },
    {
      rules: ["W12"],
      title: "a turn cut short keeps what there is of it, and a failed one why it failed",
      async run({ memory }) {
        const chat = memory().conversation({ id: "c" });
        await (await chat.begin({ messages: [user("count")], agentName: "counter" })).abort([assistant("one, two")]);
        const failed = await chat.begin({ messages: [user("again")] });
        await failed.fail(Object.assign(new Error("slow down"), { code: "rate_limit" }));
        const { turns } = await chat.transcript();
        expect(turns.map((turn) => [turn.status, ...texts(turn.messages)])).toEqual([
          ["aborted", "count", "one, two"],
          ["failed", "again"],
        ]);
        expect(turns[0]?.agentName).toBe("counter");
        expect(turns[1]?.error).toEqual({ code: "rate_limit", message: "slow down" });
      },
    },
    {
      rules: ["W2", "W3"],
      title: "history is the newest whole turns that fit, and a call never loses its result",
      async run({ memory }) {
        const chat = memory().conversation({ id: "c" });
        await say(chat, 1, 3);
        await chat.record({
          messages: [user("look"), calling("k"), resultOf("k", "found"), assistant("there")],
        });
        expect(texts(await chat.history({ maxMessages: 6 }))).toEqual([
          "q3",
          "a3",
          "look",
          "<tool-call>",
          "<tool-result>",
          "there",
        ]);
        expect(texts(await chat.history({ maxMessages: 1 }))).toHaveLength(4);
      },
    },
    {
      rules: ["W1", "W16"],
      title: "a transcript is read from its beginning, or from its newest page back",
      async run({ memory }) {
        const chat = memory().conversation({ id: "c", subject: "ana" });
        await say(chat, 1, 7);
        const pages = async (order?: "oldest" | "newest"): Promise<string[][]> => {
          const ids: string[][] = [];
          let page = await chat.transcript({ limit: 3, ...(order === undefined ? {} : { order }) });
          for (;;) {
            ids.push(page.turns.map((turn) => turn.id));
            if (page.cursor === undefined) return ids;
            page = await chat.transcript({ limit: 3, cursor: page.cursor });
          }
        };
        const forth = [["t1", "t2", "t3"], ["t4", "t5", "t6"], ["t7"]];
        expect(await pages()).toEqual(forth);
        expect(await pages("oldest")).toEqual(forth);
        expect(await pages("newest")).toEqual([["t5", "t6", "t7"], ["t2", "t3", "t4"], ["t1"]]);
        expect((await chat.transcript({ order: "newest", limit: 7 })).cursor).toBeUndefined();
        const { cursor = "" } = await chat.transcript({ order: "newest", limit: 3 });
        expect(await codeOf(() => chat.transcript({ cursor, order: "oldest" }))).toBe("INVALID_CURSOR");
        expect(await codeOf(() => chat.transcript({ cursor: "before-x" }))).toBe("INVALID_CURSOR");
      },
    },
    {
      rules: ["W15"],
      title: "a replaced turn and those behind it stay in the transcript only",
      async run({ memory }) {
        const made = memory();
        const chat = made.conversation({ id: "c", subject: "ana" });
        await say(chat, 1, 3);
        await made.settled();
        await chat.record({ id: "t2b", messages: [user("asked anew"), assistant("ok")], replaces: "t2" });
        expect(texts(await chat.history())).toEqual(["q1", "a1", "asked anew", "ok"]);
        expect((await chat.search("q3")).hits).toEqual([]);
        const { turns } = await chat.transcript();
        expect(turns.map((turn) => turn.replacedBy ?? "")).toEqual(["", "t2b", "t2b", ""]);
      },
    },
  ],
};
