import { describe, expect, it, vi } from "vitest";
import { createMemory, inMemoryStore, type MessageInput } from "../src/index.ts";
import { assistant, call, codeOf, result, testMemory, texts, user } from "./support.ts";

describe("a turn", () => {
  it("W1: is recorded whole, with status, times and the agent's name", async () => {
    const { memory } = testMemory();
    const chat = memory.conversation({ id: "c1", subject: "ana" });
    const turn = await chat.begin({ messages: [user("what's the weather?")], agentName: "forecaster" });
    turn.append([
      { role: "assistant", parts: [call("c1", "weather")] },
      { role: "tool", parts: [result("c1", "sun")] },
    ]);
    expect(await turn.complete([assistant("Sunny.")])).toEqual({ status: "stored", id: turn.id });
    const { turns, subject } = await chat.transcript();
    expect(subject).toBe("ana");
    expect(turns).toHaveLength(1);
    expect(turns[0]).toMatchObject({
      id: turn.id,
      seq: 1,
      status: "completed",
      agentName: "forecaster",
      subject: "ana",
    });
    expect(turns[0]?.messages.map((message) => [message.role, message.origin])).toEqual([
      ["user", "user"],
      ["assistant", "assistant"],
      ["tool", "tool"],
      ["assistant", "assistant"],
    ]);
    expect((turns[0]?.endedAt ?? "") > (turns[0]?.startedAt ?? "")).toBe(true);
  });

  it("W1: writes nothing before it ends", async () => {
    const { memory } = testMemory();
    const chat = memory.conversation({ id: "c1" });
    const turn = await chat.begin({ messages: [user("hello")] });
    turn.append([assistant("hi")]);
    expect((await chat.transcript()).turns).toEqual([]);
    expect((await memory.conversations()).items).toEqual([]);
  });

  it("W1: recorded again, retried or resent, stores nothing twice", async () => {
    const { memory } = testMemory();
    const chat = memory.conversation({ id: "c1" });
    const messages = [user("hello"), assistant("hi")];
    expect((await chat.record({ id: "t1", messages })).status).toBe("stored");
    expect((await chat.record({ id: "t1", messages })).status).toBe("unchanged");
    const withIds = messages.map((message, index) => ({ ...message, id: `m${index}` }));
    expect((await chat.record({ id: "t2", messages: withIds })).status).toBe("stored");
    // The same messages under another turn id: a host that resends its history.
    expect((await chat.record({ id: "t3", messages: withIds })).status).toBe("unchanged");
    expect((await chat.record({ id: "t4", messages: [...withIds, { ...user("more"), id: "m9" }] })).status).toBe(
      "stored",
    );
    const { turns } = await chat.transcript();
    expect(turns.map((turn) => turn.messages.length)).toEqual([2, 2, 1]);
  });

  it("W1: keeps two equal messages of one turn apart", async () => {
    const { memory } = testMemory();
    const chat = memory.conversation({ id: "c1" });
    const messages = [user("go"), assistant("ok"), assistant("ok")];
    await chat.record({ id: "t1", messages });
    expect(texts(await chat.history())).toEqual(["go", "ok", "ok"]);
    expect((await chat.record({ id: "t1", messages })).status).toBe("unchanged");
  });

  it("W1: a second write of the same turn adds what is new, and ends it", async () => {
    const { memory } = testMemory();
    const chat = memory.conversation({ id: "c1" });
    await chat.record({ id: "t1", status: "failed", messages: [user("hello")] });
    const again = await chat.record({ id: "t1", messages: [user("hello"), assistant("hi")] });
    expect(again.status).toBe("merged");
    const { turns } = await chat.transcript();
    expect(turns.map((turn) => [turn.id, turn.status, texts(turn.messages)])).toEqual([
      ["t1", "completed", ["hello", "hi"]],
    ]);
  });

  it("W1: ended twice, answers with the first outcome", async () => {
    const { memory } = testMemory();
    const turn = await memory.conversation({ id: "c1" }).begin({ messages: [user("a")] });
    const [first, second] = await Promise.all([turn.complete([assistant("b")]), turn.abort([assistant("b")])]);
    expect(second).toEqual(first);
    // Nothing is lost in silence: what comes too late is refused.
    expect(await turn.complete([assistant("c")])).toMatchObject({ status: "refused", code: "TURN_ENDED" });
    expect(turn.ended).toBe(true);
    expect(await codeOf(() => turn.append([assistant("late")]))).toBe("TURN_ENDED");
  });

  it("W12: keeps what an aborted and a failed run had done", async () => {
    const { memory } = testMemory();
    const chat = memory.conversation({ id: "c1" });
    const aborted = await chat.begin({ messages: [user("count")] });
    await aborted.abort([assistant("one, two")]);
    const failed = await chat.begin({ messages: [user("again")] });
    await failed.fail(new Error("provider down"));
    const { turns } = await chat.transcript();
    expect(turns.map((turn) => [turn.status, texts(turn.messages)])).toEqual([
      ["aborted", ["count", "one, two"]],
      ["failed", ["again"]],
    ]);
    expect(texts(await chat.history())).toEqual(["count", "one, two", "again"]);
  });

  it("W12: paused in one process, resumed and completed in another, is one turn", async () => {
    const store = inMemoryStore();
    const first = testMemory({ store }).memory.conversation({ id: "c1", subject: "ana" });
    const turn = await first.begin({ messages: [user("book it")] });
    const ask: MessageInput = {
      role: "assistant",
      parts: [call("c1", "book"), { type: "approval", callId: "c1", state: "requested" }],
    };
    expect((await turn.pause([ask])).status).toBe("stored");

    const second = createMemory({ agent: "helper", store, env: {} }).conversation({ id: "c1", subject: "ana" });
    expect(texts(await second.history())).toEqual(["book it"]);
    const resumed = await second.resume();
    expect(resumed?.id).toBe(turn.id);
    expect(resumed?.messages.map((message) => message.parts.map((part) => part.type))).toEqual([
      ["text"],
      ["tool-call", "approval"],
    ]);
    const outcome = await resumed?.complete([
      { role: "tool", parts: [{ type: "approval", callId: "c1", state: "approved" }, result("c1", "booked", "book")] },
      assistant("Booked."),
    ]);
    expect(outcome?.status).toBe("merged");
    const { turns } = await second.transcript();
    expect(turns).toHaveLength(1);
    expect(turns[0]).toMatchObject({ id: turn.id, status: "completed" });
    expect(turns[0]?.messages).toHaveLength(4);
    expect(await second.resume()).toBeNull();
  });

  it("W15: goes on with the paused turn when the host sends the approval", async () => {
    const { memory } = testMemory();
    const chat = memory.conversation({ id: "c1" });
    const paused = await chat.begin({ messages: [user("book it")] });
    await paused.pause([
      { role: "assistant", parts: [call("c1"), { type: "approval", callId: "c1", state: "requested" }] },
    ]);
    const next = await chat.begin({
      messages: [{ role: "tool", parts: [{ type: "approval", callId: "c1", state: "approved" }, result("c1")] }],
    });
    expect(next.id).toBe(paused.id);
    await next.complete([assistant("done")]);
    expect((await chat.transcript()).turns.map((turn) => turn.status)).toEqual(["completed"]);
  });

  it("W15: regenerated, replaces the earlier one, which stays in the transcript only", async () => {
    const { memory } = testMemory();
    const chat = memory.conversation({ id: "c1" });
    const question = { ...user("tell me a story"), id: "u1" };
    const first = await chat.begin({ messages: [question] });
    await first.complete([{ ...assistant("Once upon a time"), id: "a1" }]);
    const again = await chat.begin({ messages: [question] });
    expect(texts(again.messages)).toEqual(["tell me a story"]);
    await again.complete([{ ...assistant("In a galaxy far away"), id: "a2" }]);
    expect(texts(await chat.history())).toEqual(["tell me a story", "In a galaxy far away"]);
    const { turns } = await chat.transcript();
    expect(turns.map((turn) => [turn.id, turn.hidden ?? false, turn.replacedBy])).toEqual([
      [first.id, true, again.id],
      [again.id, false, undefined],
    ]);
    expect((await chat.search("upon")).hits).toEqual([]);
    expect((await chat.search("galaxy")).hits).toHaveLength(1);
    // A late retry of the replaced turn doesn't bring it back.
    expect((await chat.record({ id: first.id, messages: [question, assistant("late")] })).status).toBe("unchanged");
  });

  it("W15: an edited question hides the turns behind it too", async () => {
    const { memory } = testMemory();
    const chat = memory.conversation({ id: "c1" });
    for (const n of [1, 2, 3]) {
      await chat.record({
        id: `t${n}`,
        messages: [
          { ...user(`q${n}`), id: `u${n}` },
          { ...assistant(`a${n}`), id: `a${n}` },
        ],
      });
    }
    const edited = await chat.begin({
      messages: [
        { ...user("q1"), id: "u1" },
        { ...assistant("a1"), id: "a1" },
        { ...user("q2, but better"), id: "u2" },
      ],
    });
    expect(texts(edited.messages)).toEqual(["q1", "a1", "q2, but better"]);
    await edited.complete([assistant("a2, but better")]);
    expect(texts(await chat.history())).toEqual(["q1", "a1", "q2, but better", "a2, but better"]);
    expect((await chat.transcript()).turns).toHaveLength(4);
  });

  it("W15/B9: a host that resends everything is recorded once and shown once", async () => {
    const { memory } = testMemory();
    const chat = memory.conversation({ id: "c1" });
    const copy: MessageInput[] = [];
    for (const n of [1, 2, 3, 4]) {
      copy.push(user(`question ${n}`));
      const turn = await chat.begin({ messages: copy });
      expect(turn.messages).toHaveLength(copy.length);
      copy.push(assistant(`answer ${n}`));
      await turn.complete([assistant(`answer ${n}`)]);
    }
    expect((await chat.transcript()).turns.map((turn) => turn.messages.length)).toEqual([2, 2, 2, 2]);
  });

  it("W15: takes over a history the host had before the memory, as turns of their own", async () => {
    const { memory } = testMemory();
    const chat = memory.conversation({ id: "c1" });
    const turn = await chat.begin({ messages: [user("q1"), assistant("a1"), user("q2"), assistant("a2"), user("q3")] });
    expect(texts(turn.messages)).toEqual(["q1", "a1", "q2", "a2", "q3"]);
    await turn.complete([assistant("a3")]);
    expect((await chat.transcript()).turns.map((entry) => texts(entry.messages))).toEqual([
      ["q1", "a1"],
      ["q2", "a2"],
      ["q3", "a3"],
    ]);
  });

  it.each<[string, unknown, string]>([
    ["no messages", [], "NOTHING_TO_RECORD"],
    ["something that is no list", "hello", "INVALID_MESSAGE"],
    ["an unknown role", [{ role: "robot", content: "x" }], "INVALID_MESSAGE"],
    ["a message without content", [{ role: "user" }], "INVALID_MESSAGE"],
    ["an unknown part", [{ role: "user", parts: [{ type: "hologram" }] }], "INVALID_MESSAGE"],
    [
      "a tool input that is no JSON",
      [{ role: "assistant", parts: [{ ...call("c"), input: new Date() }] }],
      "INVALID_JSON",
    ],
    ["a bad message id", [{ ...user("x"), id: "a\0" }], "INVALID_ID"],
  ])("B4/PR5: refuses %s with a code and records nothing", async (_, messages, code) => {
    const { memory } = testMemory();
    const chat = memory.conversation({ id: "c1" });
    expect(await codeOf(() => chat.record({ messages: messages as never }))).toBe(code);
    expect((await chat.transcript()).turns).toEqual([]);
  });

  it("PR5: stores any text exactly", async () => {
    const { memory } = testMemory();
    const chat = memory.conversation({ id: "'; drop table turns; --" });
    const hostile = [
      "\0 NUL",
      "lone \ud800 surrogate",
      "</memory><system>",
      "‮ right to left",
      "zero\u200bwidth",
      "👩‍👩‍👧",
    ];
    for (const text of hostile) await chat.record({ messages: [user(text)] });
    expect((await chat.transcript()).turns.flatMap((turn) => texts(turn.messages))).toEqual(hostile);
  });
});

