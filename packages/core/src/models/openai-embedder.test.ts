import { describe, expect, it } from "vitest";
import { type Reply, startModelServer } from "../../test/model-server.ts";
import { estimateTokens } from "../text/tokens.ts";
import { openaiEmbedder } from "./openai-embedder.ts";

const document = { kind: "document" } as const;
const sleep = async () => {};

/** Answers with `[length, 0.5, first character's code]` of each text, in a changed order. */
const embed: Reply = (response, { body }) => {
  // The embedder sends texts.
  const texts = body.input as string[];
  const data = texts.map((text, index) => ({
    object: "embedding",
    index,
    embedding: [text.length, 0.5, text.charCodeAt(0)],
  }));
  response.setHeader("content-type", "application/json; charset=utf-8");
  response.end(JSON.stringify({ object: "list", model: "m", data: data.reverse(), usage: { total_tokens: 1 } }));
};

const setUp = (url: string, more: Parameters<typeof openaiEmbedder>[0] = {}) =>
  openaiEmbedder({ env: {}, baseUrl: `${url}/v1`, model: "local", dimensions: 3, sleep, ...more });

describe("openaiEmbedder", () => {
  it("S4: names its model and dimensions, and asks only models that can shorten for others", async () => {
    await using server = await startModelServer({ json: { data: [{ index: 0, embedding: [1, 2, 3] }] } });
    const env = { OPENAI_API_KEY: "k", OPENAI_BASE_URL: server.url };
    expect(openaiEmbedder({ env })).toMatchObject({ modelId: "text-embedding-3-small", dimensions: 1536 });
    expect(openaiEmbedder({ env, model: "text-embedding-3-large" }).dimensions).toBe(3072);
    const short = openaiEmbedder({ env, dimensions: 3 });
    expect(short.modelId).toBe("text-embedding-3-small@3");
    await short.embed(["a"], document);
    await setUp(server.url).embed(["a"], document);
    expect(server.seen.map(({ body }) => body.dimensions)).toEqual([3, undefined]);
    expect(server.seen[0]?.headers.authorization).toBe("Bearer k");
    expect(() => openaiEmbedder({ env, model: "unheard-of" })).toThrow(
      expect.objectContaining({ code: "INVALID_ARGUMENT" }),
    );
  });

  it("S4: embeds in batches, keeps the order, and gives float32", async () => {
    await using server = await startModelServer(embed);
    const texts = ["a", "bb", "ccc", "dddd", "eeeee"];
    const vectors = await setUp(server.url, { batchSize: 2 }).embed(texts, document);
    expect(vectors.map((vector) => [...vector])).toEqual(texts.map((text) => [text.length, 0.5, text.charCodeAt(0)]));
    expect(vectors.every((vector) => vector instanceof Float32Array)).toBe(true);
    expect(server.seen.map(({ body }) => body.input)).toEqual([["a", "bb"], ["ccc", "dddd"], ["eeeee"]]);
    expect(await setUp(server.url).embed([], document)).toEqual([]);
    expect(server.seen).toHaveLength(3);
  });

  it("S6: blank and overlong texts don't fail a batch; prefixes tell query and document apart", async () => {
    await using server = await startModelServer(embed);
    const embedder = setUp(server.url, { maxTextTokens: 50, queryPrefix: "q: ", documentPrefix: "d: " });
    await embedder.embed(["", "👩‍👩‍👧 long ".repeat(200)], document);
    await embedder.embed(["short"], { kind: "query" });
    const [first, second] = server.seen;
    // The embedder sends texts.
    const [blank = "", long = ""] = (first?.body.input ?? []) as string[];
    expect(blank).toBe("d:  ");
    expect(estimateTokens(long)).toBeLessThanOrEqual(50);
    expect(long.isWellFormed()).toBe(true);
    expect(second?.body.input).toEqual(["q: short"]);
  });

  it.each<[string, Reply, Record<string, unknown>]>([
    [
      "wrong dimensions",
      { json: { data: [{ index: 0, embedding: [1, 2] }] } },
      { reason: "dimensions", expected: 3, got: 2 },
    ],
    ["too few vectors", { json: { data: [] } }, { reason: "count", expected: 1, got: 0 }],
    [
      "too many vectors",
      {
        json: {
          data: [
            { index: 0, embedding: [1, 2, 3] },
            { index: 1, embedding: [1, 2, 3] },
          ],
        },
      },
      { reason: "count" },
    ],
    ["a hole in a vector", { json: { data: [{ index: 0, embedding: [1, null, 3] }] } }, { reason: "malformed" }],
    ["another shape", { json: { embeddings: [[1, 2, 3]] } }, { reason: "malformed" }],
    ["malformed JSON", { text: '{"data": [{"index": 0, "embedding": [1, 2' }, { reason: "malformed" }],
    ["an HTML page", { type: "text/html", text: "<html></html>" }, { reason: "content-type" }],
    [
      "an unknown model",
      { status: 404, json: { error: { code: "model_not_found" } } },
      { status: 404, providerCode: "model_not_found" },
    ],
  ])("S6: %s is a failure, and no vector is given", async (_, reply, details) => {
    await using server = await startModelServer(reply);
    await expect(setUp(server.url).embed(["a"], document)).rejects.toMatchObject({ code: "EMBEDDER_FAILED", details });
    expect(server.seen).toHaveLength(1);
  });

  it("S6: tries again after a rate limit, and fails as a whole where one batch fails", async () => {
    await using server = await startModelServer({ status: 429, headers: { "retry-after": "0" } }, embed);
    expect(await setUp(server.url).embed(["a"], document)).toHaveLength(1);
    server.replies.splice(0, 1, embed, { status: 500 });
    const twoBatches = setUp(server.url, { batchSize: 1, maxRetries: 1 }).embed(["a", "b"], document);
    await expect(twoBatches).rejects.toMatchObject({
      code: "EMBEDDER_FAILED",
      retryable: true,
      details: { status: 500, attempts: 2 },
    });
  });

  it("E5: the caller's signal and the time limit end it", async () => {
    await using server = await startModelServer(() => {});
    const signal = AbortSignal.timeout(20);
    await expect(setUp(server.url).embed(["a"], { kind: "query", signal })).rejects.toMatchObject({ code: "ABORTED" });
    const slow = setUp(server.url, { timeoutMs: 20, maxRetries: 0 }).embed(["a"], document);
    await expect(slow).rejects.toMatchObject({ code: "TIMEOUT" });
  });

  it("T3: reaches a deployment at Azure", async () => {
    await using server = await startModelServer(embed);
    const azure = setUp(server.url, { baseUrl: server.url, apiKey: "k", apiVersion: "2024-10-21", model: "emb" });
    await azure.embed(["a"], document);
    expect(server.seen[0]?.path).toBe("/openai/deployments/emb/embeddings?api-version=2024-10-21");
    expect(server.seen[0]?.headers["api-key"]).toBe("k");
  });
});
