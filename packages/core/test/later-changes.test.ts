import { describe, expect, it } from "vitest";
import { inMemoryStore } from "../src/index.ts";
import { assistant, call, result, testMemory, texts, user } from "./support.ts";

const big = "x".repeat(40_000);

describe("rebinding a conversation", () => {
  it("F10: reaches turns under way in other handles of the process", async () => {
    const { memory } = testMemory();
    const chat = memory.conversation({ id: "c", subject: "visitor" });
    const turn = await chat.begin({ messages: [user("I am Ana")] });
    const tool = memory.conversation({ id: "c", subject: "visitor" });
    expect((await tool.rebindSubject("ana")).status).toBe("stored");
    expect((await turn.conversation.remember("name", "Ana")).status).toBe("stored");
    expect((await turn.complete([assistant("hello")])).status).toBe("stored");
    const { turns } = await memory.conversation({ id: "c" }).transcript();
    expect(turns.map((entry) => entry.subject)).toEqual(["ana"]);
    expect(await memory.subject("ana").facts()).toHaveLength(1);
    expect([chat.subject, tool.subject, turn.conversation.subject]).toEqual(["ana", "ana", "ana"]);
  });

  it("F10: says what it did, whoever is named", async () => {
    const { memory } = testMemory();
    const chat = memory.conversation({ id: "c", subject: "visitor" });
    for (const text of ["one", "two"]) await chat.record({ messages: [user(text), assistant("ok")] });
    const own = memory.conversation({ id: "c", subject: "ana" });
    expect((await own.rebindSubject("ana", { restamp: "all" })).status).toBe("stored");
    expect((await own.rebindSubject("ana", { restamp: "all" })).status).toBe("unchanged");
    expect((await own.transcript()).turns.map((turn) => turn.subject)).toEqual(["ana", "ana"]);
  });
});

describe("what goes with a message", () => {
  it("A2/A3: the artifact of a deleted call, and only that", async () => {
    const { memory } = testMemory();
    const chat = memory.conversation({ id: "c", subject: "ana" });
    const turn = await chat.begin({ messages: [user("look")] });
    for (const id of ["one", "two"]) {
      const shown = await turn.offload({ type: "tool-result", callId: id, tool: "lookup", output: big + id });
      turn.append([
        { id: `call-${id}`, role: "assistant", parts: [call(id)] },
        { id: `result-${id}`, role: "tool", parts: [shown] },
      ]);
    }
    await turn.complete([assistant("done")]);
    const artifacts = async () => (await memory.subject("ana").export()).conversations[0]?.artifacts?.length ?? 0;
    const both = await artifacts();
    expect(both).toBeGreaterThan(0);
    await chat.deleteMessages(["call-one"]);
    expect(await artifacts()).toBe(both / 2);
    const { turns } = await chat.transcript();
    expect(turns[0]?.messages.map((message) => message.id)).not.toContain("result-one");
    expect(turns[0]?.messages.map((message) => message.id)).toContain("result-two");
  });

  it("W16/G7: nothing that is merged into the turn meanwhile is lost", async () => {
    const store = inMemoryStore();
    const { memory } = testMemory({ store });
    const chat = memory.conversation({ id: "c", subject: "ana" });
    await chat.record({ id: "t", status: "aborted", messages: [{ ...user("q"), id: "u" }, assistant("part")] });
    const { changeTurns } = store;
    let merges = true;
    store.changeTurns = async (...given) => {
      if (merges) {
        merges = false;
        await chat.record({ id: "t", messages: [{ ...user("q"), id: "u" }, assistant("part"), assistant("rest")] });
      }
      return changeTurns(...given);
    };
    expect((await chat.deleteMessages(["u"])).status).toBe("stored");
    expect(texts(await chat.history())).toEqual(["part", "rest"]);
  });
});

describe("retention", () => {
  it("A4: counts results, reads no old turn twice, and takes artifacts with their results", async () => {
    const store = inMemoryStore();
    const { memory, tick } = testMemory({ store });
    const chat = memory.conversation({ id: "c", subject: "ana" });
    const turn = await chat.begin({ messages: [user("look")] });
    const shown = await turn.offload({ type: "tool-result", callId: "one", tool: "lookup", output: big });
    await turn.complete([
      { role: "assistant", parts: [call("one"), call("two")] },
      { role: "tool", parts: [shown, result("two")] },
      assistant("done"),
    ]);
    tick(31 * 86_400_000);
    expect(await memory.operator.sweepRetention({ dryRun: true })).toMatchObject({ toolResults: 2, artifacts: 1 });
    expect(await memory.operator.sweepRetention()).toMatchObject({ toolResults: 2, artifacts: 1 });
    const seen: number[] = [];
    const { readTurns } = store;
    store.readTurns = async (...given) => {
      const turns = await readTurns(...given);
      seen.push(turns.length);
      return turns;
    };
    expect(await memory.operator.sweepRetention()).toMatchObject({ toolResults: 0, artifacts: 0 });
    expect(seen.every((count) => count === 0)).toBe(true);
  });
});

describe("a tier that is off", () => {
  it("T7: shows no summary of the conversation, and shows it again once it is on", async () => {
    const store = inMemoryStore();
    const on = { enabled: true, conversation: { maxMessages: 4, keepMessages: 2 } };
    const { memory } = testMemory({ store, policy: on, summarizer: async () => "what was said" });
    const chat = memory.conversation({ id: "c", subject: "ana" });
    for (let index = 0; index < 6; index++) await chat.record({ messages: [user(`q${index}`), assistant("a")] });
    await memory.settled();
    const off = testMemory({ store, policy: { enabled: true, conversation: { enabled: false } } }).memory;
    const without = off.conversation({ id: "c", subject: "ana" });
    expect(await without.systemContext()).not.toContain("what was said");
    const copy = [user("q0"), assistant("a"), user("other")];
    const turn = await without.begin({ messages: copy });
    expect(texts(turn.messages)).toEqual(["q0", "a", "other"]);
    expect(turn.system).not.toContain("what was said");
    expect(await chat.systemContext()).toContain("what was said");
  });
});
