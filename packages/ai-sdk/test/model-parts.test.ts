import { createOpenAI } from "@ai-sdk/openai";
import { createMemory, inMemoryStore, MemoryError, type SummarizerInput, type Turn } from "@throughline/core";
import { modelServer } from "@throughline/testkit";
import { APICallError, customProvider, generateText, wrapLanguageModel } from "ai";
import { MockEmbeddingModelV4 } from "ai/test";
import { describe, expect, test } from "vitest";
import { distillerFrom, embedderFrom, summarizerFrom, withMemory } from "../src/index.ts";
import { say, scriptedModel } from "./scripted-model.ts";

const turns: Turn[] = [
  {
    id: "t1",
    conversation: "c",
    seq: 1,
    status: "completed",
    startedAt: "2026-01-01T00:00:00.000Z",
    messages: [
      {
        id: "m1",
        role: "user",
        parts: [{ type: "text", text: "I live in Oslo." }],
        createdAt: "2026-01-01T00:00:00.000Z",
      },
      { id: "m2", role: "assistant", parts: [{ type: "text", text: "Noted." }], createdAt: "2026-01-01T00:00:01.000Z" },
    ],
  },
];
const input: SummarizerInput = { previous: null, turns, maxTokens: 100 };
const refuse = (statusCode: number) =>
  new APICallError({ message: "I live in Oslo.", url: "x", requestBodyValues: {}, statusCode, isRetryable: false });

describe("V5: summarizerFrom", () => {
  test("asks any model of the SDK with core's prompt, the settings among it", async () => {
    const model = scriptedModel(say("The user lives in Oslo."));
    await expect(summarizerFrom(model, { temperature: 0 })(input)).resolves.toBe("The user lives in Oslo.");
    const [call] = model.doGenerateCalls;
    expect(call).toMatchObject({ temperature: 0, maxOutputTokens: 214 });
    expect(call?.prompt.map(({ role }) => role)).toEqual(["system", "user"]);
    expect(JSON.stringify(call?.prompt[1])).toContain("I live in Oslo.");
  });

  test.each([
    ["an empty answer", [say("")], "SUMMARIZER_FAILED"],
    ["a refusal", [{ ...say("No."), finish: "content-filter" as const }], "SUMMARIZER_FAILED"],
    ["a provider's error", [{ throws: refuse(400) }], "SUMMARIZER_FAILED"],
  ])("%s rejects, and quotes nothing of the conversation", async (_, script, code) => {
    const summarize = async () => summarizerFrom(scriptedModel(...script), { maxRetries: 0 })(input);
    const error = await summarize().catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({ code });
    expect(String((error as Error).message)).not.toContain("Oslo");
    expect(MemoryError.isInstance(error) && error.retryable).toBe(
      code === "SUMMARIZER_FAILED" && script[0] !== undefined && !("throws" in script[0]),
    );
  });

  test("its signal aborts the call", async () => {
    const signal = AbortSignal.abort();
    await expect(summarizerFrom(scriptedModel(say("never")))({ ...input, signal })).rejects.toMatchObject({
      code: "ABORTED",
    });
  });

  test("over the wire, with the provider's real client", async () => {
    await using server = await modelServer({ text: "The user lives in Oslo." });
    const model = createOpenAI({ baseURL: server.baseURL, apiKey: "none" }).chat("gpt-4.1-mini");
    await expect(summarizerFrom(model)(input)).resolves.toBe("The user lives in Oslo.");
  });

  test("a failover chain of the ecosystem's own is a model like any other", async () => {
    const second = scriptedModel(say("From the second."));
    const model = wrapLanguageModel({
      model: scriptedModel({ throws: refuse(500) }),
      middleware: {
        specificationVersion: "v4",
        wrapGenerate: ({ doGenerate, params }) => Promise.resolve(doGenerate()).catch(() => second.doGenerate(params)),
      },
    });
    await expect(summarizerFrom(model)(input)).resolves.toBe("From the second.");
  });
});

