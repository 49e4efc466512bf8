import { inMemoryStore } from "@throughline/core";
import { generateText, isStepCount, type ModelMessage, streamText } from "ai";
import { describe, expect, test } from "vitest";
import { type RunOptions, withMemory } from "../src/index.ts";
import { call, type ScriptedStep, say, scriptedModel } from "./scripted-model.ts";
import { recorded, testMemory, tools } from "./test-memory.ts";

type Script = readonly ScriptedStep[];

/** Plays a script against a fresh memory, plain or streamed, and gives what was recorded. */
async function play(
  kind: "generateText" | "streamText",
  script: Script,
  options: Omit<RunOptions, "model"> & { steps?: number; streamRetries?: number } = {},
) {
  const { steps = 9, streamRetries, ...given } = options;
  const { conversation } = testMemory();
  const model = scriptedModel(...script);
  const run = await withMemory(conversation, { prompt: "How is Oslo?", onError: () => {}, ...given });
  const base = { model, tools, stopWhen: isStepCount(steps), maxRetries: 0 };
  let error: unknown;
  if (kind === "generateText") await generateText({ ...base, ...run }).catch((thrown: unknown) => (error = thrown));
  else {
    const retries = streamRetries === undefined ? {} : { streamRetries };
    const result = streamText({ ...base, ...retries, ...run });
    await result.consumeStream({ onError: (thrown) => (error = thrown) });
  }
  return { turns: await recorded(conversation), conversation, model, error, run };
}

const oslo = call(["c1", "weather", { city: "Oslo" }]);

