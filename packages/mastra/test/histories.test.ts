import { describe, expect, test } from "vitest";
import { toRows, withMemory } from "../src/index.ts";
import { quietAgent, tools } from "./support/agents.ts";
import { call, type ScriptedStep, say, scriptedModel } from "./support/scripted-model.ts";
import { recorded, testMemory } from "./support/test-memory.ts";

const owner = { memory: { thread: "chat", resource: "ada" } };

function setUp(...steps: ScriptedStep[]) {
  const world = testMemory();
  const model = scriptedModel(...steps);
  const given = { id: "ann", name: "Ann", instructions: "Be brief.", model, tools: tools() };
  const agent = quietAgent(withMemory(world.memory, given, { tools: false }));
  const lines = async () => (await recorded(world.conversation)).map(({ lines: own }) => own.join(" | "));
  const asked = () => (model.prompts().at(-1) ?? []).map(({ role }) => role).join(" ");
  return { ...world, model, agent, lines, asked };
}

const user = (content: string, id?: string) => ({
  role: "user" as const,
  content,
  ...(id === undefined ? {} : { id }),
});
const assistant = (content: string) => ({ role: "assistant" as const, content });

describe("B9: a client that sends the history again", () => {
  test("B9: without ids doubles nothing, in the prompt or in the record", async () => {
    const { agent, lines, asked } = setUp(say("One."), say("Two."));
    await agent.generate([user("First")], owner);
    await agent.generate([user("First"), assistant("One."), user("Second")], owner);
    expect(asked()).toBe("system user assistant user");
    expect(await lines()).toEqual(["user: First | assistant: One.", "user: Second | assistant: Two."]);
  });

  test("B9: with the ids that Mastra gave, as useChat does, tools among it", async () => {
    const { agent, conversation, lines, asked } = setUp(
      call(["c1", "weather", { city: "Oslo" }]),
      say("Sunny."),
      say("Two."),
    );
    await agent.generate([user("First", "u1")], owner);
    const rows = toRows(await conversation.history(), { exact: true });
    expect(rows.map(({ role }) => role)).toEqual(["user", "assistant"]);
    await agent.generate([...rows, user("Second", "u2")], owner);
    expect(asked()).toBe("system user assistant tool assistant user");
    expect(await lines()).toEqual([
      'user: First | assistant: weather#c1 | tool: #c1="sunny in Oslo" | assistant: Sunny.',
      "user: Second | assistant: Two.",
    ]);
  });

  test("that is longer than what is stored brings the rest along", async () => {
    const { agent, lines, asked } = setUp(say("Two."));
    await agent.generate([user("First"), assistant("One."), user("Second")], owner);
    expect(asked()).toBe("system user assistant user");
    expect(await lines()).toEqual(["user: First | assistant: One.", "user: Second | assistant: Two."]);
  });
});

describe("B9: a client that brings the result of its own tool", () => {
  const pick = { id: "pick", description: "The client's.", inputSchema: { type: "object", properties: {} } };
  const given = { ...owner, clientTools: { pick } as never };
  const called = { type: "tool-call" as const, toolCallId: "c2", toolName: "pick", args: {} };
  const result = { type: "tool-result" as const, toolCallId: "c2", toolName: "pick", result: "red" };
  const answer = [
    { role: "assistant", content: [called] },
    { role: "tool", content: [result] },
  ] as never[];

  test.each([
    ["with the call alone, as Mastra's client does", answer],
    ["with the whole history", [user("Pick one"), ...answer] as never[]],
  ])("B9: %s goes on with its turn", async (_name, messages) => {
    const { agent, model, lines } = setUp(call(["c2", "pick", {}]), say("You took red."));
    await agent.generate("Pick one", given);
    await agent.generate(messages, given);
    expect(await lines()).toEqual(['user: Pick one | assistant: pick#c2 | tool: #c2="red" | assistant: You took red.']);
    expect(JSON.stringify(model.prompts().at(-1)).split('"tool-call"')).toHaveLength(2);
  });
});

describe("B2: asked once more", () => {
  test("B2: regenerate: the last answer is replaced, and the new one is what later runs see", async () => {
    const { agent, conversation, asked } = setUp(say("One."), say("Two."), say("Better."), say("Three."));
    await agent.generate([user("First", "u1")], owner);
    await agent.generate([user("Second", "u2")], owner);
    await agent.generate([user("First", "u1"), assistant("One."), user("Second", "u2")], owner);
    expect(asked()).toBe("system user assistant user");
    const { turns } = await conversation.transcript();
    const visible = turns.filter(({ hidden }) => !hidden);
    expect(visible.map(({ messages }) => messages.map(({ parts: [part] }) => (part as { text: string }).text))).toEqual(
      [
        ["First", "One."],
        ["Second", "Better."],
      ],
    );
    expect(turns).toHaveLength(3);
    await agent.generate("Third", owner);
    expect(asked()).toBe("system user assistant user assistant user");
  });

  test("edit: a known id with other words replaces what came from it on", async () => {
    const { agent, conversation } = setUp(say("One."), say("Two."), say("Else."));
    await agent.generate([user("First", "u1")], owner);
    await agent.generate([user("Second", "u2")], owner);
    await agent.generate([user("Something else", "u1")], owner);
    const { turns } = await conversation.transcript();
    expect(turns.filter(({ hidden }) => !hidden)).toHaveLength(1);
    expect(turns).toHaveLength(3);
  });

  test("after a failure the same question is one turn", async () => {
    const { agent, lines } = setUp({ throws: new Error("down") }, say("One."));
    await agent.generate("First", owner).catch(() => {});
    await agent.generate("First", owner);
    expect(await lines()).toEqual(["user: First | assistant: One."]);
  });

  test("two runs at once on one thread are both recorded, each whole", async () => {
    const { agent, conversation } = setUp(say("One."), say("Two."));
    await Promise.all([agent.generate("First", owner), agent.generate("Second", owner)]);
    const turns = await recorded(conversation);
    expect(turns.map(({ lines }) => lines.map((line) => line.split(":")[0]))).toEqual([
      ["user", "assistant"],
      ["user", "assistant"],
    ]);
  });

  test("a client's own tool is answered by its rows, and the turn goes on", async () => {
    const { agent, conversation, lines, asked } = setUp(call(["c1", "pick", {}]), say("Red it is."));
    const pick = { id: "pick", description: "The client's.", inputSchema: { type: "object", properties: {} } } as never;
    await agent.generate([user("Which?", "u1")], { ...owner, clientTools: { pick } });
    const { turns } = await conversation.transcript();
    const rows = toRows(turns[0]?.messages ?? [], { exact: true });
    const part = rows[1]?.content.parts[0];
    if (part?.type !== "tool-invocation") throw new Error("no call");
    part.toolInvocation = { ...part.toolInvocation, state: "result", result: "red" };
    await agent.generate(rows, { ...owner, clientTools: { pick } });
    expect(await lines()).toEqual(['user: Which? | assistant: pick#c1 | tool: #c1="red" | assistant: Red it is.']);
    expect(asked()).toBe("system user assistant tool");
  });
});
