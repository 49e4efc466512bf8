import { expect } from "vitest";
import type { MemorySuite } from "../memory-suite.ts";
import { assistant, calling, resultOf, texts, user } from "../talk.ts";

/** Turns that go on: paused, failed, or in a host that sends its whole history again. */
export const continuingSuite: MemorySuite = {
  name: "continuing",
  cases: [
    {
      rules: ["W12"],
      title: "a paused turn is resumed by another process and completed, not doubled",
      async run({ memory }) {
        const ref = { id: "c", subject: "ana" };
        const paused = await memory()
          .conversation(ref)
          .begin({ messages: [user("delete it")] });
        await paused.pause([calling("k")]);
        const other = memory().conversation(ref);
        const resumed = await other.resume();
        expect(resumed?.id).toBe(paused.id);
        expect(texts(resumed?.messages ?? [])).toEqual(["delete it", "<tool-call>"]);
        expect(await resumed?.complete([resultOf("k", "deleted"), assistant("done")])).toMatchObject({
          status: "merged",
        });
        const { turns } = await other.transcript();
        expect(turns.map((turn) => turn.status)).toEqual(["completed"]);
        expect(await other.resume()).toBeNull();
      },
    },
    {
      rules: ["W12"],
      title: "of two that resume one turn the first answer counts, and the same answer again is no change",
      async run({ memory }) {
        const chats = [memory(), memory()].map((made) => made.conversation({ id: "c" }));
        await (await chats[0]?.begin({ messages: [user("delete it")] }))?.pause([calling("k")]);
        const [one, two, three] = [await chats[0]?.resume(), await chats[1]?.resume(), await chats[1]?.resume()];
        const answer = (text: string) => [resultOf("k", text), assistant(text)];
        expect(await one?.complete(answer("by one"))).toMatchObject({ status: "merged" });
        expect(await two?.complete(answer("by two"))).toMatchObject({ status: "refused", code: "TURN_ENDED" });
        expect(await three?.complete(answer("by one"))).toMatchObject({ status: "unchanged" });
        expect(texts((await chats[1]?.history()) ?? [])).toEqual([
          "delete it",
          "<tool-call>",
          "<tool-result>",
          "by one",
        ]);
      },
    },
    {
      rules: ["W1", "W12"],
      title: "a failed question asked again is the same turn",
      async run({ memory }) {
        const chat = memory().conversation({ id: "c" });
        const failed = await chat.begin({ messages: [user("q", "u1")] });
        await failed.fail("down");
        const again = await chat.begin({ messages: [user("q", "u1")] });
        expect(again).toMatchObject({ id: failed.id, resumed: true });
        await again.complete([assistant("a")]);
        const { turns } = await chat.transcript();
        expect(turns.map((turn) => [turn.status, turn.error, ...texts(turn.messages)])).toEqual([
          ["completed", undefined, "q", "a"],
        ]);
      },
    },
    {
      rules: ["W15"],
      title: "a host's copy that is longer than the window brings nothing back from behind it",
      async run({ memory }) {
        const chat = memory({ policy: { maxMessages: 4 } }).conversation({ id: "c" });
        const copy = [];
        for (let n = 0; n < 8; n++) {
          const pair = [user(`q${n}`, `u${n}`), assistant(`a${n}`, `a${n}`)];
          await chat.record({ messages: pair });
          copy.push(...pair);
        }
        const next = await chat.begin({ messages: [...copy, user("new")] });
        expect(texts(next.messages)).toEqual(["q6", "a6", "q7", "a7", "new"]);
        await next.complete([assistant("ok")]);
        expect((await chat.transcript()).turns).toHaveLength(9);
      },
    },
  ],
};