describe("V5/X2: distillerFrom", () => {
  const distil = { turns, events: [], recent: [], known: [], now: "2026-01-02T00:00:00.000Z" };
  const found = { facts: [{ key: "city", value: "Oslo", confidence: 0.9, quote: "I live in Oslo", turn: "t1" }] };

  test("draws facts with core's prompt from any model of the SDK", async () => {
    const model = scriptedModel(say(JSON.stringify(found)));
    await expect(distillerFrom(model)(distil)).resolves.toMatchObject([
      { key: "city", value: "Oslo", quote: "I live in Oslo" },
    ]);
    expect(JSON.stringify(model.prompts()[0])).toContain("I live in Oslo.");
  });

  test("an answer that is none is asked for once more, and then a failure", async () => {
    const model = scriptedModel(say("I can't."), say("Still not."));
    const distill = async () => distillerFrom(model)(distil);
    await expect(distill()).rejects.toMatchObject({ code: "DISTILLER_FAILED" });
    expect(model.prompts()).toHaveLength(2);
  });

  test("X2: a memory extracts with it after the reply", async () => {
    const distiller = distillerFrom(scriptedModel(say(JSON.stringify(found))));
    const memory = createMemory({
      agent: "a",
      store: inMemoryStore(),
      env: {},
      distiller,
      policy: { enabled: true, extract: { when: "after-reply" } },
      onEvent: () => {},
    });
    const run = await withMemory(memory.conversation({ id: "c", subject: "ada" }), { prompt: "I live in Oslo." });
    await generateText({ model: scriptedModel(say("Noted.")), ...run });
    await memory.settled();
    expect(await memory.subject("ada").facts()).toMatchObject([{ key: "city", value: "Oslo" }]);
  });
});

describe("V5: embedderFrom", () => {
  const modelOf = (embed: (value: string) => number[]) =>
    new MockEmbeddingModelV4({
      modelId: "small",
      maxEmbeddingsPerCall: 2,
      doEmbed: async ({ values }) => ({ embeddings: values.map(embed), warnings: [] }),
    });

  test("gives one vector per text in order, in as many calls as the model needs", async () => {
    const model = modelOf((value) => [value.length, 1]);
    const embedder = embedderFrom(model, { dimensions: 2 });
    expect(embedder).toMatchObject({ modelId: "small", dimensions: 2 });
    const vectors = await embedder.embed(["a", "bb", "ccc"], { kind: "document" });
    expect(vectors).toEqual(
      [
        [1, 1],
        [2, 1],
        [3, 1],
      ].map((vector) => Float32Array.from(vector)),
    );
    expect(model.doEmbedCalls).toHaveLength(2);
    await expect(embedder.embed([], { kind: "query" })).resolves.toEqual([]);
  });

  test("asks for the length where told to", async () => {
    const model = modelOf(() => [1, 2, 3]);
    await embedderFrom(model, { dimensions: 3, requestDimensions: true, modelId: "mine" }).embed(["a"], {
      kind: "query",
    });
    expect(model.doEmbedCalls[0]).toMatchObject({ dimensions: 3 });
  });

  test("vectors of another length, an error of the model, an abort: each with its code", async () => {
    const short = embedderFrom(
      modelOf(() => [1]),
      { dimensions: 2 },
    );
    await expect(short.embed(["a"], { kind: "query" })).rejects.toMatchObject({
      code: "EMBEDDER_FAILED",
      retryable: false,
    });
    const broken = modelOf(() => {
      throw refuse(503);
    });
    await expect(
      embedderFrom(broken, { dimensions: 2, maxRetries: 0 }).embed(["a"], { kind: "query" }),
    ).rejects.toMatchObject({
      code: "EMBEDDER_FAILED",
      retryable: true,
      details: { status: 503 },
    });
    const signal = AbortSignal.abort();
    const aborted = embedderFrom(
      modelOf(() => [1, 2]),
      { dimensions: 2 },
    ).embed(["a"], { kind: "query", signal });
    await expect(aborted).rejects.toMatchObject({ code: "ABORTED" });
  });

  test("a length that is none is refused at once", () => {
    const { embeddingModel } = customProvider({ embeddingModels: { small: modelOf(() => [1]) } });
    expect(() => embedderFrom(embeddingModel("small"), { dimensions: 0 })).toThrow(
      expect.objectContaining({ code: "INVALID_ARGUMENT" }),
    );
  });
});
