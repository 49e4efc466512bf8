import { HumanMessage, SystemMessage } from "@langchain/core/messages";
import { MemorySaver } from "@langchain/langgraph";
import { createMemory, inMemoryStore, type MemoryError, type MemoryEvent, type MessageInput } from "@throughline/core";
import { createAgent, createMiddleware, tool } from "langchain";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { memoryMiddleware, memoryTools, withMemory } from "../src/index.ts";
import { call, fake, overHttp, say } from "./support/script.ts";
import { recorded, testMemory } from "./support/test-memory.ts";
import { tools } from "./support/tools.ts";

const ids = { configurable: { thread_id: "chat", user_id: "ada" } };
const ask = (content: string) => ({ messages: [{ role: "user" as const, content }] });

describe("what the model is shown", () => {
  test("B5/L7: the block stands behind the app's own words in the system message, and never in the state", async () => {
    const { memory, conversation } = testMemory();
    await memory.subject("ada").remember({ key: "city", value: "Oslo" });
    const { model, prompts } = fake([call(["c1", "weather", { city: "Oslo" }]), say("Sunny.")]);
    const agent = createAgent({
      model,
      tools: tools(),
      systemPrompt: "Be brief.",
      middleware: [memoryMiddleware(memory)],
    });
    const state = await agent.invoke(ask("How is it?"), ids);
    const [first, second] = prompts();
    expect(first?.[0]).toMatch(/^system: Be brief\.\n\n[\s\S]*city[\s\S]*Oslo/);
    expect(second?.[0]).toBe(first?.[0]);
    expect(state.messages.map(({ type }) => type)).toEqual(["human", "ai", "tool", "ai"]);
    expect(JSON.stringify(state.messages)).not.toContain("city: Oslo");
    expect(JSON.stringify(await recorded(conversation))).not.toContain("Be brief");
  });

  test("I1: without anything to say there is no system message, and the app's own stays as it is", async () => {
    const { memory } = testMemory();
    const { model, prompts } = fake([say("Hi."), say("Hi again.")]);
    await createAgent({ model, middleware: [memoryMiddleware(memory)] }).invoke(ask("Hello"), ids);
    expect(prompts()).toEqual([["human: Hello"]]);
  });

  test("L7: what is known is read once a run, however many steps it has", async () => {
    const events: MemoryEvent[] = [];
    const { memory } = testMemory(inMemoryStore(), { onEvent: (event) => events.push(event) });
    const { model } = fake([
      call(["c1", "weather", { city: "Oslo" }]),
      call(["c2", "weather", { city: "Voss" }]),
      say("Sunny."),
    ]);
    await createAgent({ model, tools: tools(), middleware: [memoryMiddleware(memory)] }).invoke(ask("How is it?"), ids);
    expect(events.filter(({ type }) => type === "memory.context")).toHaveLength(1);
  });

  test("B9: an agent without a checkpointer is shown what the memory holds", async () => {
    const { memory } = testMemory();
    const { model, prompts } = fake([say("Hi Ada."), say("Ada.")]);
    const agent = createAgent({ model, middleware: [memoryMiddleware(memory)] });
    await agent.invoke(ask("I am Ada."), ids);
    await agent.invoke(ask("Who am I?"), ids);
    expect(prompts()[1]).toEqual(["human: I am Ada.", "ai: Hi Ada.", "human: Who am I?"]);
  });

  test("B9: what the graph's own state holds as well is shown once, as the graph has it", async () => {
    const { memory } = testMemory();
    const { model, prompts } = fake([say("Hi Ada."), say("Ada.")]);
    const agent = createAgent({ model, checkpointer: new MemorySaver(), middleware: [memoryMiddleware(memory)] });
    await agent.invoke(ask("I am Ada."), ids);
    const state = await agent.invoke(ask("Who am I?"), ids);
    expect(prompts()[1]).toEqual(["human: I am Ada.", "ai: Hi Ada.", "human: Who am I?"]);
    expect(state.messages).toHaveLength(4);
  });

  test("L7/W2: the window leaves out what is too old, and the state keeps it", async () => {
    const policy = { enabled: true, conversation: { maxMessages: 4 } };
    const { memory } = testMemory(inMemoryStore(), { policy });
    const { model, prompts } = fake(Array.from({ length: 5 }, (_, index) => say(`answer ${index}`)));
    const agent = createAgent({ model, checkpointer: new MemorySaver(), middleware: [memoryMiddleware(memory)] });
    for (let index = 0; index < 4; index++) await agent.invoke(ask(`question ${index}`), ids);
    const state = await agent.invoke(ask("question 4"), ids);
    expect(prompts().at(-1)).not.toContain("human: question 0");
    expect(prompts().at(-1)?.slice(-2)).toEqual(["ai: answer 3", "human: question 4"]);
    expect(state.messages).toHaveLength(10);
  });

  test("W9: a large result is kept as an artifact: prompts have a preview, now and later, and the state the whole", async () => {
    const policy = { enabled: true, artifacts: { offloadChars: 600 } };
    const { memory, conversation } = testMemory(inMemoryStore(), { policy });
    const large = tool(() => "word ".repeat(200), { name: "large", description: "Says much.", schema: z.object({}) });
    const { model, prompts } = fake([call(["c1", "large", {}]), say("Much."), say("Yes.")]);
    const agent = createAgent({
      model,
      tools: [large, ...memoryTools(memory)],
      checkpointer: new MemorySaver(),
      middleware: [memoryMiddleware(memory)],
    });
    await agent.invoke(ask("Say much."), ids);
    const state = await agent.invoke(ask("Really?"), ids);
    const previews = prompts().map(
      (lines) => lines.filter((line) => line.startsWith("tool: [Kept as artifact")).length,
    );
    expect(previews).toEqual([0, 1, 1]);
    expect(state.messages[2]?.text).toBe("word ".repeat(200));
    const [turn] = await recorded(conversation);
    const id = turn?.lines[2]?.match(/art_\w+/)?.[0] ?? "none";
    expect((await conversation.artifact(id).page(1)).text).toContain("word word");
  });

  test("L7: history: state leaves the messages to the graph", async () => {
    const { memory } = testMemory();
    const { model, prompts } = fake([say("Hi Ada."), say("I don't know.")]);
    const agent = createAgent({ model, middleware: [memoryMiddleware(memory, { history: "state" })] });
    await agent.invoke(ask("I am Ada."), ids);
    await agent.invoke(ask("Who am I?"), ids);
    expect(prompts()[1]).toEqual(["human: Who am I?"]);
  });

  test("the app's own system messages in the state stay in front", async () => {
    const { memory } = testMemory();
    const { model, prompts } = fake([say("Hi."), say("Hi again.")]);
    const agent = createAgent({ model, middleware: [memoryMiddleware(memory)] });
    await agent.invoke({ messages: [new SystemMessage("Speak Norwegian."), new HumanMessage("Hello")] }, ids);
    await agent.invoke({ messages: [new SystemMessage("Speak Norwegian."), new HumanMessage("Again")] }, ids);
    expect(prompts()).toEqual([
      ["system: Speak Norwegian.", "human: Hello"],
      ["system: Speak Norwegian.", "human: Hello", "ai: Hi.", "human: Again"],
    ]);
  });

  test("what another middleware has changed of this turn reaches the model", async () => {
    const { memory } = testMemory();
    const shout = createMiddleware({
      name: "shout",
      wrapModelCall: (request, handler) =>
        handler({
          ...request,
          messages: request.messages.map(
            (message) => new HumanMessage({ content: message.text.toUpperCase(), id: message.id }),
          ),
        }),
    });
    const { model, prompts } = fake([say("Hi.")]);
    await createAgent({ model, middleware: [shout, memoryMiddleware(memory)] }).invoke(ask("Hello"), ids);
    expect(prompts()).toEqual([["human: HELLO"]]);
  });

  test("B4: what can't be carried reaches the model, is reported, and the rest is recorded", async () => {
    const { memory, conversation } = testMemory();
    const errors: MemoryError[] = [];
    const { model, prompts } = fake([say("Odd.")]);
    const agent = createAgent({
      model,
      middleware: [memoryMiddleware(memory, { onError: (error) => errors.push(error) })],
    });
    const loop: { self?: unknown } = {};
    loop.self = loop;
    await agent.invoke(
      { messages: [new HumanMessage({ content: "Look", additional_kwargs: { loop } }), new HumanMessage("And this.")] },
      ids,
    );
    expect(prompts()).toEqual([["human: Look", "human: And this."]]);
    expect(errors.map(({ code }) => code)).toContain("UNSUPPORTED_CONTENT");
    expect(await recorded(conversation)).toEqual([
      { status: "completed", lines: ["user: And this.", "assistant: Odd."] },
    ]);
  });
});

