import { describe, expect, it } from "vitest";
import {
  type Conversation,
  createMemory,
  inMemoryStore,
  type MessageInput,
  memoryTools,
  type Part,
} from "../src/index.ts";
import { assistant, call, result, testMemory, texts, user } from "./support.ts";

const u = (content: string, id?: string): MessageInput => ({ ...user(content), ...(id ? { id } : {}) });
const a = (content: string, id?: string): MessageInput => ({ ...assistant(content), ...(id ? { id } : {}) });
const calls = (...ids: string[]): MessageInput => ({ role: "assistant", parts: ids.map((id) => call(id)) });
const results = (...ids: string[]): MessageInput => ({ role: "tool", parts: ids.map((id) => result(id)) });
const asked = (callId: string): MessageInput => ({
  role: "assistant",
  parts: [call(callId), { type: "approval", callId, state: "requested" }],
});

const start = (id = "c1"): Conversation => testMemory().memory.conversation({ id, subject: "ana" });
const turnsOf = async (chat: Conversation) =>
  (await chat.transcript()).turns
    .filter((turn) => !turn.hidden)
    .map((turn) => [turn.status, ...texts(turn.messages)].join(" | "));

/** The types of what is shown, for comparing. */
const shape = (messages: readonly { parts: readonly Part[] }[]): string[] =>
  messages.map((message) => message.parts.map((part) => part.type).join("+"));

describe("a stored turn goes on", () => {
  it("W12: a failed question asked again, by id or in the same words, is one turn", async () => {
    for (const id of ["u1", undefined]) {
      const chat = start();
      const failed = await chat.begin({ messages: [u("q", id)] });
      await failed.fail(new Error("down"));
      const again = await chat.begin({ messages: [u("q", id)] });
      expect(again).toMatchObject({ id: failed.id, resumed: true });
      expect(texts(again.messages)).toEqual(["q"]);
      await again.complete([a("a")]);
      expect(await turnsOf(chat)).toEqual(["completed | q | a"]);
    }
  });

  it("B2: a loop that the host drives itself, one call at a time, is one turn", async () => {
    const chat = start();
    await (await chat.begin({ messages: [u("q")] })).complete([calls("k"), results("k")]);
    const second = await chat.begin({ messages: [u("q"), calls("k"), results("k")] });
    expect(shape(second.messages)).toEqual(["text", "tool-call", "tool-result"]);
    await second.complete([a("done")]);
    expect(await turnsOf(chat)).toEqual(["completed | q | <tool-call> | <tool-result> | done"]);
  });

  it("B2: a result that a client computes after the turn ended joins its call", async () => {
    const chat = start();
    await (await chat.begin({ messages: [u("q")] })).complete([calls("k")]);
    const next = await chat.begin({ messages: [results("k")] });
    await next.complete([a("done")]);
    expect(await turnsOf(chat)).toEqual(["completed | q | <tool-call> | <tool-result> | done"]);
    expect(shape(await chat.history())).toEqual(["text", "tool-call", "tool-result", "text"]);
  });

  it("W15: a message of the same id that has grown by an approval goes on with its turn", async () => {
    const chat = start();
    const row = (...parts: Part[]): MessageInput => ({ id: "a1", role: "assistant", parts });
    const paused = await chat.begin({ messages: [u("delete it", "u1")] });
    await paused.pause([row(call("k"), { type: "approval", callId: "k", state: "requested" })]);
    const grown = row(
      call("k"),
      { type: "approval", callId: "k", state: "requested" },
      { type: "approval", callId: "k", state: "approved" },
    );
    const next = await chat.begin({ messages: [u("delete it", "u1"), grown] });
    expect(next.id).toBe(paused.id);
    await next.complete([results("k"), a("deleted")]);
    const { turns } = await chat.transcript();
    expect(turns).toHaveLength(1);
    expect(turns[0]?.messages[1]?.parts).toHaveLength(3);
    expect(shape(await chat.history())).toEqual(["text", "tool-call+approval+approval", "tool-result", "text"]);
  });

  it("W12: an answer goes to the turn that holds its call, not to the newest paused one", async () => {
    const chat = start();
    const first = await chat.begin({ messages: [u("A", "uA")] });
    await first.pause([asked("kA")]);
    const second = await chat.begin({ messages: [u("B", "uB")] });
    await second.pause([asked("kB")]);
    expect((await chat.begin({ messages: [results("kA")] })).id).toBe(first.id);
    await (await chat.begin({ messages: [u("C", "uC")] })).complete([a("c")]);
    const late = await chat.begin({ messages: [results("kB")] });
    expect(late.id).toBe(second.id);
    await late.complete([a("b")]);
    expect(await turnsOf(chat)).toEqual([
      "paused | A | <tool-call><approval>",
      "completed | C | c",
      "completed | B | <tool-call><approval> | <tool-result> | b",
    ]);
  });

  it("W12: resumed, shows all its open calls; walked past, it is shown without them", async () => {
    const chat = start();
    const paused = await chat.begin({ messages: [u("do both")] });
    await paused.pause([calls("k1", "k2"), results("k1")]);
    expect(shape((await chat.resume())?.messages ?? [])).toEqual(["text", "tool-call+tool-call", "tool-result"]);
    const past = await chat.begin({ messages: [u("never mind")] });
    expect(shape(past.messages)).toEqual(["text", "tool-call", "tool-result", "text"]);
    expect(texts(past.messages).at(0)).toBe("do both");
  });

  it("W12: a paused turn written again with more in it keeps what is new", async () => {
    const chat = start();
    const turn = await chat.begin({ id: "t", messages: [u("q")] });
    await turn.pause([{ id: "m1", role: "assistant", parts: [call("k1")] }]);
    await turn.pause([{ id: "m1", role: "assistant", parts: [call("k1"), call("k2")] }]);
    expect((await chat.transcript()).turns[0]?.messages[1]?.parts).toHaveLength(2);
    await turn.complete([results("k1", "k2"), a("done")]);
    expect(await turnsOf(chat)).toEqual(["completed | q | <tool-call><tool-call> | <tool-result><tool-result> | done"]);
  });
});

