import { createOpenAICompatible } from "@ai-sdk/openai-compatible";
import { modelServer, type WireAnswer } from "@throughline/testkit";
import { describe, expect, test, vi } from "vitest";
import { ThroughlineMemory, withMemory } from "../src/index.ts";
import { quietAgent, weather } from "./support/agents.ts";
import type { HostModel } from "./support/scripted-model.ts";
import { recorded, testMemory } from "./support/test-memory.ts";

const owner = { memory: { thread: "chat", resource: "ada" } };
const weatherCall = (id: string, city: string) => ({ id, name: "weather", arguments: JSON.stringify({ city }) });

const WIRES = [
  ["withMemory", "generate"],
  ["withMemory", "stream"],
  ["ThroughlineMemory", "generate"],
  ["ThroughlineMemory", "stream"],
] as const;

type Wire = (typeof WIRES)[number];

async function setUp(kind: Wire[0], mode: Wire[1], ...answers: WireAnswer[]) {
  vi.spyOn(console, "error").mockImplementation(() => {});
  const server = await modelServer(...answers);
  const world = testMemory();
  const model = createOpenAICompatible({ name: "local", baseURL: server.baseURL }).chatModel(
    "local-model",
  ) as unknown as HostModel;
  const config = { id: "ann", name: "Ann", instructions: "Be brief.", model, tools: { weather } };
  const agent = quietAgent(
    kind === "withMemory"
      ? withMemory(world.memory, config)
      : { ...config, memory: new ThroughlineMemory(world.memory) },
  );
  const play = async (question: string, abortSignal?: AbortSignal, onWord?: () => void) => {
    const options = { ...owner, ...(abortSignal === undefined ? {} : { abortSignal }) };
    if (mode === "generate") return void (await agent.generate(question, options).catch(() => {}));
    const { fullStream } = await agent.stream(question, options);
    for await (const part of fullStream) if (part.type === "text-delta") onWord?.();
  };
  return { server, ...world, play };
}

describe.each(WIRES)("B8, over the wire: %s, %s", (kind, mode) => {
  test("plain, tool steps, parallel tools, then all of it replayed as valid input", async () => {
    const { server, conversation, play } = await setUp(
      kind,
      mode,
      { text: "Hello Ada." },
      { calls: [weatherCall("c1", "Oslo")] },
      { calls: [weatherCall("c2", "Bergen"), weatherCall("c3", "Voss")] },
      { text: "Sunny in all three." },
      { text: "Three." },
    );
    await using _server = server;
    await conversation.remember("name", "Ada");
    for (const question of ["Hi", "How are Oslo, Bergen and Voss?", "How many were they?"]) await play(question);
    expect(server.refusals).toEqual([]);
    expect((await recorded(conversation)).map(({ status, lines }) => [status, lines.length])).toEqual([
      ["completed", 2],
      ["completed", 7],
      ["completed", 2],
    ]);
    const last = server.requests.at(-1);
    if (last?.api !== "chat") throw new Error("not asked");
    const roles = last.body.messages.map(({ role }) => role);
    expect(roles.slice(roles.indexOf("user"))).toEqual([
      ...["user", "assistant", "user", "assistant", "tool", "assistant", "tool", "tool", "assistant", "user"],
    ]);
    const system = last.body.messages.filter(({ role }) => role === "system").map(({ content }) => content);
    expect(system.join("\n")).toMatch(/^Be brief\.\n<memory>[\s\S]*Ada/);
  });

  test("a server that fails, and the same question again", async () => {
    const { server, conversation, play } = await setUp(
      kind,
      mode,
      { calls: [weatherCall("c1", "Oslo")] },
      { status: 400 },
      { text: "Sunny." },
    );
    await using _server = server;
    await play("How is Oslo?");
    expect(await recorded(conversation)).toEqual([
      { status: "failed", lines: ["user: How is Oslo?", "assistant: weather#c1", 'tool: #c1="sunny in Oslo"'] },
    ]);
    await play("And now?");
    expect(server.refusals).toEqual([]);
    expect((await recorded(conversation)).at(-1)).toEqual({
      status: "completed",
      lines: ["user: And now?", "assistant: Sunny."],
    });
  });
});

describe.each(WIRES.filter(([, mode]) => mode === "stream"))("B8, over the wire: %s, %s", (kind, mode) => {
  test("a connection that breaks, and a person who stops the answer", async () => {
    const text = "It is sunny in all of Oslo today.";
    const broken = await setUp(kind, mode, { text, dropAfter: 3 });
    await using _broken = broken.server;
    await broken.play("How is Oslo?");
    expect(await recorded(broken.conversation)).toEqual([
      { status: "failed", lines: ["user: How is Oslo?", expect.stringMatching(/^assistant: It is sunny/)] },
    ]);
    const stopped = await setUp(kind, mode, { text, stallAfter: 3 });
    await using _stopped = stopped.server;
    const controller = new AbortController();
    let words = 0;
    await stopped.play("How is Oslo?", controller.signal, () => {
      if (++words === 3) controller.abort();
    });
    expect(await recorded(stopped.conversation)).toEqual([
      { status: "aborted", lines: ["user: How is Oslo?", expect.stringMatching(/^assistant: It is sunny/)] },
    ]);
  });
});
