import { describe, expect, it } from "vitest";
import { inMemoryStore } from "../src/index.ts";
import { assistant, call, result, testMemory, user } from "./support.ts";

describe("what is derived follows its source", () => {
  it("G4: deleted with what was derived from it alone, a conversation takes its facts along; what they replaced is back", async () => {
    const { memory } = testMemory();
    const first = memory.conversation({ id: "first", subject: "ana" });
    const told = await first.begin({ messages: [user("I live in Porto")] });
    await told.conversation.remember("city", "Porto");
    await told.complete([assistant("ok")]);
    const second = memory.conversation({ id: "second", subject: "ana" });
    const moved = await second.begin({ messages: [user("I moved to Braga and have a dog")] });
    await moved.conversation.remember("city", "Braga");
    await moved.conversation.remember("dog", "Rex");
    await moved.complete([assistant("ok")]);
    await memory.subject("ana").remember({ key: "name", value: "Ana" });

    const receipt = await second.delete({ derived: true });
    expect(receipt.removed).toMatchObject({ turns: 1, facts: 2 });
    const facts = Object.fromEntries((await memory.subject("ana").facts()).map((fact) => [fact.key, fact.value]));
    expect(facts).toEqual({ city: "Porto", name: "Ana" });
    // The evidence went; nothing was forgotten, so it may be said again.
    expect((await first.remember("dog", "Rex")).status).toBe("stored");
  });

  it("A2/S1: what is left of a turn is in the index with the deletion itself, whatever ends the process then", async () => {
    const base = inMemoryStore();
    const words: string[] = [];
    const changeTurns: typeof base.changeTurns = (owner, changes, options) => {
      const filed = changes.flatMap((change) => (change.action === "rewrite" ? (change.documents ?? []) : []));
      words.push(...filed.flatMap(({ terms }) => terms.map(([term]) => term)));
      return base.changeTurns(owner, changes, options);
    };
    const { memory } = testMemory({ store: { ...base, changeTurns } });
    const chat = memory.conversation({ id: "c", subject: "ana" });
    await chat.record({ messages: [{ ...user("about figs"), id: "q" }, assistant("and plums")] });
    await memory.settled();
    await chat.deleteMessages(["q"]);
    expect(words).toContain("plum");
    expect(words).not.toContain("fig");
  });

  it("A2: without being asked, the durable facts stay", async () => {
    const { memory } = testMemory();
    const chat = memory.conversation({ id: "c", subject: "ana" });
    const turn = await chat.begin({ messages: [user("I have a dog")] });
    await turn.conversation.remember("dog", "Rex");
    await turn.complete([assistant("ok")]);
    await chat.delete();
    expect((await memory.subject("ana").facts()).map((fact) => fact.key)).toEqual(["dog"]);
  });

  it("G5: a summary can be read as of a moment", async () => {
    const { memory, tick } = testMemory({
      policy: { enabled: true, conversation: { maxMessages: 4, keepMessages: 2 } },
      summarizer: ({ previous, turns }) => `${previous ?? ""}+${turns.length}`,
    });
    const chat = memory.conversation({ id: "c" });
    const say = async () => {
      for (let n = 0; n < 3; n++) await chat.record({ messages: [user("q"), assistant("a")] });
      await memory.settled();
    };
    await say();
    const then = (await chat.summary())?.createdAt ?? "";
    tick(60_000);
    await say();
    expect((await chat.summary())?.text).toBe("+2+3");
    expect((await chat.summary({ asOf: then }))?.text).toBe("+2");
    expect(await chat.summary({ asOf: "2020-01-01T00:00:00.000Z" })).toBeNull();
  });

  it("W4: turns without a word fold without the summarizer", async () => {
    const { memory } = testMemory({
      policy: { enabled: true, conversation: { maxMessages: 2, keepMessages: 1 } },
      summarizer: () => "",
    });
    const chat = memory.conversation({ id: "c" });
    for (const id of ["k1", "k2", "k3"]) {
      await chat.record({
        messages: [
          { role: "assistant", parts: [call(id)] },
          { role: "tool", parts: [result(id)] },
        ],
      });
    }
    await memory.settled();
    expect((await chat.summary())?.turns).toBe(2);
    expect(await memory.operator.failures()).toEqual([]);
  });
});