describe("hosts whose copies differ from what is stored", () => {
  it("B9: a client that gives answers ids of its own doesn't double them", async () => {
    const chat = start();
    await (await chat.begin({ messages: [u("q1", "u1")] })).complete([a("a1")]);
    const next = await chat.begin({ messages: [u("q1", "u1"), a("a1", "client-1"), u("q2", "u2")] });
    expect(texts(next.messages)).toEqual(["q1", "a1", "q2"]);
    await next.complete([a("a2")]);
    expect(await turnsOf(chat)).toEqual(["completed | q1 | a1", "completed | q2 | a2"]);
  });

  it("B9: tool traffic, reasoning and system prompts that the host prunes don't matter", async () => {
    const chat = start();
    await (await chat.begin({ messages: [u("q1")] })).complete([calls("k"), results("k"), a("a1")]);
    await (await chat.begin({ messages: [u("q1"), a("a1"), u("q2")] })).complete([a("a2")]);
    const next = await chat.begin({
      messages: [{ role: "system", content: "be kind" }, u("q1"), a("a1"), u("q2"), a("a2"), u("q3")],
    });
    expect(texts(next.messages)).toEqual(["q1", "<tool-call>", "<tool-result>", "a1", "q2", "a2", "q3"]);
    await next.complete([a("a3")]);
    expect(await turnsOf(chat)).toHaveLength(3);
  });

  it("B9: a host's own summary at the head of its copy isn't taken for something said", async () => {
    const chat = start();
    for (const n of [1, 2, 3]) await chat.record({ messages: [u(`q${n}`), a(`a${n}`)] });
    const next = await chat.begin({ messages: [u("Summary: they talked"), u("q3"), a("a3"), u("q4")] });
    await next.complete([a("a4")]);
    expect(await turnsOf(chat)).toHaveLength(4);
  });

  it("W15: a copy that is longer than the window brings nothing back behind it", async () => {
    const { memory } = testMemory({ policy: { maxMessages: 4 } });
    for (const ids of [true, false]) {
      const chat = memory.conversation({ id: `long-${ids}` });
      const copy: MessageInput[] = [];
      for (let n = 0; n < 8; n++) {
        const pair = [u(`q${n}`, ids ? `u${n}` : undefined), a(`a${n}`, ids ? `a${n}` : undefined)];
        await chat.record({ messages: pair });
        copy.push(...pair);
      }
      const next = await chat.begin({ messages: [...copy, u("new")] });
      expect(texts(next.messages)).toEqual(["q6", "a6", "q7", "a7", "new"]);
      await next.complete([a("ok")]);
      expect((await chat.transcript()).turns).toHaveLength(9);
    }
  });

  it("W15: a copy whose known messages all lie behind the window is still known", async () => {
    const { memory } = testMemory({ policy: { maxMessages: 2 } });
    const chat = memory.conversation({ id: "c" });
    for (let n = 0; n < 4; n++) await chat.record({ messages: [u(`q${n}`, `u${n}`), a(`a${n}`, `a${n}`)] });
    const next = await chat.begin({ messages: [u("q0", "u0"), a("a0", "a0"), u("branch", "x")] });
    expect(texts(next.fresh)).toEqual(["branch"]);
  });

  it("W1: an id that a host counts anew names another message, and both are kept", async () => {
    const chat = start();
    const turn = async (question: string, id: string, answer: string) =>
      (await chat.begin({ messages: [u(question, id)] })).complete([
        { id: "0", role: "assistant", parts: [call(`k-${id}`)] },
        results(`k-${id}`),
        a(answer, "1"),
      ]);
    await turn("q1", "u1", "first");
    await turn("q2", "u2", "second");
    expect(texts(await chat.history())).toEqual([
      "q1",
      "<tool-call>",
      "<tool-result>",
      "first",
      "q2",
      "<tool-call>",
      "<tool-result>",
      "second",
    ]);
  });

  it("W15: the same short words twice don't hide anything", async () => {
    const chat = start();
    await chat.record({ messages: [u("yes"), a("good")] });
    const next = await chat.begin({ messages: [u("yes"), a("good"), u("yes")] });
    expect(texts(next.fresh)).toEqual(["yes"]);
    await next.complete([a("great")]);
    await (await chat.begin({ messages: [u("yes"), a("great"), u("yes")] })).complete([a("fine")]);
    expect(await turnsOf(chat)).toEqual([
      "completed | yes | good",
      "completed | yes | great",
      "completed | yes | fine",
    ]);
  });

  it("W15: another reference to the same file is no edit", async () => {
    const chat = start();
    const look = (url: string): MessageInput => ({
      id: "u1",
      role: "user",
      parts: [
        { type: "text", text: "look" },
        { type: "file", mediaType: "image/png", url },
      ],
    });
    await (await chat.begin({ messages: [look("https://a.example/1?signed=x")] })).complete([a("nice", "a1")]);
    const next = await chat.begin({
      messages: [look("https://a.example/1?signed=y"), a("nice", "a1"), u("more", "u2")],
    });
    expect(texts(next.messages)).toEqual(["look<file>", "nice", "more"]);
  });

  it("takes over two equal exchanges of a history it didn't know", async () => {
    const chat = start();
    await (await chat.begin({ messages: [u("hi"), a("hello"), u("hi"), a("hello"), u("bye")] })).complete([a("bye")]);
    expect(await turnsOf(chat)).toEqual(["completed | hi | hello", "completed | hi | hello", "completed | bye | bye"]);
  });
});

