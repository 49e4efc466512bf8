import { createMemory, inMemoryStore, type MemoryStore } from "@throughline/core";
import { createAgent } from "langchain";
import { describe, expect, test } from "vitest";
import { type MemorySettings, memoryMiddleware, memoryTools, withMemory } from "../src/index.ts";
import { call, fake, say } from "./support/script.ts";
import { testMemory } from "./support/test-memory.ts";

const question = { messages: [{ role: "user" as const, content: "Hello" }] };

/** Runs an agent once and tells which conversations the memory has then. */
async function conversationsOf(config: object, settings: MemorySettings = {}, store: MemoryStore = inMemoryStore()) {
  const { memory } = testMemory(store);
  const agent = createAgent({ model: fake([say("Hi.")]).model, middleware: [memoryMiddleware(memory, settings)] });
  await agent.invoke(question, config);
  const { items } = await memory.conversations();
  return items.map(({ id, subject }) => ({ id, subject }));
}

describe("B1: who is there", () => {
  test("says the thread id, and the user id beside it", async () => {
    const found = await conversationsOf({ configurable: { thread_id: "t1", user_id: "ada" } });
    expect(found).toEqual([{ id: "t1", subject: "ada" }]);
  });

  test("says the run's context before the ids", async () => {
    const configurable = { thread_id: "t1", user_id: "eve" };
    const found = await conversationsOf({ configurable, context: { conversation: "c1", subject: "ada" } });
    expect(found).toEqual([{ id: "c1", subject: "ada" }]);
    expect(await conversationsOf({ configurable, context: { userId: "bob" } })).toEqual([{ id: "t1", subject: "bob" }]);
  });

  test("says identify before both, and what it leaves out they say", async () => {
    const config = { configurable: { thread_id: "t1", user_id: "eve" }, context: { account: "ada", subject: "bob" } };
    const identify: MemorySettings["identify"] = ({ context }) => ({ subject: String(context.account) });
    expect(await conversationsOf(config, { identify })).toEqual([{ id: "t1", subject: "ada" }]);
  });

  test("says the conversation of withMemory before all", async () => {
    const store = inMemoryStore();
    const { conversation } = testMemory(store);
    const identify = () => ({ id: "other", subject: "eve" });
    const found = await conversationsOf(withMemory(conversation), { identify }, store);
    expect(found).toEqual([{ id: "chat", subject: "ada" }]);
  });

  test("F9: nobody where nobody is named", async () => {
    expect(await conversationsOf({ configurable: { thread_id: "t1" } })).toEqual([{ id: "t1", subject: undefined }]);
  });

  test("is told before the model is called where no conversation is named", async () => {
    const { memory } = testMemory();
    const { model, prompts } = fake([say("Hi.")]);
    const agent = createAgent({ model, middleware: [memoryMiddleware(memory)] });
    await expect(agent.invoke(question)).rejects.toMatchObject({ cause: { code: "INVALID_ARGUMENT" } });
    expect(prompts()).toEqual([]);
  });

  test("F13: another person's thread is refused, and nothing of it is shown", async () => {
    const store = inMemoryStore();
    const { memory, conversation } = testMemory(store);
    await conversation.record({
      id: "t",
      messages: [
        { role: "user", content: "a secret" },
        { role: "assistant", content: "kept" },
      ],
    });
    const { model, prompts } = fake([say("Hi.")]);
    const agent = createAgent({ model, middleware: [memoryMiddleware(memory)] });
    const eve = { configurable: { thread_id: "chat", user_id: "eve" } };
    await expect(agent.invoke(question, eve)).rejects.toMatchObject({ cause: { code: "CONVERSATION_OWNER_MISMATCH" } });
    expect(prompts()).toEqual([]);
  });
});

describe("O3: whose memory a tool reaches", () => {
  test("says the run's config, whatever the model writes", async () => {
    const memory = createMemory({ agent: "guide", store: inMemoryStore(), env: {} });
    const input = { key: "city", value: "Oslo", subject: "eve", conversation: "other", scope: "user" };
    const { model } = fake([call(["c1", "memory_remember", input]), say("Noted.")]);
    const agent = createAgent({ model, tools: memoryTools(memory) });
    await agent.invoke(question, { configurable: { thread_id: "t1" }, context: { subject: "ada" } });
    expect(await memory.subject("eve").facts()).toEqual([]);
    expect(await memory.subject("ada").facts()).toEqual([expect.objectContaining({ key: "city", value: "Oslo" })]);
  });

  test("O2: a run that names no conversation gets a text, and the app is told", async () => {
    const memory = createMemory({ agent: "guide", store: inMemoryStore(), env: {} });
    const codes: string[] = [];
    const { model, prompts } = fake([call(["c1", "memory_recall", {}]), say("Well.")]);
    const agent = createAgent({
      model,
      tools: memoryTools(memory, { only: ["memory_recall"], onError: ({ code }) => codes.push(code) }),
    });
    await agent.invoke(question);
    expect(prompts()[1]?.at(-1)).toMatch(/^tool: The memory is not available/);
    expect(codes).toEqual(["INVALID_ARGUMENT"]);
  });

  test("O1: only the tools that were asked for are made, each once", () => {
    const { memory, conversation } = testMemory();
    expect(memoryTools(memory, { only: ["memory_recall"] }).map(({ name }) => name)).toEqual(["memory_recall"]);
    expect(memoryTools(conversation, { except: ["memory_search"] })).toHaveLength(5);
  });
});