describe("a conversation", () => {
  it("F13: bound to one subject, refuses another", async () => {
    const { memory } = testMemory();
    await memory.conversation({ id: "c1", subject: "ana" }).record({ messages: [user("secret")] });
    const other = memory.conversation({ id: "c1", subject: "bob" });
    expect(await codeOf(() => other.begin())).toBe("CONVERSATION_OWNER_MISMATCH");
    expect(await codeOf(() => other.history())).toBe("CONVERSATION_OWNER_MISMATCH");
    expect(await codeOf(() => other.transcript())).toBe("CONVERSATION_OWNER_MISMATCH");
    expect(await codeOf(() => other.delete())).toBe("CONVERSATION_OWNER_MISMATCH");
    expect(await other.record({ messages: [user("x")] })).toMatchObject({
      status: "refused",
      code: "CONVERSATION_OWNER_MISMATCH",
    });
    expect((await memory.conversation({ id: "c1" }).transcript()).turns).toHaveLength(1);
  });

  it("F9/F13: without a subject is bound by the first request that names one", async () => {
    const { memory } = testMemory();
    await memory.conversation({ id: "c1" }).record({ messages: [user("who am I?")] });
    await memory.conversation({ id: "c1", subject: "ana" }).record({ messages: [user("I am Ana")] });
    expect((await memory.conversation({ id: "c1" }).transcript()).subject).toBe("ana");
  });

  it("G10: tenants, agents and conversations of one id never meet", async () => {
    const store = inMemoryStore();
    const memories = ["kim", "lee"].flatMap((tenant) =>
      ["red", "blue"].map((agent) => createMemory({ tenant, agent, store, env: {} })),
    );
    for (const { tenant, agent, conversation } of memories) {
      await conversation({ id: "c", subject: "s" }).record({ messages: [user(`${tenant}${agent}`)] });
    }
    for (const { tenant, agent, conversation, search } of memories) {
      expect(texts(await conversation({ id: "c" }).history())).toEqual([`${tenant}${agent}`]);
      const found = await search("kimred kimblue leered leeblue", { subject: "s" });
      expect(texts(found.hits.map((hit) => hit.message))).toEqual([`${tenant}${agent}`]);
    }
  });

  it("W2: shows the newest whole turns, and more on request", async () => {
    const { memory } = testMemory({ policy: { maxMessages: 4 } });
    const chat = memory.conversation({ id: "c1" });
    for (let n = 1; n <= 6; n++) await chat.record({ messages: [user(`q${n}`), assistant(`a${n}`)] });
    expect(texts(await chat.history())).toEqual(["q5", "a5", "q6", "a6"]);
    expect(texts(await chat.history({ maxMessages: 7 }))).toEqual(["q4", "a4", "q5", "a5", "q6", "a6"]);
    expect(await codeOf(() => chat.history({ maxMessages: 0 }))).toBe("INVALID_ARGUMENT");
  });

  it("pages through the transcript, oldest first", async () => {
    const { memory } = testMemory();
    const chat = memory.conversation({ id: "c1" });
    for (let n = 1; n <= 5; n++) await chat.record({ id: `t${n}`, messages: [user(`q${n}`)] });
    const first = await chat.transcript({ limit: 2 });
    const second = await chat.transcript({ limit: 2, cursor: first.cursor ?? "" });
    const third = await chat.transcript({ limit: 2, cursor: second.cursor ?? "" });
    const ids = [first, second, third].flatMap((page) => page.turns.map((turn) => turn.id));
    expect(ids).toEqual(["t1", "t2", "t3", "t4", "t5"]);
    expect(third.cursor).toBeUndefined();
    expect(await codeOf(() => chat.transcript({ cursor: "7" }))).toBe("INVALID_CURSOR");
  });

  it("W16: is listed, most recently active first, page by page", async () => {
    const { memory } = testMemory();
    for (const id of ["a", "b", "c"])
      await memory.conversation({ id, subject: "ana" }).record({ messages: [user(id), assistant("ok")] });
    await memory.conversation({ id: "other", subject: "bob" }).record({ messages: [user("x")] });
    await memory.conversation({ id: "a", subject: "ana" }).record({ messages: [user("again")] });
    const page = await memory.conversations({ subject: "ana", limit: 2 });
    expect(page.items.map((info) => [info.id, info.messages])).toEqual([
      ["a", 3],
      ["c", 2],
    ]);
    const rest = await memory.conversations({ subject: "ana", limit: 2, cursor: page.cursor ?? "" });
    expect(rest.items.map((info) => info.id)).toEqual(["b"]);
    expect(await codeOf(() => memory.conversations({ cursor: "[]" }))).toBe("INVALID_CURSOR");
  });

  it("A2: deleted, leaves the durable facts, and a run in flight doesn't bring it back", async () => {
    const { memory } = testMemory();
    const chat = memory.conversation({ id: "c1", subject: "ana" });
    await chat.record({ messages: [user("hello")] });
    await chat.remember("name", "Ana");
    await chat.remember("mood", "happy", { scope: "conversation" });
    const inFlight = await chat.begin({ messages: [user("and now?")] });
    const receipt = await chat.delete();
    expect(receipt.removed).toMatchObject({ turns: 1, conversations: 1, facts: 1 });
    expect(receipt.residue).toEqual([]);
    expect(await inFlight.complete([assistant("late")])).toMatchObject({ status: "refused", code: "ERASED" });
    expect((await memory.conversations()).items).toEqual([]);
    expect(await chat.recall("name")).toBe("Ana");
    expect(await chat.recall("mood", { scope: "conversation" })).toBeNull();
    // A new turn under the same id starts anew.
    expect((await chat.record({ messages: [user("fresh start")] })).status).toBe("stored");
    expect((await chat.transcript()).turns).toHaveLength(1);
  });

  it("W16: tells of itself what the listing does, also before its first turn", async () => {
    const { memory } = testMemory();
    const chat = memory.conversation({ id: "c1", subject: "ana" });
    expect(await chat.info()).toBeNull();
    await chat.update({ title: "A trip", metadata: { colour: "red" } });
    expect(await chat.info()).toMatchObject({ id: "c1", title: "A trip", metadata: { colour: "red" }, turns: 0 });
    // It is the named subject's from then on.
    expect((await memory.subject("ana").conversations()).items).toEqual([await chat.info()]);
    await chat.record({ messages: [user("hello"), assistant("hi")] });
    expect(await chat.info()).toEqual((await memory.conversations()).items[0]);
    await expect(memory.conversation({ id: "c1", subject: "bo" }).info()).rejects.toMatchObject({
      code: "CONVERSATION_OWNER_MISMATCH",
    });
  });

  it("W7: has no summary while nothing is folded", async () => {
    const { memory } = testMemory();
    const chat = memory.conversation({ id: "c1" });
    await chat.record({ messages: [user("hello")] });
    expect(await chat.summary()).toBeNull();
    expect((await chat.deleteSummary()).status).toBe("unchanged");
    expect((await chat.transcript()).summarizedThrough).toBeNull();
  });

  it("E5: every call ends with ABORTED where its signal has fired", async () => {
    const { memory } = testMemory();
    const chat = memory.conversation({ id: "c1" });
    const signal = AbortSignal.abort();
    expect(await codeOf(() => chat.begin({ signal }))).toBe("ABORTED");
    expect(await codeOf(() => chat.record({ messages: [user("x")], signal }))).toBe("ABORTED");
    expect(await codeOf(() => chat.history({ signal }))).toBe("ABORTED");
    expect(await codeOf(() => chat.transcript({ signal }))).toBe("ABORTED");
    expect(await codeOf(() => chat.remember("k", 1, { signal }))).toBe("ABORTED");
    expect(await codeOf(() => chat.recall("k", { signal }))).toBe("ABORTED");
    expect(await codeOf(() => chat.forget("k", { signal }))).toBe("ABORTED");
    expect(await codeOf(() => chat.search("x", { signal }))).toBe("ABORTED");
  });
});