describe("W14: what another framework left is valid input", () => {
  const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==";
  const foreign: MessageInput[] = [
    {
      id: "u1",
      role: "user",
      parts: [
        { type: "text", text: "Look" },
        { type: "file", mediaType: "image/png", data: pixel },
      ],
    },
    {
      id: "msg_a1",
      role: "assistant",
      native: { format: "other@1", value: { itemId: "msg_a1" } },
      parts: [
        { type: "reasoning", text: "hm" },
        { type: "source", url: "https://example.com" },
        { type: "tool-call", callId: "x1", tool: "weather", input: { city: "Oslo" } },
        { type: "tool-call", callId: "x2", tool: "search", input: { q: "Oslo" }, providerExecuted: true },
        { type: "tool-result", callId: "x2", tool: "search", output: ["a"] },
        { type: "approval", callId: "x1", state: "requested" },
      ],
    },
    {
      id: "t1",
      role: "tool",
      parts: [
        { type: "approval", callId: "x1", state: "approved" },
        {
          type: "tool-result",
          callId: "x1",
          tool: "weather",
          output: [
            { type: "text", text: "sunny" },
            { type: "file", mediaType: "image/png", data: pixel },
          ],
          outputIs: "parts",
        },
      ],
    },
    { id: "a2", role: "assistant", content: "Sunny." },
  ];

  test("for OpenAI over HTTP: nothing is refused", async () => {
    const { memory, conversation } = testMemory();
    await conversation.record({ id: "t", messages: foreign });
    const { model, server, prompts } = await overHttp([say("Still sunny.")]);
    const agent = createAgent({ model, tools: tools(), middleware: [memoryMiddleware(memory)] });
    await agent.invoke(ask("And now?"), withMemory(conversation));
    expect(server.refusals).toEqual([]);
    expect(prompts()[0]?.map((line) => line.split(":")[0])).toEqual(["user", "assistant", "tool", "assistant", "user"]);
    expect(prompts()[0]?.join("\n")).not.toMatch(/hm|msg_a1/);
  });

  test("a call that waits for approval elsewhere does not make the next prompt invalid", async () => {
    const { memory, conversation } = testMemory();
    await conversation.record({ id: "t", messages: foreign.slice(0, 2), status: "paused" });
    const { model, server } = await overHttp([say("Sunny.")]);
    await createAgent({ model, tools: tools(), middleware: [memoryMiddleware(memory)] }).invoke(
      ask("Never mind. Hello?"),
      withMemory(conversation),
    );
    expect(server.refusals).toEqual([]);
    expect((await recorded(conversation)).map(({ status }) => status)).toEqual(["paused", "completed"]);
  });
});

