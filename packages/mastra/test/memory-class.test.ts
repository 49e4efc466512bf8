import type { Mastra } from "@mastra/core";
import { RequestContext } from "@mastra/core/request-context";
import { createMemory, inMemoryStore } from "@throughline/core";
import { describe, expect, test } from "vitest";
import { ThroughlineMemory } from "../src/index.ts";
import { quietAgent, tools } from "./support/agents.ts";
import { call, type ScriptedStep, say, scriptedModel } from "./support/scripted-model.ts";
import { recorded, testMemory } from "./support/test-memory.ts";

const owner = { memory: { thread: "chat", resource: "ada" } };

function setUp(...steps: ScriptedStep[]) {
  const world = testMemory();
  const model = scriptedModel(...steps);
  const host = new ThroughlineMemory(world.memory);
  const agent = quietAgent({ id: "ann", name: "Ann", instructions: "Be brief.", model, tools: tools(), memory: host });
  return { ...world, model, host, agent };
}

const row = (id: string, role: "user" | "assistant", text: string, at = 0, threadId = "chat") => ({
  id,
  role,
  createdAt: new Date(at),
  threadId,
  resourceId: "ada",
  content: { format: 2 as const, parts: [{ type: "text" as const, text }] },
});

describe("R2: an agent with `memory` and no storage", () => {
  test.each(["generate", "stream"] as const)(
    "%s: remembers within a thread, and facts across threads",
    async (mode) => {
      const { agent, model, conversation } = setUp(
        call(["c1", "memory_remember", { key: "city", value: "Oslo", quote: "My city is Oslo" }]),
        say("Noted."),
        say("Oslo."),
        say("Oslo!"),
      );
      const run = async (text: string, thread: string) => {
        const result = await agent[mode](text, { memory: { thread, resource: "ada" } });
        if ("consumeStream" in result) await result.consumeStream();
      };
      await run("My city is Oslo.", "chat");
      await run("Which city?", "chat");
      expect(JSON.stringify(model.prompts().at(-1))).toContain("My city is Oslo.");
      await run("Which city?", "other");
      const prompt = JSON.stringify(model.prompts().at(-1));
      expect(prompt).not.toContain("My city is Oslo.");
      expect(prompt).toContain("Oslo");
      expect(await recorded(conversation)).toHaveLength(2);
    },
  );

  test("has a thread with its owner from the first run on, with the title and metadata that the call gives", async () => {
    const { agent, host, memory } = setUp(say("Hello."));
    const thread = { id: "chat", title: "A trip", metadata: { colour: "red" } };
    await agent.generate("Hi", { memory: { thread, resource: "ada" } });
    expect(await host.getThreadById({ threadId: "chat" })).toMatchObject({ resourceId: "ada", ...thread });
    expect(await host.getThreadById({ threadId: "none" })).toBeNull();
    expect((await memory.subject("ada").conversations()).items).toHaveLength(1);
  });

  test("R2/B1: refuses a thread of another resource, and shows nothing of it", async () => {
    const { agent, host, model } = setUp(say("Hello."), say("Never."));
    await agent.generate("Hi", owner);
    await expect(agent.generate("Hi", { memory: { thread: "chat", resource: "eve" } })).rejects.toThrow();
    expect(model.prompts()).toHaveLength(1);
    await expect(host.recall({ threadId: "chat", resourceId: "eve" })).rejects.toMatchObject({
      code: "CONVERSATION_OWNER_MISMATCH",
    });
    await expect(
      host.saveMessages({ messages: [{ ...row("x", "user", "Hi"), resourceId: "eve" }] }),
    ).rejects.toMatchObject({
      code: "CONVERSATION_OWNER_MISMATCH",
    });
  });

  test("R2/B1: nothing in the request context names another owner, for runs or for tools", async () => {
    const { agent, memory } = setUp(call(["c1", "memory_remember", { key: "city", value: "Oslo" }]), say("Noted."));
    const requestContext = new RequestContext([
      ["conversation", "hers"],
      ["userId", "eve"],
    ] as never);
    await agent.generate("My city is Oslo.", { ...owner, requestContext });
    expect((await memory.conversations()).items.map(({ id, subject }) => [id, subject])).toEqual([["chat", "ada"]]);
    expect(await memory.subject("ada").facts()).toHaveLength(1);
    expect(await memory.subject("eve").facts()).toEqual([]);
  });

  test("records nothing of a run that may only read, and nothing of one without a thread", async () => {
    const { agent, model, conversation } = setUp(say("Hello."), say("Again."), say("Alone."));
    await agent.generate("Hi", owner);
    await agent.generate("Still there?", { memory: { ...owner.memory, options: { readOnly: true } } });
    expect(JSON.stringify(model.prompts().at(-1))).toContain("Hello.");
    await agent.generate("No thread");
    expect(await recorded(conversation)).toEqual([{ status: "completed", lines: ["user: Hi", "assistant: Hello."] }]);
  });

  test("remembers and forgets nothing in a run that may only read", async () => {
    const { agent, host, memory } = setUp(
      call(["c1", "memory_remember", { key: "city", value: "Rome" }], ["c2", "memory_forget", { key: "name" }]),
      say("I can't."),
    );
    await memory.subject("ada").remember({ key: "name", value: "Ada" });
    await agent.generate("My city is Rome.", { memory: { ...owner.memory, options: { readOnly: true } } });
    expect((await memory.subject("ada").facts()).map(({ key }) => key)).toEqual(["name"]);
    expect((await host.recall({ threadId: "chat" })).messages).toEqual([]);
  });

  test("finds its history by recall, page by page, by date, by id with neighbours, and by words", async () => {
    const { host } = setUp();
    const rows = Array.from({ length: 6 }, (_, index) =>
      row(
        `m${index}`,
        index % 2 === 0 ? "user" : "assistant",
        index === 3 ? "about cats" : `text ${index}`,
        index * 1_000,
      ),
    );
    await host.saveMessages({ messages: rows });
    const ids = async (input: object) =>
      (await host.recall({ threadId: "chat", ...input })).messages.map(({ id }) => id);
    expect(await ids({})).toEqual(["m0", "m1", "m2", "m3", "m4", "m5"]);
    expect((await host.recall({ threadId: "chat" })).messages).toEqual(rows);
    expect(await ids({ threadConfig: { lastMessages: 2 } })).toEqual(["m4", "m5"]);
    expect(await host.recall({ threadId: "chat", perPage: 2, page: 1 })).toMatchObject({
      total: 6,
      page: 1,
      perPage: 2,
      hasMore: true,
    });
    expect(await ids({ perPage: 2, page: 2 })).toEqual(["m4", "m5"]);
    expect(await ids({ perPage: 2, orderBy: { field: "createdAt", direction: "DESC" } })).toEqual(["m5", "m4"]);
    expect(
      await ids({ filter: { dateRange: { start: new Date(1_000), end: new Date(3_000), endExclusive: true } } }),
    ).toEqual(["m1", "m2"]);
    expect(await ids({ perPage: 0, include: [{ id: "m3", withPreviousMessages: 1, withNextMessages: 1 }] })).toEqual([
      "m2",
      "m3",
      "m4",
    ]);
    await host.settled();
    expect(await ids({ perPage: 1, page: 5, vectorSearchString: "cats" })).toEqual(["m3", "m5"]);
    expect(await ids({ threadId: ["chat", "none"] })).toHaveLength(6);
  });

  test("keeps rows once, a question and its later answer as one turn", async () => {
    const { host, conversation } = setUp();
    await host.saveMessages({ messages: [row("m0", "user", "Hi")] });
    expect((await recorded(conversation))[0]?.status).toBe("paused");
    await host.saveMessages({ messages: [row("m1", "assistant", "Hello.", 1)] });
    await host.saveMessages({ messages: [row("m0", "user", "Hi"), row("m1", "assistant", "Hello.", 1)] });
    expect(await recorded(conversation)).toEqual([{ status: "completed", lines: ["user: Hi", "assistant: Hello."] }]);
    const { threadId: _thread, ...nobodys } = row("m2", "user", "Hi");
    await expect(host.saveMessages({ messages: [nobodys] })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
  });

  test("erases a message with its parts and results, by its id alone, and a thread", async () => {
    const { agent, host, conversation } = setUp(call(["c1", "weather", { city: "Oslo" }]), say("Sunny."), say("Bye."));
    await agent.generate("How is Oslo?", owner);
    await agent.generate("Bye", owner);
    const { messages } = await host.recall({ threadId: "chat" });
    expect(messages.map(({ role }) => role)).toEqual(["user", "assistant", "user", "assistant"]);
    await host.deleteMessages([{ id: messages[1]?.id ?? "" }]);
    expect(JSON.stringify(await conversation.transcript())).not.toMatch(/weather|Sunny/);
    expect((await host.recall({ threadId: "chat" })).messages).toHaveLength(3);
    await host.deleteThread("chat");
    expect(await host.getThreadById({ threadId: "chat" })).toBeNull();
    expect((await conversation.transcript()).turns).toEqual([]);
  });

  test("R2/PR5: deletes the message of that id alone: none whose id begins like it, and none of another thread", async () => {
    const { host } = setUp();
    await host.saveMessages({
      messages: [
        row("a", "user", "one"),
        row("b", "assistant", "two", 1),
        row("a@example", "user", "three", 2),
        row("a#1", "assistant", "four", 3),
      ],
    });
    await host.deleteMessages(["a"]);
    const left = async (threadId: string) => (await host.recall({ threadId })).messages.map(({ id }) => id);
    expect(await left("chat")).toEqual(["b", "a@example", "a#1"]);
    const others = [row("a#1", "user", "hers", 0, "hers"), row("c", "assistant", "x", 1, "hers")];
    await host.saveMessages({ messages: others.map((other) => ({ ...other, resourceId: "eve" })) });
    await expect(host.deleteMessages(["b", "a#1"])).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    expect(await left("chat")).toEqual(["b", "a@example", "a#1"]);
    expect(await left("hers")).toEqual(["a#1", "c"]);
  });

  test("R2/B1: tells Mastra's server whose a message is, and leaves the rest of its storage as it is", async () => {
    const { agent, host } = setUp(say("Hello."));
    await agent.generate("Hi", owner);
    const [question] = (await host.recall({ threadId: "chat" })).messages;
    const domain = await host.storage.getStore("memory");
    const { messages } = { ...(await domain?.listMessagesById({ messageIds: [question?.id ?? "", "none"] })) };
    expect(messages).toMatchObject([{ id: question?.id, threadId: "chat", resourceId: "ada" }]);
    expect(await domain?.getThreadById({ threadId: "chat" })).toMatchObject({ resourceId: "ada" });
    // Another domain, and another method of this one.
    expect(await (await host.storage.getStore("workflows"))?.listWorkflowRuns()).toMatchObject({ runs: [] });
    expect((await domain?.listThreads({}))?.threads).toEqual([]);
  });

  test("R2: is searched by Mastra's server in all threads of a person", async () => {
    const { host } = setUp();
    const merged = host.getMergedThreadConfig({});
    expect(merged.semanticRecall).toMatchObject({ scope: "resource" });
  });

  test("R2: deletes all steps of an answer that another framework gave", async () => {
    const { host, conversation } = setUp();
    const result = { type: "tool-result" as const, callId: "x", tool: "look", output: "a square" };
    await conversation.record({
      messages: [
        { id: "q", role: "user", content: "What?" },
        { id: "s1", role: "assistant", parts: [{ type: "tool-call", callId: "x", tool: "look", input: {} }] },
        { id: "s2", role: "tool", parts: [result] },
        { id: "s3", role: "assistant", content: "A square." },
      ],
    });
    const { messages } = await host.recall({ threadId: "chat" });
    expect(messages.map(({ id }) => id)).toEqual(["q", "s1"]);
    await host.deleteMessages(["s1"]);
    expect(JSON.stringify(await conversation.transcript())).not.toContain("square");
  });

  test("R2/G10: a resource without a name owns nothing of others", async () => {
    const { host } = setUp();
    for (const [threadId, resourceId] of [
      ["a", "ada"],
      ["b", "eve"],
      ["c", ""],
    ] as const) {
      await host.createThread({ threadId, resourceId });
    }
    const { threads } = await host.listThreads({ filter: { resourceId: "" } });
    expect(threads.map(({ id }) => id)).toEqual(["c"]);
    await host.saveMessages({ messages: [row("m0", "user", "Hi", 0, "a")] });
    await expect(host.recall({ threadId: "a", resourceId: "" })).rejects.toMatchObject({
      code: "CONVERSATION_OWNER_MISMATCH",
    });
    const mixed = [row("x", "user", "Hi", 0, "d"), { ...row("y", "assistant", "Yes", 1, "d"), resourceId: "eve" }];
    await expect(host.saveMessages({ messages: mixed })).rejects.toMatchObject({ code: "CONVERSATION_OWNER_MISMATCH" });
    expect(await host.getThreadById({ threadId: "d" })).toBeNull();
  });

  test("lists threads by owner and metadata, renames, moves and clones them", async () => {
    const { host } = setUp();
    for (const [id, resourceId] of [
      ["a", "ada"],
      ["b", "ada"],
      ["c", "eve"],
    ] as const) {
      await host.createThread({
        threadId: id,
        resourceId,
        title: id.toUpperCase(),
        metadata: { kind: id === "a" ? "x" : "y" },
      });
    }
    const listed = async (filter: object) =>
      (await host.listThreads({ filter })).threads.map(({ id }) => id).toSorted();
    expect(await listed({})).toEqual(["a", "b", "c"]);
    expect(await listed({ resourceId: "ada" })).toEqual(["a", "b"]);
    expect(await listed({ resourceId: "ada", metadata: { kind: "x" } })).toEqual(["a"]);
    expect(await host.listThreads({ perPage: 2, page: 1 })).toMatchObject({
      total: 3,
      page: 1,
      perPage: 2,
      hasMore: false,
    });
    expect(await host.updateThread({ id: "a", title: "New", metadata: { kind: "z" } })).toMatchObject({
      title: "New",
      metadata: { kind: "z" },
    });
    await expect(host.updateThread({ id: "none", title: "x" })).rejects.toMatchObject({ code: "NOT_FOUND" });

    await host.saveMessages({ messages: [row("m0", "user", "Hi", 0, "a"), row("m1", "assistant", "Hello.", 1, "a")] });
    const { thread, clonedMessages } = await host.cloneThread({ sourceThreadId: "a", newThreadId: "a2" });
    expect(thread).toMatchObject({
      id: "a2",
      resourceId: "ada",
      title: "Clone of New",
      metadata: { kind: "z", clone: { sourceThreadId: "a" } },
    });
    expect(clonedMessages.map(({ id }) => id)).toEqual(["m0", "m1"]);
    const part = await host.cloneThread({
      sourceThreadId: "a",
      newThreadId: "a3",
      resourceId: "eve",
      options: { messageFilter: { messageIds: ["m0"] } },
    });
    expect(part.clonedMessages.map(({ id }) => id)).toEqual(["m0"]);
    expect(await listed({ resourceId: "eve" })).toEqual(["a3", "c"]);
    const none = { sourceThreadId: "a", newThreadId: "a4", options: { messageLimit: 0 } };
    expect((await host.cloneThread(none)).clonedMessages).toEqual([]);
    expect(await host.updateThreadResourceId({ threadId: "a", resourceId: "eve" })).toMatchObject({
      resourceId: "eve",
    });
    expect((await host.recall({ threadId: "a", resourceId: "eve" })).messages).toHaveLength(2);
  });
});

describe("R2: working memory", () => {
  test("R2: is the person's facts, and what is written there are facts", async () => {
    const { host, memory, conversation } = setUp();
    const where = { threadId: "chat", resourceId: "ada" };
    expect(await host.getWorkingMemory(where)).toBeNull();
    const workingMemory =
      "# User\n- **Name**: Ada\n- Location:\n\n## Dog\n- Name: Rex\n- [likes walks](x)\nPrefers tea.\n";
    await host.updateWorkingMemory({ ...where, workingMemory });
    expect(await conversation.recall("name")).toBe("Ada");
    expect(await conversation.recall("dog_name")).toBe("Rex");
    const shown = await host.getWorkingMemory(where);
    expect(shown?.split("\n").toSorted()).toEqual([
      "- **dog_name**: Rex",
      "- **name**: Ada",
      "- Prefers tea.",
      "- [likes walks](x)",
    ]);
    // The same text, and one that an agent has emptied, change nothing.
    await host.updateWorkingMemory({ ...where, workingMemory: shown ?? "" });
    await host.updateWorkingMemory({ ...where, workingMemory: "# User\n- Name:\n" });
    expect(await memory.subject("ada").facts()).toHaveLength(4);
    await host.updateWorkingMemory({
      ...where,
      workingMemory: JSON.stringify({ name: "Ada L.", address: { city: "Oslo" }, none: null }),
    });
    expect(await conversation.recall("name")).toBe("Ada L.");
    expect(await conversation.recall("address")).toEqual({ city: "Oslo" });
  });

  test("of a thread alone stays in the thread", async () => {
    const { host, memory } = setUp();
    const memoryConfig = { workingMemory: { enabled: true, scope: "thread" as const } };
    const where = { threadId: "chat", resourceId: "ada", memoryConfig };
    await host.updateWorkingMemory({ ...where, workingMemory: "- Mood: happy" });
    expect(await host.getWorkingMemory(where)).toBe("- **mood**: happy");
    expect(await host.getWorkingMemory({ threadId: "other", resourceId: "ada" })).toBeNull();
    expect(await memory.subject("ada").facts()).toEqual([]);
  });
});

test("R2: a Mastra with a storage of its own leaves the threads to the memory", async () => {
  const memory = createMemory({ agent: "guide", store: inMemoryStore(), env: {}, onEvent: () => {} });
  const host = new ThroughlineMemory(memory, { tools: false });
  const agent = quietAgent({
    id: "ann",
    name: "Ann",
    instructions: "Be brief.",
    model: scriptedModel(say("Hello.")),
    memory: host,
  });
  const mastra = agent.getMastraInstance() as Mastra;
  await agent.generate("Hi", owner);
  const store = await mastra.getStorage()?.getStore("memory");
  expect((await store?.listThreads({}))?.threads).toEqual([]);
  expect((await memory.conversations()).items).toHaveLength(1);
});
