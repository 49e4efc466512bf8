import { describe, expect, it } from "vitest";
import { createMemory, inMemoryStore } from "../src/index.ts";
import { assistant, testMemory, texts, user } from "./support.ts";

describe("turn ids and replaced turns", () => {
  it("W1/G7: a host that counts its turns goes on after a rewind without losing one", async () => {
    const { memory } = testMemory();
    const chat = memory.conversation({ id: "c", subject: "ana" });
    for (const number of [1, 2, 3]) {
      await chat.record({ id: `turn-${number}`, messages: [user(`q${number}`), assistant(`a${number}`)] });
    }
    await chat.rewind({ to: "turn-1" });
    const turn = await chat.begin({ id: "turn-2", messages: [user("another question")] });
    const outcome = await turn.complete([assistant("another answer")]);
    // Stored, or told: "unchanged" with nothing stored is a silent loss.
    if (outcome.status === "stored" || outcome.status === "merged" || outcome.status === "unchanged") {
      expect(texts(await chat.history())).toEqual(["q1", "a1", "another question", "another answer"]);
    } else expect(outcome.code).toBeDefined();
  });

  it("W15: of two regenerations of one turn the later one is shown, and the question once", async () => {
    const { memory } = testMemory();
    const chat = memory.conversation({ id: "c", subject: "ana" });
    await chat.record({ id: "t", messages: [user("q"), assistant("a")] });
    const left = await chat.begin({ replaces: "t", messages: [user("q")] });
    const right = await chat.begin({ replaces: "t", messages: [user("q")] });
    await left.complete([assistant("left")]);
    await right.complete([assistant("right")]);
    expect(texts(await chat.history())).toEqual(["q", "right"]);
  });

  it("W15: of two regenerations told by message ids no answer stands without its question", async () => {
    const { memory } = testMemory();
    const chat = memory.conversation({ id: "c", subject: "ana" });
    const question = { ...user("q"), id: "u" };
    await chat.record({ id: "t", messages: [question, { ...assistant("a"), id: "x" }] });
    const left = await chat.begin({ messages: [question] });
    const right = await chat.begin({ messages: [question] });
    await left.complete([assistant("left")]);
    await right.complete([assistant("right")]);
    expect(texts(await chat.history())).toEqual(["q", "right"]);
  });

  it("W1/A2: a turn that begins after an erase, in the same millisecond, is recorded", async () => {
    const memory = createMemory({
      agent: "a",
      store: inMemoryStore(),
      env: {},
      clock: () => new Date("2026-03-01T09:00:00.000Z"),
      onEvent: () => {},
    });
    const chat = memory.conversation({ id: "c", subject: "ana" });
    await chat.record({ messages: [user("old"), assistant("x")] });
    await chat.delete();
    const turn = await chat.begin({ messages: [user("new")] });
    expect((await turn.complete([assistant("y")])).status).toBe("stored");
  });
});

describe("late writes after an erase", () => {
  it("A2: a tool over the unbound handle brings nothing back while two turns are in flight", async () => {
    const { memory } = testMemory();
    const chat = memory.conversation({ id: "c", subject: "ana" });
    await chat.begin({ messages: [user("one")] });
    await chat.begin({ messages: [user("two")] });
    await memory.subject("ana").erase();
    expect(await chat.remember("ssn", "123-45")).toMatchObject({ status: "refused", code: "ERASED" });
    expect(await memory.subject("ana").facts()).toEqual([]);
  });

  it("A2: a conversation's fact of a run in flight is refused after the subject's erase, also in its first turn", async () => {
    const { memory } = testMemory();
    const chat = memory.conversation({ id: "c", subject: "ana" });
    const turn = await chat.begin({ messages: [user("my number is 123-45")] });
    await memory.subject("ana").erase();
    await turn.conversation.remember("ssn", "123-45", { scope: "conversation" });
    expect(await chat.recall("ssn", { scope: "conversation" })).toBeNull();
  });

  it("A2: an erased conversation leaves no note of failed work that nothing can redrive", async () => {
    let broken = true;
    const { memory } = testMemory({
      sinks: [
        async () => {
          if (broken) throw new Error("down");
        },
      ],
    });
    const chat = memory.conversation({ id: "ana@example.com", subject: "ana" });
    await chat.record({ messages: [user("q"), assistant("a")] });
    await memory.settled();
    await memory.subject("ana").erase();
    broken = false;
    await memory.operator.redrive();
    expect(await memory.operator.failures()).toEqual([]);
  });
});