test("B9: a question in the place of a resume leaves no call without its answer in the prompt", async () => {
  const { memory, conversation } = testMemory();
  const { model, server } = await overHttp([call(["c1", "ask", { question: "Which?" }]), say("As you like.")]);
  const agent = createAgent({
    model,
    tools: tools(),
    checkpointer: new MemorySaver(),
    middleware: [memoryMiddleware(memory)],
  });
  await agent.invoke(ask("Book it."), withMemory(conversation));
  await agent.invoke(ask("Forget it."), withMemory(conversation));
  expect(server.refusals).toEqual([]);
  expect((await recorded(conversation)).map(({ status, lines }) => [status, lines.length])).toEqual([
    ["paused", 2],
    ["completed", 2],
  ]);
});

test("Q1: what one memory was told another one knows, on the same store", async () => {
  const store = inMemoryStore();
  const first = createMemory({ agent: "guide", store, env: {} });
  const told = fake([
    call(["c1", "memory_remember", { key: "city", value: "Oslo", quote: "I live in Oslo" }]),
    say("Noted."),
  ]);
  await createAgent({ model: told.model, tools: memoryTools(first), middleware: [memoryMiddleware(first)] }).invoke(
    ask("I live in Oslo."),
    ids,
  );

  const second = createMemory({ agent: "guide", store, env: {} });
  const asked = fake([say("In Oslo.")]);
  await createAgent({ model: asked.model, middleware: [memoryMiddleware(second)] }).invoke(ask("Where do I live?"), {
    configurable: { thread_id: "another", user_id: "ada" },
  });
  expect(asked.prompts()[0]?.[0]).toMatch(/Oslo/);
  const [fact] = await second.subject("ada").facts();
  const { turns } = await first.conversation({ id: "chat", subject: "ada" }).transcript();
  expect(fact?.source).toMatchObject({ conversation: "chat", turn: turns[0]?.id });
  expect(fact?.origin).toBe("user");
});