describe.each(["generateText", "streamText"] as const)("B2/V1: %s leaves one turn", (kind) => {
  test("of a plain answer", async () => {
    const { turns } = await play(kind, [say("Sunny.")]);
    expect(turns).toEqual([{ status: "completed", lines: ["user: How is Oslo?", "assistant: Sunny."] }]);
  });

  test("of a loop of three tool steps", async () => {
    const script = [
      oslo,
      call(["c2", "weather", { city: "Bergen" }]),
      call(["c3", "weather", { city: "Voss" }]),
      say("All sunny."),
    ];
    const { turns } = await play(kind, script);
    expect(turns).toEqual([
      {
        status: "completed",
        lines: [
          "user: How is Oslo?",
          "assistant: weather#c1",
          'tool: #c1="sunny in Oslo"',
          "assistant: weather#c2",
          'tool: #c2="sunny in Bergen"',
          "assistant: weather#c3",
          'tool: #c3="sunny in Voss"',
          "assistant: All sunny.",
        ],
      },
    ]);
  });

  test("of parallel tools, one of which throws", async () => {
    const script = [call(["c1", "weather", { city: "Oslo" }], ["c2", "broken", {}]), say("Half known.")];
    const { turns } = await play(kind, script);
    expect(turns).toEqual([
      {
        status: "completed",
        lines: [
          "user: How is Oslo?",
          "assistant: weather#c1 broken#c2",
          'tool: #c1="sunny in Oslo" #c2!="Error: no such city"',
          "assistant: Half known.",
        ],
      },
    ]);
  });

  test("of a run that the step limit stops", async () => {
    const { turns } = await play(kind, [oslo], { steps: 1 });
    expect(turns).toEqual([
      { status: "completed", lines: ["user: How is Oslo?", "assistant: weather#c1", 'tool: #c1="sunny in Oslo"'] },
    ]);
  });

  test("of a provider error before any output: failed, with the question", async () => {
    const { turns } = await play(kind, [{ throws: new Error("down") }]);
    expect(turns).toEqual([{ status: "failed", lines: ["user: How is Oslo?"] }]);
  });

  test("of a provider error in a later step: failed, with what had run", async () => {
    const { turns } = await play(kind, [oslo, { throws: new Error("down") }]);
    expect(turns).toEqual([
      { status: "failed", lines: ["user: How is Oslo?", "assistant: weather#c1", 'tool: #c1="sunny in Oslo"'] },
    ]);
  });

  test("of a prepareStep that throws: failed, with what had run", async () => {
    const { turns } = await play(kind, [oslo, say("never")], {
      prepareStep: ({ stepNumber }) => {
        if (stepNumber === 1) throw new Error("no");
        return undefined;
      },
    });
    expect(turns).toEqual([
      { status: "failed", lines: ["user: How is Oslo?", "assistant: weather#c1", 'tool: #c1="sunny in Oslo"'] },
    ]);
  });

  test("of an abort before the model is called", async () => {
    const { turns } = await play(kind, [say("never")], { abortSignal: AbortSignal.abort() });
    expect(turns).toEqual([{ status: "aborted", lines: ["user: How is Oslo?"] }]);
  });

  test("of an abort while a tool runs, with the tool's result", async () => {
    const controller = new AbortController();
    const { turns } = await play(kind, [oslo, say("never")], {
      abortSignal: controller.signal,
      onToolExecutionEnd: () => controller.abort(),
    });
    expect(turns).toEqual([
      { status: "aborted", lines: ["user: How is Oslo?", "assistant: weather#c1", 'tool: #c1="sunny in Oslo"'] },
    ]);
  });

  test("of an abort in a later step, with the completed steps", async () => {
    const controller = new AbortController();
    const late = { ...say("never said"), onWord: () => controller.abort() };
    const { turns } = await play(kind, [oslo, late], { abortSignal: controller.signal });
    expect(turns).toHaveLength(1);
    expect(turns[0]).toMatchObject({ status: "aborted" });
    expect(turns[0]?.lines.slice(0, 3)).toEqual([
      "user: How is Oslo?",
      "assistant: weather#c1",
      'tool: #c1="sunny in Oslo"',
    ]);
  });

  test("of a call that waits for the client's own tool: paused, and completed by its result", async () => {
    const { turns, conversation } = await play(kind, [call(["c1", "confirm", { question: "Sure?" }])]);
    expect(turns).toEqual([{ status: "paused", lines: ["user: How is Oslo?", "assistant: confirm#c1"] }]);
    const answer: ModelMessage = {
      role: "tool",
      content: [{ type: "tool-result", toolCallId: "c1", toolName: "confirm", output: { type: "text", value: "yes" } }],
    };
    const model = scriptedModel(say("Good."));
    await generateText({ model, tools, ...(await withMemory(conversation, { messages: [answer] })) });
    expect(await recorded(conversation)).toEqual([
      {
        status: "completed",
        lines: ["user: How is Oslo?", "assistant: confirm#c1", 'tool: #c1="yes"', "assistant: Good."],
      },
    ]);
  });

  test("of a call that was cut off by the output limit: completed, and its open call is not replayed", async () => {
    const { turns, conversation } = await play(kind, [{ ...oslo, finish: "length" }]);
    expect(turns).toEqual([{ status: "completed", lines: ["user: How is Oslo?", "assistant: weather#c1"] }]);
    const model = scriptedModel(say("Again."));
    await generateText({ model, tools, ...(await withMemory(conversation, { prompt: "And?" })) });
    expect(await recorded(conversation)).toHaveLength(2);
  });

  test("of a failed try and another with the same options: completed", async () => {
    const { conversation } = testMemory();
    const run = await withMemory(conversation, { prompt: "How is Oslo?", onError: () => {} });
    const attempt = async (model: ReturnType<typeof scriptedModel>) =>
      kind === "generateText"
        ? generateText({ model, maxRetries: 0, ...run }).catch(() => {})
        : streamText({ model, maxRetries: 0, ...run }).consumeStream();
    await attempt(scriptedModel({ throws: new Error("down") }));
    expect(await recorded(conversation)).toMatchObject([{ status: "failed" }]);
    await attempt(scriptedModel(say("Sunny.")));
    expect(await recorded(conversation)).toEqual([
      { status: "completed", lines: ["user: How is Oslo?", "assistant: Sunny."] },
    ]);
    await expect(run.memory.recorded).resolves.toMatchObject({ status: "merged" });
  });
});