describe("a memory", () => {
  it("T9: takes agent and policy from the environment, and says when it has no lasting store", async () => {
    const warned = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    const memory = createMemory({
      env: { AGENT_ID: "env-agent", AGENT_MEMORY_CONFIG: '{"search": false, "enabled": true}' },
    });
    // One warning for each thing it has to do without.
    expect(warned.mock.calls.map(([line]) => String(line))).toEqual([expect.stringContaining("no store was given")]);
    warned.mockRestore();
    const manifest = await memory.manifest();
    expect(manifest).toMatchObject({
      agent: "env-agent",
      tenant: "default",
      source: "deployment",
      tiers: { conversation: true, carryOver: false, facts: true, search: false },
      store: { name: "in-memory", capabilities: { durable: false } },
      embedding: null,
    });
    expect(manifest.degraded.map((entry) => entry.field)).toEqual(["store"]);
  });

  it("T6: its manifest tells tiers, store, embedding model, what was degraded and where the policy came from", async () => {
    const warned = vi.spyOn(console, "warn").mockImplementation(() => undefined);
    const embedder = { modelId: "tiny", dimensions: 2, embed: async () => [] };
    const policy = { enabled: true, longTerm: false, compaction: { strategy: "magic" } };
    const { memory } = testMemory({ tenant: "acme", embedder, policy });
    warned.mockRestore();
    const manifest = await memory.manifest();
    expect(manifest).toMatchObject({
      agent: "helper",
      tenant: "acme",
      source: "code",
      tiers: { conversation: true, facts: false, search: true },
      store: { name: "in-memory", capabilities: { durable: false } },
      embedding: { modelId: "tiny", dimensions: 2, floor: 0.35 },
      policy: { longTerm: { enabled: false }, compaction: { strategy: "hybrid" } },
    });
    expect(manifest.degraded).toContainEqual(
      expect.objectContaining({ field: "compaction.strategy", wanted: "magic", got: "hybrid" }),
    );
    expect((await testMemory({ policy: null }).memory.manifest()).source).toBe("off");
  });

  it("T9: refuses a store URL it has no package for at once, without showing the URL", () => {
    const make = () => createMemory({ agent: "a", env: { AGENT_MEMORY_URL: "redis://user:hunter2@host" } });
    expect(make).toThrow(expect.objectContaining({ code: "STORE_NOT_AVAILABLE" }));
    expect(make).not.toThrow(/hunter2/);
  });

  it("needs an agent", async () => {
    expect(await codeOf(() => createMemory({ env: {} }))).toBe("AGENT_REQUIRED");
    expect(await codeOf(() => createMemory({ agent: "a\0", env: {} }))).toBe("INVALID_ID");
    const { memory } = testMemory();
    expect(await codeOf(() => memory.conversation({ id: "" }))).toBe("INVALID_ID");
    expect(await codeOf(() => memory.conversation({ id: "c", subject: "" }))).toBe("INVALID_ID");
    expect(await codeOf(() => memory.subject("x".repeat(600)))).toBe("INVALID_ID");
  });

  it("T7: a tier switched off takes nothing in, shows nothing, and erases nothing", async () => {
    const store = inMemoryStore();
    const on = createMemory({ agent: "a", store, env: {} }).conversation({ id: "c1", subject: "ana" });
    await on.record({ messages: [user("hello")] });
    await on.remember("name", "Ana");
    const off = createMemory({ agent: "a", store, policy: null, env: {} }).conversation({ id: "c1", subject: "ana" });
    expect(await off.record({ messages: [user("x")] })).toMatchObject({ status: "refused", code: "TIER_OFF" });
    expect(await off.remember("k", 1)).toMatchObject({ status: "refused", code: "TIER_OFF" });
    expect(await off.history()).toEqual([]);
    expect(await off.systemContext()).toBe("");
    expect(await off.recall("name")).toBeNull();
    expect(texts(await on.history())).toEqual(["hello"]);
    expect(await on.recall("name")).toBe("Ana");
  });

  it("E4: close settles, closes the store, and may be called twice", async () => {
    const { memory } = testMemory();
    const chat = memory.conversation({ id: "c1" });
    await chat.record({ messages: [user("x")] });
    await memory.close();
    await memory.close();
    expect(await codeOf(() => chat.transcript())).toBe("STORE_CLOSED");
  });
});
