import { inMemoryStore, MemoryError, type MemoryStore } from "@throughline/core";
import { generateText, isStepCount, streamText } from "ai";
import { describe, expect, test, vi } from "vitest";
import { type RunOptions, withMemory } from "../src/index.ts";
import { call, say, scriptedModel } from "./scripted-model.ts";
import { recorded, testMemory, tools } from "./test-memory.ts";

const oslo = call(["c1", "weather", { city: "Oslo" }]);

describe("V1: the app's own callbacks still run", () => {
  const newNames = ["onStart", "onStepStart", "onToolExecutionEnd", "onStepEnd", "onEnd"] as const;
  const oldNames = [
    "experimental_onStart",
    "experimental_onStepStart",
    "experimental_onToolCallFinish",
    "onStepFinish",
    "onFinish",
  ] as const;

  test.each([
    ["new", newNames],
    ["old", oldNames],
  ])("under their %s names, after the turn is written", async (_, names) => {
    for (const kind of ["generateText", "streamText"] as const) {
      const seen: string[] = [];
      const callbacks: RunOptions = Object.fromEntries(names.map((name) => [name, () => void seen.push(name)]));
      const { conversation } = testMemory();
      const last = names[4];
      let atEnd: unknown;
      callbacks[last] = async () => {
        atEnd = await recorded(conversation);
        seen.push(last);
      };
      const run = await withMemory(conversation, { prompt: "How is Oslo?", ...callbacks });
      const options = { model: scriptedModel(oslo, say("Sunny.")), tools, stopWhen: isStepCount(3), ...run };
      if (kind === "generateText") await generateText(options);
      else await streamText(options).consumeStream();
      const [start, stepStart, tool, stepEnd, end] = names;
      expect(seen).toEqual([start, stepStart, tool, stepEnd, stepStart, stepEnd, end]);
      expect(atEnd).toMatchObject([{ status: "completed" }]);
    }
  });

  test("onChunk, onAbort and onStepError too", async () => {
    const seen = new Set<string>();
    const note = (name: string) => () => void seen.add(name);
    const controller = new AbortController();
    const options = { prompt: "Hi", onChunk: note("chunk"), onAbort: note("abort"), onStepError: note("step-error") };
    const { conversation } = testMemory();
    const run = await withMemory(conversation, { ...options, onError: note("error"), abortSignal: controller.signal });
    controller.abort();
    await streamText({ model: scriptedModel(say("Hello.")), ...run }).consumeStream();
    const failing = await withMemory(conversation, { ...options, onError: note("error") });
    await streamText({
      model: scriptedModel({ throws: new Error("down") }),
      maxRetries: 0,
      ...failing,
    }).consumeStream();
    expect([...seen].sort()).toEqual(["abort", "chunk", "error", "step-error"]);
  });

  test("one that throws does not harm the turn", async () => {
    const { conversation } = testMemory();
    const onEnd = () => {
      throw new Error("the app's own");
    };
    await generateText({
      model: scriptedModel(say("Hello.")),
      ...(await withMemory(conversation, { prompt: "Hi", onEnd })),
    });
    expect(await recorded(conversation)).toMatchObject([{ status: "completed" }]);
  });

  test("without onError of the app, streamText prints the error as it does by itself", async () => {
    const print = vi.spyOn(console, "error").mockImplementation(() => {});
    const { conversation } = testMemory();
    const error = new Error("down");
    const run = await withMemory(conversation, { prompt: "Hi" });
    await streamText({ model: scriptedModel({ throws: error }), maxRetries: 0, ...run }).consumeStream();
    expect(print).toHaveBeenCalledWith(error);
    print.mockRestore();
  });

  test("onError may ask for another try", async () => {
    const { conversation } = testMemory();
    const run = await withMemory(conversation, { prompt: "Hi", onError: () => ({ retry: true }) });
    const model = scriptedModel({ ...say("He"), errorPart: new Error("gone") }, say("Hello."));
    await streamText({ model, streamRetries: 0, ...run }).consumeStream();
    expect(await recorded(conversation)).toEqual([{ status: "completed", lines: ["user: Hi", "assistant: Hello."] }]);
  });
});

/** A store that refuses what `fails` names. */
const failing = (fails: "reads" | "writes"): MemoryStore => {
  const store = inMemoryStore();
  const refuse = async (): Promise<never> => {
    throw new MemoryError("STORE_FULL", "The disk is full.", { retryable: false });
  };
  return { ...store, ...(fails === "reads" ? { readContext: refuse } : { commitTurn: refuse }) };
};

