import { generateText, type ModelMessage, pruneMessages, streamText } from "ai";
import { describe, expect, test } from "vitest";
import { withMemory } from "../src/index.ts";
import { call, type ScriptedStep, say, scriptedModel } from "./scripted-model.ts";
import { recorded, testMemory, tools } from "./test-memory.ts";

const user = (content: string): ModelMessage => ({ role: "user", content });
const thinking = (text: string, reasoning: string): ScriptedStep => ({
  content: [
    { type: "reasoning", text: reasoning },
    { type: "text", text },
  ],
});

describe("B9/W15: an app that keeps the history itself", () => {
  test("one that loops by itself, a call for each step, leaves one turn", async () => {
    const { conversation } = testMemory();
    const history: ModelMessage[] = [user("How is Oslo?")];
    for (const step of [
      call(["c1", "weather", { city: "Oslo" }]),
      call(["c2", "weather", { city: "Voss" }]),
      say("Sunny."),
    ]) {
      const run = await withMemory(conversation, { messages: history });
      expect(run.messages.map(({ role }) => role)).toEqual(history.map(({ role }) => role));
      const result = await generateText({ model: scriptedModel(step), tools, ...run });
      history.push(...result.responseMessages);
    }
    expect(await recorded(conversation)).toEqual([
      {
        status: "completed",
        lines: [
          "user: How is Oslo?",
          "assistant: weather#c1",
          'tool: #c1="sunny in Oslo"',
          "assistant: weather#c2",
          'tool: #c2="sunny in Voss"',
          "assistant: Sunny.",
        ],
      },
    ]);
  });

  test("one that prunes reasoning does not double the answers", async () => {
    const { conversation } = testMemory();
    let history: ModelMessage[] = [];
    for (const words of ["One?", "Two?", "Three?"]) {
      history = pruneMessages({ messages: [...history, user(words)], reasoning: "all" });
      const run = await withMemory(conversation, { messages: history });
      const result = await generateText({ model: scriptedModel(thinking(`Answer to ${words}`, "Hm.")), ...run });
      history.push(...result.responseMessages);
    }
    expect((await recorded(conversation)).map(({ lines }) => lines.length)).toEqual([2, 2, 2]);
  });

  test("a question that failed and is sent again is asked once", async () => {
    const { conversation } = testMemory();
    const first = await withMemory(conversation, { messages: [user("Hi")], onError: () => {} });
    await streamText({ model: scriptedModel({ throws: new Error("down") }), maxRetries: 0, ...first }).consumeStream();
    const second = await withMemory(conversation, { messages: [user("Hi")] });
    await generateText({ model: scriptedModel(say("Hello.")), ...second });
    const history = await conversation.history();
    expect(history.at(-1)?.parts).toMatchObject([{ text: "Hello." }]);
  });

  test("a paused call that the person walked past leaves a valid prompt that still holds the question", async () => {
    const { conversation } = testMemory();
    const ask = await withMemory(conversation, { prompt: "How is Oslo?" });
    await generateText({
      model: scriptedModel(call(["c1", "weather", { city: "Oslo" }])),
      tools,
      toolApproval: { weather: "user-approval" },
      ...ask,
    });
    const model = scriptedModel(say("Fine, not Oslo then."));
    await generateText({ model, tools, ...(await withMemory(conversation, { prompt: "Never mind." })) });
    expect(JSON.stringify(model.prompts()[0])).toContain("How is Oslo?");
    expect((await recorded(conversation)).map(({ status }) => status)).toEqual(["paused", "completed"]);
  });

  test("runs of one conversation side by side leave a turn each", async () => {
    const { conversation } = testMemory();
    await Promise.all(
      ["One?", "Two?", "Three?"].map(async (prompt) => {
        const run = await withMemory(conversation, { prompt });
        await generateText({ model: scriptedModel(say(`Answer to ${prompt}`)), ...run });
      }),
    );
    const turns = await recorded(conversation);
    expect(turns.map(({ lines }) => lines[1]?.replace("assistant: Answer to ", ""))).toEqual(
      turns.map(({ lines }) => lines[0]?.replace("user: ", "")),
    );
    expect(turns).toHaveLength(3);
  });
});
