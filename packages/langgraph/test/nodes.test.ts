import { type AIMessage, HumanMessage, SystemMessage } from "@langchain/core/messages";
import {
  Command,
  END,
  interrupt,
  MemorySaver,
  MessagesValue,
  START,
  StateGraph,
  StateSchema,
  UntrackedValue,
} from "@langchain/langgraph";
import { ToolNode, toolsCondition } from "@langchain/langgraph/prebuilt";
import { describe, expect, test } from "vitest";
import { memoryTools, type RunPrompt, recallNode, recordNode, withMemory } from "../src/index.ts";
import { type Answer, call, fail, fake, say, stall } from "./support/script.ts";
import { recorded, testMemory } from "./support/test-memory.ts";

const ids = { configurable: { thread_id: "chat", user_id: "ada" } };

const State = new StateSchema({ messages: MessagesValue, recalled: new UntrackedValue<RunPrompt>() });

/** A graph by hand: recall, model, tools and round again, record. */
function graphOf(script: readonly Answer[], options: { asks?: boolean; records?: boolean } = {}) {
  const { memory, conversation } = testMemory();
  const controller = new AbortController();
  const { model, prompts } = fake(script, () => controller.abort());
  const tools = memoryTools(memory, { only: ["memory_remember"] });
  const graph = new StateGraph(State)
    .addNode("recall", recallNode(memory))
    .addNode("model", async ({ messages, recalled }) => {
      const shown = recalled ?? { system: "", messages };
      const system = shown.system === "" ? [] : [new SystemMessage(shown.system)];
      return { messages: [(await model.bindTools?.(tools).invoke([...system, ...shown.messages])) as AIMessage] };
    })
    .addNode("tools", new ToolNode(tools))
    .addNode("review", () => {
      if (options.asks) interrupt("Is this right?");
      return {};
    })
    .addNode("record", options.records === false ? () => ({}) : recordNode(memory))
    .addEdge(START, "recall")
    .addEdge("recall", "model")
    .addConditionalEdges("model", toolsCondition, { tools: "tools", [END]: "review" })
    .addEdge("tools", "recall")
    .addEdge("review", "record")
    .addEdge("record", END)
    .compile({ checkpointer: new MemorySaver() });
  const start = { messages: [new HumanMessage("I live in Oslo.")] };
  return { graph, memory, conversation, prompts, controller, start };
}

const remember = call(["c1", "memory_remember", { key: "city", value: "Oslo" }]);
const remembered = [
  "user: I live in Oslo.",
  "assistant: memory_remember#c1",
  'tool: #c1="Remembered."',
  "assistant: Noted.",
];

describe("L7: recallNode and recordNode in a plain graph", () => {
  test("show what is known and record one turn", async () => {
    const { graph, memory, conversation, prompts, start } = graphOf([remember, say("Noted."), say("In Oslo.")]);
    await graph.invoke(start, ids);
    expect(await recorded(conversation)).toEqual([{ status: "completed", lines: remembered }]);
    await graph.invoke(
      { messages: [new HumanMessage("Where do I live?")] },
      { configurable: { thread_id: "two", user_id: "ada" } },
    );
    expect(prompts().at(-1)?.[0]).toMatch(/^system: [\s\S]*city: Oslo/);
    const [fact] = await memory.subject("ada").facts();
    expect(fact?.source?.turn).toBe((await conversation.transcript()).turns[0]?.id);
  });

  test("B5: no checkpoint keeps what was recalled", async () => {
    const { graph, memory, start } = graphOf([say("Noted.")]);
    await memory.subject("ada").remember({ key: "dog", value: "Rex" });
    await graph.invoke(start, ids);
    const states: unknown[] = [];
    for await (const state of graph.getStateHistory(ids)) states.push(state);
    expect(states.length).toBeGreaterThan(3);
    expect(JSON.stringify(states)).not.toContain("Rex");
  });

  test("recordNode alone records as well", async () => {
    const { memory, conversation } = testMemory();
    const graph = new StateGraph(State)
      .addNode("model", async () => ({ messages: [{ role: "ai" as const, content: "Hi." }] }))
      .addNode("record", recordNode(memory))
      .addEdge(START, "model")
      .addEdge("model", "record")
      .addEdge("record", END)
      .compile();
    await graph.invoke({ messages: [new HumanMessage("Hello")] }, ids);
    expect(await recorded(conversation)).toEqual([{ status: "completed", lines: ["user: Hello", "assistant: Hi."] }]);
  });
});

describe("B2: withMemory records every end of a plain graph", () => {
  test("without a node that records", async () => {
    const { graph, conversation, start } = graphOf([remember, say("Noted.")], { records: false });
    await graph.invoke(start, withMemory(conversation));
    expect(await recorded(conversation)).toEqual([{ status: "completed", lines: remembered }]);
  });

  test("of a model that fails", async () => {
    const { graph, conversation, start } = graphOf([remember, fail("down")]);
    await expect(graph.invoke(start, withMemory(conversation))).rejects.toThrow("down");
    expect(await recorded(conversation)).toEqual([{ status: "failed", lines: remembered.slice(0, 3) }]);
  });

  test("of a run that is stopped", async () => {
    const { graph, conversation, controller, start } = graphOf([stall("Noted.")]);
    await expect(graph.invoke(start, withMemory(conversation, { signal: controller.signal }))).rejects.toThrow();
    expect(await recorded(conversation)).toEqual([{ status: "aborted", lines: remembered.slice(0, 1) }]);
  });

  test("of a node that asks a person, and of its resume", async () => {
    const { graph, conversation, start } = graphOf([remember, say("Noted.")], { asks: true });
    await graph.invoke(start, withMemory(conversation));
    expect(await recorded(conversation)).toEqual([{ status: "paused", lines: remembered }]);
    await graph.invoke(new Command({ resume: "yes" }), withMemory(conversation));
    expect(await recorded(conversation)).toEqual([{ status: "completed", lines: remembered }]);
  });

  test("of a model that fails where no node has read, with the question", async () => {
    const { memory, conversation } = testMemory();
    const graph = new StateGraph(State)
      .addNode("model", async () => {
        throw new Error("down");
      })
      .addNode("record", recordNode(memory))
      .addEdge(START, "model")
      .addEdge("model", "record")
      .compile();
    const start = { messages: [{ role: "user" as const, content: "Hello" }] };
    await expect(graph.invoke(start, withMemory(conversation))).rejects.toThrow("down");
    expect(await recorded(conversation)).toEqual([{ status: "failed", lines: ["user: Hello"] }]);
  });

  test("a config of the app's own is kept, its handlers with it", async () => {
    const { graph, conversation, start } = graphOf([say("Noted.")]);
    const seen: string[] = [];
    const config = withMemory(conversation, {
      recursionLimit: 7,
      configurable: { thread_id: "mine", other: 1 },
      callbacks: [{ handleChainStart: () => void seen.push("start") }],
    });
    expect(config).toMatchObject({ recursionLimit: 7, configurable: { thread_id: "mine", other: 1 } });
    await graph.invoke(start, config);
    expect(seen.length).toBeGreaterThan(0);
    expect(JSON.stringify(config.configurable)).not.toContain("Noted");
  });
});