describe("B3/E1: the memory never fails a run", () => {
  test.each(["generateText", "streamText"] as const)("%s: a failed write is reported", async (kind) => {
    const codes: string[] = [];
    const { conversation } = testMemory(failing("writes"));
    const run = await withMemory(conversation, { prompt: "Hi", memory: { onError: ({ code }) => codes.push(code) } });
    const model = scriptedModel(say("Hello."));
    const text =
      kind === "generateText" ? (await generateText({ model, ...run })).text : await streamText({ model, ...run }).text;
    expect(text).toBe("Hello.");
    await expect(run.memory.recorded).resolves.toMatchObject({ status: "failed", code: "STORE_FULL" });
    expect(codes).toEqual(["STORE_FULL"]);
  });

  test("without a handler only what no event of the memory tells is printed", async () => {
    const print = vi.spyOn(console, "warn").mockImplementation(() => {});
    const { conversation } = testMemory(failing("writes"));
    await generateText({ model: scriptedModel(say("Hello.")), ...(await withMemory(conversation, { prompt: "Hi" })) });
    expect(print).not.toHaveBeenCalled();
    await withMemory(conversation, { messages: [{ role: "user", content: [{ type: "hologram" }] } as never] });
    expect(print).toHaveBeenCalledExactlyOnceWith(expect.stringContaining("hologram"));
    print.mockRestore();
  });

  test("a handler that throws is nobody's harm", async () => {
    const { conversation } = testMemory(failing("writes"));
    const onError = () => {
      throw new Error("the app's own");
    };
    const run = await withMemory(conversation, { prompt: "Hi", memory: { onError } });
    await expect(generateText({ model: scriptedModel(say("Hello.")), ...run })).resolves.toMatchObject({
      text: "Hello.",
    });
  });

  test("a failed read leaves the app's own messages and instructions", async () => {
    const { conversation } = testMemory(failing("reads"));
    const run = await withMemory(conversation, { prompt: "Hi", instructions: "Be brief." });
    expect(run.messages).toEqual([{ role: "user", content: "Hi" }]);
    expect(run.instructions).toBe("Be brief.");
    await run.memory.abort();
  });

  test("E1: a failed read of the paused turn is told by the memory's event, and the run goes on", async () => {
    const failed: string[] = [];
    const refuse = () => Promise.reject(new MemoryError("STORE_UNREACHABLE", "gone"));
    const { conversation } = testMemory(
      { ...failing("reads"), readTurns: refuse, readConversation: refuse },
      { onEvent: (event) => event.type === "memory.read_failed" && failed.push(`${event.operation} ${event.code}`) },
    );
    const content = [{ type: "tool-approval-response" as const, approvalId: "a", approved: true }];
    const run = await withMemory(conversation, { messages: [{ role: "tool", content }] });
    expect(run.messages).toEqual([{ role: "tool", content }]);
    expect(failed).toContain("resume STORE_UNREACHABLE");
  });

  test("E1: strict turns both into errors: of withMemory, and of settle", async () => {
    await expect(
      withMemory(testMemory(failing("reads"), { strict: true }).conversation, { prompt: "Hi" }),
    ).rejects.toMatchObject({
      code: "STORE_FULL",
    });
    const { conversation } = testMemory(failing("writes"), { strict: true });
    const run = await withMemory(conversation, { prompt: "Hi", memory: { onError: () => {} } });
    await expect(
      run.memory.settle(generateText({ model: scriptedModel(say("Hello.")), ...run })),
    ).rejects.toMatchObject({
      code: "STORE_FULL",
    });
  });

  test("B4: what can't be carried over reaches the model, is reported and left out of the turn", async () => {
    const codes: string[] = [];
    const { conversation } = testMemory();
    const hologram = { role: "user", content: [{ type: "hologram" }] } as never;
    const run = await withMemory(conversation, {
      messages: [hologram, { role: "user", content: "What is it?" }],
      memory: { onError: ({ code }) => codes.push(code) },
    });
    expect(run.messages).toEqual([hologram, { role: "user", content: "What is it?" }]);
    expect(codes).toEqual(["UNSUPPORTED_CONTENT"]);
    await run.memory.abort();
    expect(await recorded(conversation)).toEqual([{ status: "aborted", lines: ["user: What is it?"] }]);
  });

  test("F13: a conversation of another person is refused before the run", async () => {
    const { memory, conversation } = testMemory();
    await generateText({ model: scriptedModel(say("Hello.")), ...(await withMemory(conversation, { prompt: "Hi" })) });
    const other = memory.conversation({ id: "chat", subject: "bob" });
    await expect(withMemory(other, { prompt: "Hi" })).rejects.toMatchObject({ code: "CONVERSATION_OWNER_MISMATCH" });
  });

  test("T7: with the conversation tier off nothing is recorded and nothing is reported", async () => {
    const { createMemory } = await import("@throughline/core");
    const memory = createMemory({ agent: "a", store: inMemoryStore(), env: {}, policy: null });
    const onError = vi.fn();
    const run = await withMemory(memory.conversation({ id: "c" }), { prompt: "Hi", memory: { onError } });
    await generateText({ model: scriptedModel(say("Hello.")), ...run });
    expect(onError).not.toHaveBeenCalled();
  });
});