describe("a turn's id", () => {
  it("W1: given again for a failed turn, goes on with it", async () => {
    const chat = start();
    await (await chat.begin({ id: "t1", messages: [u("q")] })).fail("down");
    const again = await chat.begin({ id: "t1", messages: [u("q")] });
    expect(texts(again.messages)).toEqual(["q"]);
    await again.complete([a("a")]);
    expect(await turnsOf(chat)).toEqual(["completed | q | a"]);
    expect((await chat.transcript()).turns[0]?.error).toBeUndefined();
  });

  it("W15: run again after it was completed, gives a turn that replaces it", async () => {
    const chat = start();
    await (await chat.begin({ id: "t1", messages: [u("q", "u1")] })).complete([a("a", "a1")]);
    const again = await chat.begin({ id: "t1", messages: [u("q", "u1")] });
    expect(again.id).not.toBe("t1");
    expect(texts(again.messages)).toEqual(["q"]);
    await again.complete([a("another", "a2")]);
    expect(await turnsOf(chat)).toEqual(["completed | q | another"]);
    expect((await chat.transcript()).turns).toHaveLength(2);
  });

  it("W12: keeps why it failed, in short", async () => {
    const chat = start();
    await (await chat.begin({ messages: [u("q")] })).fail(
      Object.assign(new Error("x".repeat(900)), { code: "rate_limit" }),
    );
    expect((await chat.transcript()).turns[0]?.error).toEqual({ code: "rate_limit", message: "x".repeat(500) });
  });
});

