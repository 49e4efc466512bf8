import { Agent, type AgentInputItem, OpenAIProvider, Runner } from "@openai/agents";
import { modelServer, type WireAnswer } from "@throughline/testkit";

import { describe, expect, test } from "vitest";
import { createSession, runWithMemory } from "../src/index.ts";
import { weather } from "./scripted.ts";
import { recorded, testMemory } from "./test-memory.ts";

const wires = [
  ["responses", "run"],
  ["responses", "streamed"],
  ["chat", "run"],
  ["chat", "streamed"],
] as const;
const weatherCall = (id: string, city: string) => ({ id, name: "weather", arguments: JSON.stringify({ city }) });

async function wired(api: "chat" | "responses", ...answers: WireAnswer[]) {
  const server = await modelServer(...answers);
  const provider = new OpenAIProvider({ apiKey: "k", baseURL: server.baseURL, useResponses: api === "responses" });
  const runner = new Runner({ tracingDisabled: true, modelProvider: provider });
  const agent = new Agent({ name: "Ann", instructions: "Be brief.", model: "local", tools: [weather] }) as Agent;
  return { server, runner, agent };
}

describe.each(wires)("B8, over the wire: %s, %s", (api, mode) => {
  const play = async (
    setup: Awaited<ReturnType<typeof wired>>,
    memory: Parameters<typeof runWithMemory>[0],
    input: string | AgentInputItem[],
    replay: "portable" | "exact" = "portable",
  ) => {
    const options = { runner: setup.runner, memory: { replay } };
    if (mode === "run") return void (await runWithMemory(memory, setup.agent, input, options));
    const result = await runWithMemory(memory, setup.agent, input, { ...options, stream: true });
    for await (const _ of result);
  };

  test.each(["portable", "exact"] as const)(
    "plain, tool loop, parallel tools, then all of it replayed as valid input: %s",
    async (replay) => {
      const setup = await wired(
        api,
        { reasoning: "Hm.", text: "Hello Ada." },
        { reasoning: "Let me see.", calls: [weatherCall("c1", "Oslo")] },
        { calls: [weatherCall("c2", "Bergen"), weatherCall("c3", "Voss")] },
        { reasoning: "So.", text: "Sunny in all three." },
        { text: "Three." },
      );
      await using server = setup.server;
      const { conversation } = testMemory();
      await conversation.remember("name", "Ada");
      for (const question of ["Hi", "How are Oslo, Bergen and Voss?", "How many were they?"]) {
        await play(setup, conversation, question, replay);
      }
      expect(server.refusals).toEqual([]);
      const turns = await recorded(conversation);
      expect(turns.map(({ status, lines }) => [status, lines.length])).toEqual([
        ["completed", 2],
        ["completed", 6],
        ["completed", 2],
      ]);
      const last = server.requests.at(-1);
      if (last?.api === "responses") {
        expect(last.body.instructions).toMatch(/^Be brief\.\n\n<memory>[\s\S]*Ada/);
        const ids = (last.body.input as object[]).flatMap((item) => ("id" in item && item.id ? [item.id] : []));
        if (replay === "portable") expect(ids).toEqual([]);
        else expect(ids.length).toBeGreaterThan(3);
        expect(last.body.input).toHaveLength(replay === "portable" ? 11 : 14);
      } else {
        expect(last?.body.messages[0]?.content).toMatch(/^Be brief\.\n\n<memory>[\s\S]*Ada/);
        expect(last?.body.messages.map(({ role }) => role)).toEqual([
          "system",
          "user",
          "assistant",
          "user",
          "assistant",
          "tool",
          "assistant",
          "tool",
          "tool",
          "assistant",
          "user",
        ]);
      }
    },
  );

  test("an error of the server before the first word leaves what had run", async () => {
    const setup = await wired(api, { calls: [weatherCall("c1", "Oslo")] }, { status: 400 }, { text: "Sunny." });
    await using server = setup.server;
    const { conversation } = testMemory();
    await expect(play(setup, conversation, "How is Oslo?")).rejects.toThrow();
    expect(await recorded(conversation)).toEqual([
      {
        status: "failed",
        lines: ["user: How is Oslo?", "assistant(Ann): weather#c1", 'tool: #c1="sunny in Oslo"'],
      },
    ]);
    await play(setup, conversation, "And now?");
    expect(server.refusals).toEqual([]);
  });

  test("the SDK's own run with a session of the memory replays valid input too", async () => {
    const setup = await wired(
      api,
      { reasoning: "Hm.", calls: [weatherCall("c1", "Oslo")] },
      { reasoning: "So.", text: "Sunny." },
      { text: "Yes." },
    );
    await using server = setup.server;
    const { conversation } = testMemory();
    const session = createSession(conversation);
    for (const question of ["How is Oslo?", "Really?"]) {
      if (mode === "run") await setup.runner.run(setup.agent, question, { session });
      else {
        const result = await setup.runner.run(setup.agent, question, { session, stream: true });
        for await (const _ of result);
      }
    }
    expect(server.refusals).toEqual([]);
    expect((await recorded(conversation)).map(({ status, lines }) => [status, lines.length])).toEqual([
      ["completed", 4],
      ["completed", 2],
    ]);
  });
});

describe.each(["responses", "chat"] as const)("B8, over the wire: %s", (api) => {
  test.each([
    ["an error in the middle", { failAfter: 2 }],
    ["a connection that breaks", { dropAfter: 2 }],
  ])("%s leaves what was said", async (_, cut) => {
    const { server, runner, agent } = await wired(api, { text: "It is sunny in Oslo.", ...cut });
    await using _server = server;
    const { conversation } = testMemory();
    const read = async () => {
      const result = await runWithMemory(conversation, agent, "How is Oslo?", { runner, stream: true });
      for await (const _ of result);
    };
    await expect(read()).rejects.toThrow();
    expect(await recorded(conversation)).toEqual([
      { status: "failed", lines: ["user: How is Oslo?", "assistant(Ann): It is "] },
    ]);
  });

  test("a consumer that goes away leaves what it had seen", async () => {
    const { server, runner, agent } = await wired(api, { text: "It is sunny in Oslo.", stallAfter: 3 });
    await using _server = server;
    const { conversation } = testMemory();
    const result = await runWithMemory(conversation, agent, "How is Oslo?", { runner, stream: true });
    let seen = "";
    for await (const event of result) {
      if (event.type !== "raw_model_stream_event" || event.data.type !== "output_text_delta") continue;
      seen += event.data.delta;
      if (seen.includes("sunny")) break;
    }
    await result.completed;
    expect(await recorded(conversation)).toEqual([
      { status: "aborted", lines: ["user: How is Oslo?", `assistant(Ann): ${seen}`] },
    ]);
  });
});
