import { inMemoryStore } from "@throughline/core";
import { generateText, isStepCount, type ModelMessage, streamText } from "ai";
import { describe, expect, test } from "vitest";
import { withMemory } from "../src/index.ts";
import { call, say, scriptedModel } from "./scripted-model.ts";
import { recorded, testMemory, tools } from "./test-memory.ts";

const oslo = call(["c1", "weather", { city: "Oslo" }]);
const toolApproval = { weather: "user-approval" } as const;

/** Asks and pauses; gives the approval's id and what the host was given back. */
async function ask(store = inMemoryStore(), secret?: string) {
  const { conversation } = testMemory(store);
  const result = await generateText({
    model: scriptedModel(oslo),
    tools,
    toolApproval,
    ...(secret === undefined ? {} : { experimental_toolApprovalSecret: secret }),
    ...(await withMemory(conversation, { prompt: "How is Oslo?" })),
  });
  const request = result.content.find((part) => part.type === "tool-approval-request");
  return { store, approvalId: request?.approvalId ?? "", answered: result.responseMessages };
}

const answer = (approvalId: string, approved: boolean, reason?: string): ModelMessage => ({
  role: "tool",
  content: [{ type: "tool-approval-response", approvalId, approved, ...(reason === undefined ? {} : { reason }) }],
});

describe("B2: a run that waits for approval is one turn", () => {
  test("W12: it is paused while it waits", async () => {
    const { store } = await ask();
    expect(await recorded(testMemory(store).conversation)).toEqual([
      { status: "paused", lines: ["user: How is Oslo?", "assistant: weather#c1 requested#c1"] },
    ]);
  });

  test.each(["the answer alone", "the whole history"])(
    "in another process it goes on from %s and is completed, plain",
    async (sent) => {
      const { store, approvalId, answered } = await ask();
      const { conversation } = testMemory(store);
      const before: ModelMessage[] = [{ role: "user", content: "How is Oslo?" }, ...answered];
      const messages = [...(sent === "the answer alone" ? [] : before), answer(approvalId, true)];
      const model = scriptedModel(say("Sunny."));
      const run = await withMemory(conversation, { messages });
      await generateText({ model, tools, toolApproval, stopWhen: isStepCount(3), ...run });
      expect(await recorded(conversation)).toEqual([
        {
          status: "completed",
          lines: [
            "user: How is Oslo?",
            "assistant: weather#c1 requested#c1",
            "tool: approved#c1",
            'tool: #c1="sunny in Oslo"',
            "assistant: Sunny.",
          ],
        },
      ]);
    },
  );

  test("it goes on streamed", async () => {
    const { store, approvalId } = await ask();
    const { conversation } = testMemory(store);
    const run = await withMemory(conversation, { messages: [answer(approvalId, true)] });
    await streamText({ model: scriptedModel(say("Sunny.")), tools, toolApproval, ...run }).consumeStream();
    expect((await recorded(conversation)).map(({ status, lines }) => [status, lines.length])).toEqual([
      ["completed", 5],
    ]);
  });

  test("a denial is recorded with its reason, and the call does not run", async () => {
    const { store, approvalId } = await ask();
    const { conversation } = testMemory(store);
    const run = await withMemory(conversation, { messages: [answer(approvalId, false, "not now")] });
    await generateText({ model: scriptedModel(say("As you wish.")), tools, toolApproval, ...run });
    expect((await recorded(conversation))[0]).toEqual({
      status: "completed",
      lines: [
        "user: How is Oslo?",
        "assistant: weather#c1 requested#c1",
        "tool: denied#c1",
        'tool: #c1!="not now"',
        "assistant: As you wish.",
      ],
    });
  });

  test("the host's signature of the request comes back from the store", async () => {
    const { store, approvalId } = await ask(inMemoryStore(), "a secret of the app");
    const { conversation } = testMemory(store);
    const run = await withMemory(conversation, { messages: [answer(approvalId, true)] });
    const result = await generateText({
      model: scriptedModel(say("Sunny.")),
      tools,
      toolApproval,
      experimental_toolApprovalSecret: "a secret of the app",
      ...run,
    });
    expect(result.text).toBe("Sunny.");
  });

  test("an abort after the approved tool ran keeps its result", async () => {
    const { store, approvalId } = await ask();
    const { conversation } = testMemory(store);
    const controller = new AbortController();
    const run = await withMemory(conversation, {
      messages: [answer(approvalId, true)],
      abortSignal: controller.signal,
    });
    const model = scriptedModel({ ...say("never"), onWord: () => controller.abort() });
    await generateText({ model, tools, toolApproval, maxRetries: 0, ...run }).catch(() => {});
    const turns = await recorded(conversation);
    expect(turns).toMatchObject([{ status: "aborted" }]);
    expect(turns[0]?.lines).toContain('tool: #c1="sunny in Oslo"');
  });

  test("a later turn is shown the answered call without its approval", async () => {
    const { store, approvalId } = await ask();
    const { conversation } = testMemory(store);
    const run = await withMemory(conversation, { messages: [answer(approvalId, true)] });
    await generateText({ model: scriptedModel(say("Sunny.")), tools, toolApproval, ...run });
    const next = await withMemory(conversation, { prompt: "And Bergen?" });
    expect(next.messages.map(({ role }) => role)).toEqual(["user", "assistant", "tool", "assistant", "user"]);
    await next.memory.abort();
    expect(JSON.stringify(next.messages)).not.toContain("approval");
  });

  test("of two calls, answered one after the other: each answer is kept with its call", async () => {
    const { conversation } = testMemory();
    const both = call(["c1", "weather", { city: "Oslo" }], ["c2", "weather", { city: "Bergen" }]);
    const model = scriptedModel(both, say("Sunny."));
    const run = async (options: Parameters<typeof withMemory>[1]) => {
      const all = await withMemory(conversation, options);
      return all.memory.settle(generateText({ model, tools, toolApproval, stopWhen: isStepCount(3), ...all }));
    };
    const { content } = await run({ prompt: "How are they?" });
    const asked = content.flatMap((part) => (part.type === "tool-approval-request" ? [part.approvalId] : []));
    // The SDK runs the call that was approved, and then refuses a prompt in which the other one has no result.
    await run({ messages: [answer(asked[0] ?? "", true)] }).catch(() => {});
    await run({ messages: [answer(asked[1] ?? "", true)] });
    expect(await recorded(conversation)).toEqual([
      {
        status: "completed",
        lines: [
          "user: How are they?",
          "assistant: weather#c1 weather#c2 requested#c1 requested#c2",
          "tool: approved#c1",
          'tool: #c1="sunny in Oslo"',
          "tool: approved#c2",
          'tool: #c2="sunny in Bergen"',
          "assistant: Sunny.",
        ],
      },
    ]);
  });
});
