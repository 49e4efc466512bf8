import { HumanMessage } from "@langchain/core/messages";
import { END, MemorySaver, MessagesAnnotation, START, StateGraph } from "@langchain/langgraph";
import type { AgentEvent, AgentRunner, Conversation, MessageInput } from "@throughline/core";
import { createAgent, humanInTheLoopMiddleware } from "langchain";
import { describe, expect, test } from "vitest";
import { agentRunner, memoryMiddleware, memoryTools } from "../src/index.ts";
import { call, fail, fake, overHttp, say } from "./support/script.ts";
import { recorded, testMemory } from "./support/test-memory.ts";
import { tools } from "./support/tools.ts";

/** All events of one turn. */
async function eventsOf(
  runner: AgentRunner,
  conversation: Conversation,
  messages: MessageInput[],
  onEvent: (event: AgentEvent, controller: AbortController) => void = () => {},
): Promise<AgentEvent[]> {
  const controller = new AbortController();
  const events: AgentEvent[] = [];
  for await (const event of runner({ messages, conversation, signal: controller.signal })) {
    events.push(event);
    onEvent(event, controller);
  }
  return events;
}

const question: MessageInput[] = [{ role: "user", content: "Oslo?" }];
const oslo = call(["c1", "weather", { city: "Oslo" }]);