describe("ending a turn", () => {
  it("B2: what was appended and is handed over again is taken once", async () => {
    const chat = start();
    const turn = await chat.begin({ messages: [u("q")] });
    turn.append([calls("k")]);
    turn.append([results("k")]);
    expect(shape(turn.messages)).toEqual(["text", "tool-call", "tool-result"]);
    await turn.complete([calls("k"), results("k"), a("done")]);
    expect(await turnsOf(chat)).toEqual(["completed | q | <tool-call> | <tool-result> | done"]);
  });

  it("G7: a degraded beginning doesn't make the past new", async () => {
    const store = inMemoryStore();
    let broken = false;
    const flaky = new Proxy(store, {
      get: (target, key) =>
        key === "readContext" && broken
          ? () => Promise.reject(new Error("gone"))
          : ((Reflect.get(target, key) as { bind(to: unknown): unknown } | undefined)?.bind?.(target) ??
            Reflect.get(target, key)),
    });
    const chat = createMemory({ agent: "a", store: flaky, env: {}, onEvent: () => undefined }).conversation({
      id: "c",
    });
    const past = [u("q1"), a("a1"), u("q2"), a("a2")];
    await chat.record({ messages: past.slice(0, 2) });
    await chat.record({ messages: past.slice(2) });
    broken = true;
    const turn = await chat.begin({ messages: [...past, u("q3")] });
    expect(turn.degraded).toBe(true);
    expect(texts(turn.messages)).toEqual(["q1", "a1", "q2", "a2", "q3"]);
    await turn.complete([a("a3")]);
    broken = false;
    expect(await turnsOf(chat)).toEqual(["completed | q1 | a1", "completed | q2 | a2", "completed | q3 | a3"]);
  });
});

describe("what is remembered in a turn", () => {
  it("F4/G1: names its own turn, also with two under way and through another handle", async () => {
    const { memory } = testMemory();
    const chat = memory.conversation({ id: "c1", subject: "ana" });
    const tea = await chat.begin({ messages: [u("I love tea")] });
    const rum = await chat.begin({ messages: [u("I love rum")] });
    await memoryTools(tea.conversation)[0]?.run({ key: "drink", value: "tea", quote: "I love tea" });
    const other = memory.conversation({ id: "c1", subject: "ana" });
    await memoryTools(other)[0]?.run({ key: "spirit", value: "rum", quote: "love rum" });
    await memoryTools(other)[0]?.run({ key: "mood", value: "good" }, { turn: rum.id });
    await memoryTools(other)[0]?.run({ key: "unclear", value: "?" });
    const facts = Object.fromEntries(
      (await chat.recall({})).facts.map((fact) => [fact.key, [fact.source?.turn, fact.origin]]),
    );
    expect(facts).toEqual({
      drink: [tea.id, "user"],
      spirit: [rum.id, "user"],
      mood: [rum.id, "assistant"],
      unclear: [undefined, "assistant"],
    });
  });

  it("F12: a call id that a provider counts anew in the next turn is another call", async () => {
    const { memory } = testMemory();
    const chat = memory.conversation({ id: "c1", subject: "ana" });
    const run = async (name: string, input: object) => {
      const turn = await chat.begin({ messages: [u("go")] });
      const tool = memoryTools(chat).find((candidate) => candidate.name === name);
      const answers = [await tool?.run(input, { callId: "call_0" }), await tool?.run(input, { callId: "call_0" })];
      await turn.complete([a("ok")]);
      return answers;
    };
    await run("memory_remember", { key: "n", value: 1 });
    await chat.remember("n", 2);
    await run("memory_remember", { key: "n", value: 1 });
    expect(await chat.recall("n")).toBe(1);
    expect(await run("memory_forget", { key: "n" })).toEqual(["Forgotten.", "Forgotten."]);
  });

  it("G2: what a memory tool answered has the origin memory, and isn't found as if it were said", async () => {
    const { memory } = testMemory();
    const chat = memory.conversation({ id: "c1", subject: "ana" });
    const turn = await chat.begin({ messages: [u("what do I drink?")] });
    await turn.complete([
      { role: "assistant", parts: [call("k", "memory_recall")] },
      { role: "tool", parts: [result("k", "drink: absinthe", "memory_recall")] },
      a("Tea."),
    ]);
    expect((await chat.transcript()).turns[0]?.messages[2]?.origin).toBe("memory");
    expect((await chat.search("absinthe", { toolResults: true })).hits).toEqual([]);
  });
});
