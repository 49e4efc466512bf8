import { tool } from "@openai/agents";
import { modelError } from "@openai/agents/testing";
import {
  type AgentEvent,
  type AgentRunner,
  type Conversation,
  createMemory,
  inMemoryStore,
  type MessageInput,
} from "@throughline/core";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { agentRunner } from "../src/index.ts";
import { call, fail, quietRunner, say, scriptedAgent, weather, words } from "./scripted.ts";
import { recorded, testMemory } from "./test-memory.ts";

const { signal } = new AbortController();

async function events(
  run: AgentRunner,
  conversation: Conversation,
  ...messages: MessageInput[]
): Promise<AgentEvent[]> {
  const seen: AgentEvent[] = [];
  for await (const event of run({ messages, conversation, signal })) seen.push(event);
  return seen;
}

const danger = tool({
  name: "danger",
  description: "",
  parameters: z.object({}),
  needsApproval: true,
  execute: () => "done",
});
const answer: MessageInput = { role: "tool", parts: [{ type: "approval", callId: "c1", state: "approved" }] };
const go: MessageInput = { role: "user", content: "Go" };

describe("N2: an agent as a server runs it", () => {
  test("tells of words, tools and the end, and leaves one turn", async () => {
    const { conversation } = testMemory();
    const { agent } = scriptedAgent([call(["c1", "weather", { city: "Oslo" }]), words("It is sunny.")]);
    const run = agentRunner(agent, { runner: quietRunner() });
    expect(await events(run, conversation, { role: "user", content: "How is Oslo?" })).toEqual([
      { type: "tool_call", callId: "c1", tool: "weather", input: { city: "Oslo" } },
      { type: "tool_result", callId: "c1", tool: "weather", output: "sunny in Oslo" },
      { type: "delta", text: "It " },
      { type: "delta", text: "is " },
      { type: "delta", text: "sunny." },
      { type: "done", text: "It is sunny." },
    ]);
    expect(await recorded(conversation)).toHaveLength(1);
  });

  test("a failure is an event, and a turn", async () => {
    const { conversation } = testMemory();
    const run = agentRunner(scriptedAgent([fail("no model")]).agent, { runner: quietRunner() });
    expect(await events(run, conversation, { role: "user", content: "Hi" })).toEqual([
      { type: "error", code: "Error", message: "no model" },
    ]);
    expect((await recorded(conversation)).map(({ status }) => status)).toEqual(["failed"]);
  });

  test("goes on with a run that waited, once a person has answered", async () => {
    const { conversation } = testMemory();
    const states = new Map<string, string>();
    const make = (steps: Parameters<typeof scriptedAgent>[0]) =>
      agentRunner(scriptedAgent(steps, { tools: [weather, danger] }).agent, {
        runner: quietRunner(),
        states: {
          load: async (id) => states.get(id) ?? null,
          save: async (id, state) => void (state === null ? states.delete(id) : states.set(id, state)),
        },
      });
    const first = await events(make([call(["c1", "danger", {}])]), conversation, { role: "user", content: "Go" });
    expect(first).toEqual([
      { type: "tool_call", callId: "c1", tool: "danger", input: {} },
      { type: "done", text: "" },
    ]);
    expect(states.size).toBe(1);
    // Another process, with the states kept elsewhere.
    const second = await events(make([say("Did it.")]), conversation, answer);
    expect(second.at(-1)).toEqual({ type: "done", text: "Did it." });
    expect(await recorded(conversation)).toEqual([
      {
        status: "completed",
        lines: [
          "user: Go",
          "assistant(Ann): danger#c1 requested#c1",
          "tool: approved#c1",
          'tool: #c1="done"',
          "assistant(Ann): Did it.",
        ],
      },
    ]);
    expect(states.size).toBe(0);
  });

  test("B1: nobody goes on with the run of another tenant, whatever the conversations are called", async () => {
    const [ours, theirs] = ["ours", "theirs"].map((tenant) =>
      createMemory({ agent: "guide", store: inMemoryStore(), env: {}, tenant }).conversation({ id: "main" }),
    ) as [Conversation, Conversation];
    const { agent, model } = scriptedAgent([call(["c1", "danger", {}]), say("Did it.")], { tools: [danger] });
    const run = agentRunner(agent, { runner: quietRunner() });
    await events(run, ours, go);
    expect(await events(run, theirs, answer)).toEqual([expect.objectContaining({ type: "error", code: "NOT_FOUND" })]);
    expect(model.calls).toHaveLength(1);
    expect(await recorded(theirs)).toEqual([]);
    expect((await events(run, ours, answer)).at(-1)).toEqual({ type: "done", text: "Did it." });
  });

  test("an answer without a state, or given twice, is an error, and asks no model", async () => {
    const { conversation } = testMemory();
    const { agent, model } = scriptedAgent([call(["c1", "danger", {}]), say("Did it.")], { tools: [danger] });
    const run = agentRunner(agent, { runner: quietRunner() });
    await events(run, conversation, go);
    const elsewhere = agentRunner(agent, { runner: quietRunner() });
    expect(await events(elsewhere, conversation, answer)).toEqual([expect.objectContaining({ code: "NOT_FOUND" })]);
    const both = await Promise.all([events(run, conversation, answer), events(run, conversation, answer)]);
    expect(both.map((seen) => seen.at(-1)?.type).toSorted()).toEqual(["done", "error"]);
    expect(await events(run, conversation, answer)).toEqual([expect.objectContaining({ code: "NOT_FOUND" })]);
    expect(model.calls).toHaveLength(2);
    expect((await recorded(conversation)).map(({ status }) => status)).toEqual(["completed"]);
  });

  test("a provider's error with a code of its own is not taken for the memory's", async () => {
    const { conversation } = testMemory();
    const slow = modelError(Object.assign(new Error("slow down"), { code: "rate_limit_exceeded" }));
    const run = agentRunner(scriptedAgent([slow]).agent, { runner: quietRunner() });
    expect(await events(run, conversation, go)).toEqual([{ type: "error", code: "Error", message: "slow down" }]);
  });
});