describe("B2/V1: a stream that is cut short", () => {
  test("an aborted stream leaves one turn with its completed steps and partial text", async () => {
    const controller = new AbortController();
    let words = 0;
    const { turns } = await play("streamText", [oslo, say("It is sunny in Oslo now.")], {
      abortSignal: controller.signal,
      onChunk: ({ chunk }) => {
        if (chunk.type === "text-delta" && ++words === 3) controller.abort();
      },
    });
    expect(turns).toEqual([
      {
        status: "aborted",
        lines: ["user: How is Oslo?", "assistant: weather#c1", 'tool: #c1="sunny in Oslo"', "assistant: It is sunny "],
      },
    ]);
  });

  test("an aborted stream is replayed without an open call", async () => {
    const controller = new AbortController();
    const cut = { ...oslo, content: [{ type: "text" as const, text: "Let me see" }, ...(oslo.content ?? [])] };
    const { conversation, turns } = await play("streamText", [{ ...cut, onWord: () => controller.abort() }], {
      abortSignal: controller.signal,
    });
    expect(turns).toMatchObject([{ status: "aborted" }]);
    const model = scriptedModel(say("Sunny."));
    await generateText({ model, ...(await withMemory(conversation, { prompt: "Go on." })) });
    expect(JSON.stringify(model.prompts())).not.toContain("tool-call");
  });

  test("an error in the middle leaves a failed turn with what was said", async () => {
    const { turns } = await play("streamText", [{ ...say("It is"), errorPart: new Error("gone"), finish: "error" }]);
    expect(turns).toEqual([{ status: "failed", lines: ["user: How is Oslo?", "assistant: It is"] }]);
  });

  test("an error that the SDK retries leaves a completed turn without the failed words", async () => {
    const { turns } = await play("streamText", [{ ...say("It is"), errorPart: new Error("gone") }, say("Sunny.")], {
      streamRetries: 1,
    });
    expect(turns).toEqual([{ status: "completed", lines: ["user: How is Oslo?", "assistant: Sunny."] }]);
  });

  test("a timeout leaves an aborted turn", async () => {
    const { conversation } = testMemory();
    const run = await withMemory(conversation, { prompt: "How is Oslo?" });
    const result = streamText({ model: scriptedModel({ ...say("never"), hangs: true }), timeout: 5, ...run });
    await result.consumeStream({ onError: () => {} });
    expect(await recorded(conversation)).toMatchObject([{ status: "aborted" }]);
  });

  test("generateText: a timeout leaves an aborted turn", async () => {
    const { conversation } = testMemory();
    const run = await withMemory(conversation, { prompt: "How is Oslo?" });
    const model = scriptedModel({ ...say("never"), hangs: true });
    await expect(generateText({ model, timeout: 5, maxRetries: 0, ...run })).rejects.toThrow();
    expect(await recorded(conversation)).toMatchObject([{ status: "aborted" }]);
  });
});

describe("B2/V1: what no callback sees", () => {
  test("settle records a prompt that the SDK refused, and rejects as the run does", async () => {
    const { conversation } = testMemory();
    const run = await withMemory(conversation, { prompt: "How is Oslo?" });
    const messages: ModelMessage[] = [...run.messages, { role: "system", content: "not allowed here" }];
    const refused = generateText({ model: scriptedModel(), ...run, messages });
    await expect(run.memory.settle(refused)).rejects.toThrow("System messages");
    expect(await recorded(conversation)).toEqual([{ status: "failed", lines: ["user: How is Oslo?"] }]);
  });

  test("settle gives what the run gives", async () => {
    const { conversation } = testMemory();
    const run = await withMemory(conversation, { prompt: "How is Oslo?" });
    const result = await run.memory.settle(generateText({ model: scriptedModel(say("Sunny.")), ...run }));
    expect(result.text).toBe("Sunny.");
    expect(await recorded(conversation)).toMatchObject([{ status: "completed" }]);
  });

  test("abort records what there is and does nothing after another end", async () => {
    const { conversation } = testMemory();
    const run = await withMemory(conversation, { prompt: "How is Oslo?" });
    await expect(run.memory.abort()).resolves.toMatchObject({ status: "stored" });
    await run.memory.fail(new Error("late"));
    expect(await recorded(conversation)).toEqual([{ status: "aborted", lines: ["user: How is Oslo?"] }]);
  });

  test("options that recorded a run are not used for another: it is reported, and nothing is recorded twice", async () => {
    const { conversation } = testMemory();
    const errors: string[] = [];
    const run = await withMemory(conversation, { prompt: "Hi", memory: { onError: ({ code }) => errors.push(code) } });
    await generateText({ model: scriptedModel(say("One.")), ...run });
    await generateText({ model: scriptedModel(say("Two.")), ...run });
    expect(errors).toEqual(["TURN_ENDED"]);
    expect(await recorded(conversation)).toEqual([{ status: "completed", lines: ["user: Hi", "assistant: One."] }]);
  });
});

test("W1: the same turn id again is the same question, and its newest answer counts", async () => {
  const store = inMemoryStore();
  for (const answer of ["Hello.", "Hello again."]) {
    const { conversation } = testMemory(store);
    const run = await withMemory(conversation, { prompt: "Hi", memory: { turnId: "t1" } });
    expect(run.messages).toEqual([{ role: "user", content: "Hi" }]);
    await generateText({ model: scriptedModel(say(answer)), ...run });
  }
  const history = await testMemory(store).conversation.history();
  expect(history.flatMap(({ parts }) => parts)).toMatchObject([{ text: "Hi" }, { text: "Hello again." }]);
});