describe("N2: an agent is served as a runner", () => {
  test("N2: tells of its calls, their results and its answer, and leaves one turn", async () => {
    const { memory, conversation } = testMemory();
    const { model } = fake([oslo, say("Sunny.")]);
    const runner = agentRunner(createAgent({ model, tools: tools(), middleware: [memoryMiddleware(memory)] }));
    expect(await eventsOf(runner, conversation, question)).toEqual([
      { type: "tool_call", callId: "c1", tool: "weather", input: { city: "Oslo" } },
      { type: "tool_result", callId: "c1", tool: "weather", output: "sunny in Oslo" },
      { type: "delta", text: "Sunny." },
      { type: "done", text: "Sunny." },
    ]);
    expect(await recorded(conversation)).toEqual([
      {
        status: "completed",
        lines: ["user: Oslo?", "assistant: weather#c1", 'tool: #c1="sunny in Oslo"', "assistant: Sunny."],
      },
    ]);
  });

  test("streams word by word", async () => {
    const { memory, conversation } = testMemory();
    const { model } = await overHttp([say("It is sunny.")]);
    const runner = agentRunner(createAgent({ model, middleware: [memoryMiddleware(memory)] }));
    expect(await eventsOf(runner, conversation, question)).toEqual([
      { type: "delta", text: "It " },
      { type: "delta", text: "is " },
      { type: "delta", text: "sunny." },
      { type: "done", text: "It is sunny." },
    ]);
  });

  test("tells what its memory's tools did", async () => {
    const { memory, conversation } = testMemory();
    const { model } = fake([
      call(["c1", "memory_remember", { key: "city", value: "Oslo" }]),
      call(["c2", "memory_recall", {}]),
      call(["c3", "memory_forget", { key: "city" }]),
      say("Done."),
    ]);
    const runner = agentRunner(
      createAgent({ model, tools: memoryTools(memory), middleware: [memoryMiddleware(memory)] }),
    );
    const events = await eventsOf(runner, conversation, question);
    const actions = events.flatMap((event) => (event.type === "memory" ? [event.action] : []));
    expect(actions).toEqual(["remembered", "recalled", "forgotten"]);
  });

  test("knows what the conversation held before", async () => {
    const { memory, conversation } = testMemory();
    const { model, prompts } = fake([say("Sunny."), say("Windy.")]);
    const runner = agentRunner(createAgent({ model, middleware: [memoryMiddleware(memory)] }));
    await eventsOf(runner, conversation, question);
    await eventsOf(runner, conversation, [{ role: "user", content: "Bergen?" }]);
    expect(prompts()[1]).toEqual(["human: Oslo?", "ai: Sunny.", "human: Bergen?"]);
  });

  test("records a graph that knows nothing of the memory", async () => {
    const { conversation } = testMemory();
    const graph = new StateGraph(MessagesAnnotation)
      .addNode("echo", ({ messages }) => ({ messages: [{ role: "ai", content: `You said ${messages.at(-1)?.text}` }] }))
      .addEdge(START, "echo")
      .addEdge("echo", END)
      .compile();
    const events = await eventsOf(agentRunner(graph), conversation, question);
    expect(events.at(-1)).toEqual({ type: "done", text: "You said Oslo?" });
    expect(await recorded(conversation)).toEqual([
      { status: "completed", lines: ["user: Oslo?", "assistant: You said Oslo?"] },
    ]);
  });

  test("ends with an error event, and the turn as failed", async () => {
    const { memory, conversation } = testMemory();
    const runner = agentRunner(
      createAgent({ model: fake([oslo, fail("down")]).model, tools: tools(), middleware: [memoryMiddleware(memory)] }),
    );
    expect((await eventsOf(runner, conversation, question)).at(-1)).toEqual({
      type: "error",
      code: "Error",
      message: "down",
    });
    expect((await recorded(conversation)).map(({ status }) => status)).toEqual(["failed"]);
  });

  test("says the host's or the memory's code of what went wrong", async () => {
    const { memory, conversation } = testMemory();
    const script = () => fake([oslo, oslo, oslo]).model;
    const looping = createAgent({ model: script(), tools: tools(), middleware: [memoryMiddleware(memory)] });
    const limited = agentRunner(looping, { config: { recursionLimit: 4 } });
    expect((await eventsOf(limited, conversation, question)).at(-1)).toMatchObject({ code: "GRAPH_RECURSION_LIMIT" });
    const eve = agentRunner(createAgent({ model: script(), middleware: [memoryMiddleware(memory)] }));
    const events = await eventsOf(eve, memory.conversation({ id: "chat", subject: "eve" }), question);
    expect(events).toEqual([expect.objectContaining({ type: "error", code: "CONVERSATION_OWNER_MISMATCH" })]);
  });

  test("stops with its signal, and what was said is recorded", async () => {
    const { memory, conversation } = testMemory();
    const { model } = await overHttp([{ text: "one two three", stall: true }]);
    const runner = agentRunner(createAgent({ model, middleware: [memoryMiddleware(memory)] }));
    const events = await eventsOf(runner, conversation, question, (event, controller) => {
      if (event.type === "delta" && event.text === "two ") controller.abort();
    });
    expect(events.at(-1)).toMatchObject({ type: "error", code: "AbortError" });
    expect(await recorded(conversation)).toEqual([
      { status: "aborted", lines: ["user: Oslo?", "assistant: one two "] },
    ]);
  });

  test.each([
    ["approved", 'tool: #c1="sunny in Oslo"'],
    ["denied", "tool: #c1!="],
  ] as const)(
    "waits for approval, as a paused turn that says so, and goes on where it is %s",
    async (state, result) => {
      const { memory, conversation } = testMemory();
      const agent = createAgent({
        model: fake([oslo, say("Well.")]).model,
        tools: tools(),
        checkpointer: new MemorySaver(),
        middleware: [memoryMiddleware(memory), humanInTheLoopMiddleware({ interruptOn: { weather: true } })],
      });
      const runner = agentRunner(agent);
      expect((await eventsOf(runner, conversation, question)).at(-1)).toEqual({ type: "done", text: "" });
      expect(await recorded(conversation)).toEqual([
        { status: "paused", lines: ["user: Oslo?", "assistant: weather#c1 requested#c1"] },
      ]);
      const answer: MessageInput = {
        role: "tool",
        parts: [{ type: "approval", callId: "c1", state, reason: "because" }],
      };
      const events = await eventsOf(runner, conversation, [answer]);
      expect(events.at(-1)).toEqual({ type: "done", text: "Well." });
      const [turn, ...more] = await recorded(conversation);
      expect(more).toEqual([]);
      expect(turn?.status).toBe("completed");
      expect(turn?.lines[2]).toBe(`tool: ${state}#c1`);
      expect(turn?.lines[3]?.startsWith(result)).toBe(true);
      expect(turn?.lines[4]).toBe("assistant: Well.");
    },
  );
});

test("types: graphs and agents are runners without a cast", () => {
  const graph = new StateGraph(MessagesAnnotation)
    .addNode("a", () => ({}))
    .addEdge(START, "a")
    .compile();
  const runners: AgentRunner[] = [agentRunner(graph), agentRunner(createAgent({ model: fake([]).model }))];
  expect(runners).toHaveLength(2);
  expect(new HumanMessage("x").text).toBe("x");
});
