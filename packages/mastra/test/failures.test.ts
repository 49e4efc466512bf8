import { RequestContext } from "@mastra/core/request-context";
import { inMemoryStore, MemoryError, type MemoryStore } from "@throughline/core";
import { faultyStore } from "@throughline/testkit";
import { describe, expect, test, vi } from "vitest";
import { ThroughlineMemory, withMemory } from "../src/index.ts";
import { quietAgent, tools } from "./support/agents.ts";
import { call, say, scriptedModel } from "./support/scripted-model.ts";
import { recorded, testMemory } from "./support/test-memory.ts";

const owner = { memory: { thread: "chat", resource: "ada" } };
const script = () => scriptedModel(call(["c1", "weather", { city: "Oslo" }]), say("Sunny."));

function agentOf(memory: ReturnType<typeof testMemory>["memory"], settings: object, model = script()) {
  const given = { id: "ann", name: "Ann", instructions: "Be brief.", model, tools: tools() };
  return quietAgent(withMemory(memory, given, { tools: false, ...settings }));
}

/** A store that nobody can reach. */
function downStore(): MemoryStore {
  const fail = async () => {
    throw new MemoryError("STORE_UNREACHABLE", "Down, as scripted.");
  };
  const members = Object.entries(inMemoryStore()).map(([key, member]) => [
    key,
    typeof member === "function" && key !== "close" ? fail : member,
  ]);
  // The same members; those that answer, fail.
  return { ...Object.fromEntries(members), keyword: undefined } as MemoryStore;
}

async function callsOfRun(): Promise<number> {
  const store = faultyStore(inMemoryStore(), { failAt: 0 });
  const { memory } = testMemory(store);
  await agentOf(memory, {}).generate("Oslo?", owner);
  await memory.settled();
  return store.calls();
}

describe("B3/E1: a store that fails", () => {
  test("never fails a run, wherever it fails", async () => {
    const count = await callsOfRun();
    expect(count).toBeGreaterThan(2);
    for (let failAt = 1; failAt <= count; failAt++) {
      const { memory } = testMemory(faultyStore(inMemoryStore(), { failAt }));
      const { text } = await agentOf(memory, { onError() {} }).generate("Oslo?", owner);
      expect(text, `call ${failAt}`).toBe("Sunny.");
    }
  });

  test("that is down all the time costs the memory, not the reply, and the app is told", async () => {
    const { memory } = testMemory(downStore());
    const errors: MemoryError[] = [];
    const { text } = await agentOf(memory, { onError: (error: MemoryError) => errors.push(error) }).generate(
      "Oslo?",
      owner,
    );
    expect(text).toBe("Sunny.");
    expect(errors.length).toBeGreaterThan(0);
    expect(errors.every((error) => MemoryError.isInstance(error))).toBe(true);
  });

  test("B3: a handler of the app that throws doesn't end the run", async () => {
    const { memory } = testMemory(downStore());
    const onError = () => {
      throw new Error("the app's own");
    };
    expect((await agentOf(memory, { onError }).generate("Oslo?", owner)).text).toBe("Sunny.");
  });

  test("E1: is an error of the run where the memory is strict", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const { memory } = testMemory(downStore(), { strict: true });
    const model = script();
    await expect(agentOf(memory, { onError() {} }, model).generate("Oslo?", owner)).rejects.toThrow();
    expect(model.prompts()).toEqual([]);
  });

  test("B4: what JSON has no form for is reported, shown to the model, and the rest is recorded", async () => {
    const { memory, conversation } = testMemory();
    const errors: string[] = [];
    const model = scriptedModel(say("Hello."));
    const agent = agentOf(memory, { onError: ({ code }: MemoryError) => errors.push(code) }, model);
    const odd = { format: 2 as const, parts: [{ type: "text" as const, text: "odd", big: 1n }] };
    await agent.generate(
      [
        { id: "odd", role: "user", createdAt: new Date(0), content: odd },
        { role: "user", content: "Hi" },
      ],
      owner,
    );
    expect(new Set(errors)).toEqual(new Set(["UNSUPPORTED_CONTENT"]));
    expect(JSON.stringify(model.prompts()[0])).toContain("odd");
    expect(await recorded(conversation)).toEqual([{ status: "completed", lines: ["user: Hi", "assistant: Hello."] }]);
  });
});

describe("B1: whose memory it is", () => {
  const contextOf = (entries: Record<string, unknown>) => new RequestContext(Object.entries(entries) as never);

  test.each([
    ["thread and resource", {}, undefined, owner.memory, { id: "chat", subject: "ada" }],
    ["a thread alone", {}, undefined, { thread: "chat" }, { id: "chat" }],
    [
      "the context before them",
      { conversation: "c", userId: "bo" },
      undefined,
      owner.memory,
      { id: "c", subject: "bo" },
    ],
    [
      "a conversation in the context",
      { conversation: { id: "c", subject: "cy" } },
      undefined,
      undefined,
      { id: "c", subject: "cy" },
    ],
    [
      "`identify` before the context",
      { conversation: "c", userId: "bo" },
      { id: "own" },
      owner.memory,
      { id: "own", subject: "bo" },
    ],
    [
      "a server's own keys",
      { mastra__threadId: "s", mastra__resourceId: "eve" },
      undefined,
      owner.memory,
      { id: "s", subject: "eve" },
    ],
  ])("is told by %s", async (_name, context, identified, given, expected) => {
    const { memory } = testMemory();
    const settings = identified === undefined ? {} : { identify: () => identified };
    const options = { requestContext: contextOf(context), ...(given === undefined ? {} : { memory: given }) };
    await agentOf(memory, settings).generate("Oslo?", options as never);
    const { items } = await memory.conversations();
    expect(items.map(({ id, subject }) => ({ id, ...(subject === undefined ? {} : { subject }) }))).toEqual([expected]);
  });

  test("is never made up: a run that names no conversation fails, and the app is told what to do", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const { memory } = testMemory();
    const errors: MemoryError[] = [];
    const model = script();
    await expect(
      agentOf(memory, { onError: (error: MemoryError) => errors.push(error) }, model).generate("Oslo?"),
    ).rejects.toThrow();
    expect(errors).toMatchObject([{ code: "INVALID_ARGUMENT" }]);
    expect(model.prompts()).toEqual([]);
  });

  test("another person's conversation is refused, and nothing of it is shown", async () => {
    vi.spyOn(console, "error").mockImplementation(() => {});
    const { memory, conversation } = testMemory();
    await conversation.record({ messages: [{ role: "user", content: "secret" }] });
    const model = script();
    await expect(
      agentOf(memory, {}, model).generate("Oslo?", { memory: { thread: "chat", resource: "eve" } }),
    ).rejects.toThrow();
    expect(model.prompts()).toEqual([]);
  });

  test("a second history is refused as the agent is made", () => {
    const { memory } = testMemory();
    const config = { id: "a", name: "A", instructions: "", model: script(), memory: new ThroughlineMemory(memory) };
    expect(() => withMemory(memory, config)).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
  });
});
