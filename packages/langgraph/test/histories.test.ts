import { AIMessage, HumanMessage, RemoveMessage } from "@langchain/core/messages";
import { END, MemorySaver, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import { inMemoryStore } from "@throughline/core";
import { createAgent, summarizationMiddleware } from "langchain";
import { describe, expect, test } from "vitest";
import { memoryMiddleware, withMemory } from "../src/index.ts";
import { call, fake, say } from "./support/script.ts";
import { recorded, testMemory } from "./support/test-memory.ts";
import { tools } from "./support/tools.ts";

const ids = { configurable: { thread_id: "chat", user_id: "ada" } };

describe("B9/W15: histories are told from what is new", () => {
  test("a client that sends its whole history every time leaves each turn once", async () => {
    const { memory, conversation } = testMemory();
    const { model } = fake([say("one"), say("two"), say("three")]);
    const agent = createAgent({ model, middleware: [memoryMiddleware(memory)] });
    const history: { role: "user" | "assistant"; content: string }[] = [];
    for (const answer of ["one", "two", "three"]) {
      history.push({ role: "user", content: `give me ${answer}` });
      await agent.invoke({ messages: history }, ids);
      history.push({ role: "assistant", content: answer });
    }
    expect(await recorded(conversation)).toEqual(
      ["one", "two", "three"].map((answer) => ({
        status: "completed",
        lines: [`user: give me ${answer}`, `assistant: ${answer}`],
      })),
    );
  });

  test("an answer asked for again from an earlier checkpoint replaces the first one", async () => {
    const { memory, conversation } = testMemory();
    const { model, prompts } = fake([say("Hi."), say("Sunny."), say("Rainy.")]);
    const agent = createAgent({ model, checkpointer: new MemorySaver(), middleware: [memoryMiddleware(memory)] });
    await agent.invoke({ messages: [new HumanMessage("Hello")] }, ids);
    await agent.invoke({ messages: [new HumanMessage("How is it?")] }, ids);
    let before: typeof ids | undefined;
    for await (const { next, values, config } of agent.graph.getStateHistory(ids)) {
      // The config of a checkpoint names the thread, as the run's own did.
      if (next.includes("model_request") && values.messages.length === 3) before ??= config as typeof ids;
    }
    await agent.invoke(null as never, before);
    expect(prompts()[2]).toEqual(prompts()[1]);
    expect(await recorded(conversation)).toEqual([
      { status: "completed", lines: ["user: Hello", "assistant: Hi."] },
      { status: "completed", lines: ["user: How is it?", "assistant: Rainy."] },
    ]);
    const { turns } = await conversation.transcript();
    expect(turns.map(({ replacedBy }) => replacedBy !== undefined)).toEqual([false, true, false]);
  });

  test("W14: what was said elsewhere since is shown in its place, and nothing of it is hidden", async () => {
    const { memory, conversation } = testMemory();
    const { model, prompts } = fake([say("Hi."), say("Welcome back.")]);
    const agent = createAgent({ model, checkpointer: new MemorySaver(), middleware: [memoryMiddleware(memory)] });
    await agent.invoke({ messages: [new HumanMessage("Hello")] }, ids);
    await conversation.record({
      messages: [
        { role: "user", content: "How is it?" },
        { role: "assistant", content: "Sunny." },
      ],
    });
    await agent.invoke({ messages: [new HumanMessage("Back again")] }, ids);
    expect(prompts()[1]).toEqual(["human: Hello", "ai: Hi.", "human: How is it?", "ai: Sunny.", "human: Back again"]);
    expect((await recorded(conversation)).map(({ lines }) => lines[0])).toEqual([
      "user: Hello",
      "user: How is it?",
      "user: Back again",
    ]);
  });

  test("a question that was edited replaces what it led to", async () => {
    const { memory, conversation } = testMemory();
    const { model } = fake([say("Sunny."), say("Windy.")]);
    const agent = createAgent({ model, checkpointer: new MemorySaver(), middleware: [memoryMiddleware(memory)] });
    const state = await agent.invoke({ messages: [new HumanMessage({ id: "q", content: "Oslo?" })] }, ids);
    const answer = new RemoveMessage({ id: state.messages[1]?.id as string });
    await agent.invoke({ messages: [answer, new HumanMessage({ id: "q", content: "Bergen?" })] }, ids);
    expect(await recorded(conversation)).toEqual([
      { status: "completed", lines: ["user: Bergen?", "assistant: Windy."] },
    ]);
  });

  test("a run whose question was sent before the memory took part is recorded with it", async () => {
    const { memory, conversation } = testMemory();
    const checkpointer = new MemorySaver();
    const { model } = fake([say("Hi."), say("Sunny.")]);
    await createAgent({ model, checkpointer }).invoke({ messages: [new HumanMessage("Hello")] }, ids);
    const agent = createAgent({ model, checkpointer, middleware: [memoryMiddleware(memory)] });
    await agent.invoke({ messages: [new HumanMessage("How is it?")] }, ids);
    expect(await recorded(conversation)).toEqual([
      { status: "completed", lines: ["user: Hello", "assistant: Hi."] },
      { status: "completed", lines: ["user: How is it?", "assistant: Sunny."] },
    ]);
  });

  test("W6: a summary that the graph puts into its state in place of its messages takes nothing from the transcript", async () => {
    const { memory, conversation } = testMemory();
    const { model } = fake([say("Hi."), say("Sunny."), say("Windy.")]);
    const summary = summarizationMiddleware({
      model: fake([say("They talked.")]).model,
      trigger: { messages: 4 },
      keep: { messages: 1 },
    });
    const agent = createAgent({
      model,
      checkpointer: new MemorySaver(),
      middleware: [summary, memoryMiddleware(memory)],
    });
    for (const content of ["Hello", "Oslo?", "Bergen?"])
      await agent.invoke({ messages: [{ role: "user", content }] }, ids);
    const turns = await recorded(conversation);
    expect(turns.flatMap(({ lines }) => lines).filter((line) => !line.includes("They talked"))).toEqual([
      "user: Hello",
      "assistant: Hi.",
      "user: Oslo?",
      "assistant: Sunny.",
      "user: Bergen?",
      "assistant: Windy.",
    ]);
  });
});

describe("B2: graphs of agents", () => {
  test("an agent in a graph leaves one turn", async () => {
    const { memory, conversation } = testMemory();
    const { model } = fake([call(["c1", "weather", { city: "Oslo" }]), say("Sunny.")]);
    const agent = createAgent({ model, tools: tools(), middleware: [memoryMiddleware(memory)] });
    const graph = new StateGraph(MessagesAnnotation)
      .addNode("agent", agent.graph)
      .addEdge(START, "agent")
      .addEdge("agent", END)
      .compile({ checkpointer: new MemorySaver() });
    await graph.invoke({ messages: [new HumanMessage("Oslo?")] }, ids);
    expect(await recorded(conversation)).toEqual([
      {
        status: "completed",
        lines: ["user: Oslo?", "assistant: weather#c1", 'tool: #c1="sunny in Oslo"', "assistant: Sunny."],
      },
    ]);
  });

  test.each(["one memory for both", "withMemory"])("two agents after one another leave one turn: %s", async (kind) => {
    const { memory, conversation } = testMemory();
    const first = createAgent({
      model: fake([say("Sunny.")]).model,
      name: "weather",
      middleware: [memoryMiddleware(memory)],
    });
    const second = createAgent({
      model: fake([say("In short: sunny.")]).model,
      name: "editor",
      middleware: [memoryMiddleware(memory)],
    });
    const graph = new StateGraph(MessagesAnnotation)
      .addNode("first", first.graph)
      .addNode("second", second.graph)
      .addEdge(START, "first")
      .addEdge("first", "second")
      .addEdge("second", END)
      .compile();
    await graph.invoke(
      { messages: [new HumanMessage("Oslo?")] },
      kind === "withMemory" ? withMemory(conversation) : ids,
    );
    expect(await recorded(conversation)).toEqual([
      { status: "completed", lines: ["user: Oslo?", "assistant: Sunny.", "assistant: In short: sunny."] },
    ]);
  });

  test("two runs of one agent at once, on threads of their own, don't meet", async () => {
    const { memory } = testMemory();
    const answers = ["a", "b", "c", "d"];
    const agent = createAgent({
      model: fake(answers.map(() => say("ok"))).model,
      middleware: [memoryMiddleware(memory)],
    });
    await Promise.all(
      answers.map((name) =>
        agent.invoke(
          { messages: [{ role: "user", content: `I am ${name}` }] },
          { configurable: { thread_id: name, user_id: name } },
        ),
      ),
    );
    for (const name of answers) {
      expect(await recorded(memory.conversation({ id: name, subject: name }))).toEqual([
        { status: "completed", lines: [`user: I am ${name}`, "assistant: ok"] },
      ]);
    }
  });

  test("two runs at once on one thread leave two turns", async () => {
    const { memory, conversation } = testMemory();
    const agent = createAgent({ model: fake([say("ok"), say("ok")]).model, middleware: [memoryMiddleware(memory)] });
    await Promise.all(["one", "two"].map((content) => agent.invoke({ messages: [{ role: "user", content }] }, ids)));
    expect((await recorded(conversation)).map(({ status, lines }) => [status, lines[0]]).toSorted()).toEqual([
      ["completed", "user: one"],
      ["completed", "user: two"],
    ]);
  });
});

test("an answer from structured output is a part of the turn", async () => {
  const { memory, conversation } = testMemory(inMemoryStore());
  const { model } = fake([call(["c1", "extract-1", { city: "Oslo" }])]);
  const responseFormat = {
    title: "extract-1",
    type: "object",
    properties: { city: { type: "string" } },
    required: ["city"],
  };
  const agent = createAgent({ model, responseFormat, middleware: [memoryMiddleware(memory)] } as never);
  const { messages } = (await agent.invoke({ messages: [new HumanMessage("Oslo?")] }, ids)) as { messages: unknown[] };
  const [turn] = await recorded(conversation);
  expect(turn?.status).toBe("completed");
  expect(turn?.lines).toHaveLength(messages.length);
  expect(messages.at(-1)).toBeInstanceOf(AIMessage);
});
