import { describe, expect, it } from "vitest";
import { message, type Reply, startModelServer } from "../../test/model-server.ts";
import type { Turn } from "../contract/message.ts";
import { anthropicSummarizer } from "./anthropic-summarizer.ts";

const KEY = "sk-ant-test";
const at = "2025-03-01T10:00:00.000Z";
const turns: Turn[] = [
  {
    id: "t1",
    conversation: "c1",
    seq: 1,
    status: "completed",
    startedAt: at,
    messages: [{ id: "m1", role: "user", createdAt: at, parts: [{ type: "text", text: "I moved to Bergen." }] }],
  },
];
const input = { previous: null, turns, maxTokens: 200 };
const sleep = async () => {};

describe("anthropicSummarizer", () => {
  it("T3: speaks the Messages API with key and address of the environment", async () => {
    await using server = await startModelServer(
      message([
        { type: "thinking", thinking: "hm", signature: "s" },
        { type: "text", text: "The user moved " },
        { type: "text", text: "to Bergen." },
      ]),
    );
    const env = { ANTHROPIC_API_KEY: KEY, ANTHROPIC_BASE_URL: server.url };
    expect(await anthropicSummarizer({ env })(input)).toBe("The user moved to Bergen.");
    expect(await anthropicSummarizer({ env, baseUrl: `${server.url}/v1`, model: "m" })(input)).toContain("Bergen");
    const [first, second] = server.seen;
    expect(first?.path).toBe("/v1/messages");
    expect(second?.path).toBe("/v1/messages");
    expect(first?.headers).toMatchObject({ "x-api-key": KEY, "anthropic-version": "2023-06-01" });
    expect(first?.body).toMatchObject({ model: "claude-haiku-4-5", max_tokens: 364 });
    expect(second?.body.model).toBe("m");
    expect(JSON.stringify(first?.body.messages)).toContain("I moved to Bergen.");
    expect(() => anthropicSummarizer({ env: {} })).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
  });

  it("W6: tries again when the provider is overloaded", async () => {
    const overloaded: Reply = {
      status: 529,
      json: { type: "error", error: { type: "overloaded_error", message: "Overloaded" } },
    };
    await using server = await startModelServer(overloaded, message("Fine."));
    const options = { env: {}, apiKey: KEY, baseUrl: server.url, sleep };
    expect(await anthropicSummarizer(options)(input)).toBe("Fine.");
    server.replies.splice(0, 1, overloaded);
    await expect(anthropicSummarizer(options)(input)).rejects.toMatchObject({
      code: "SUMMARIZER_FAILED",
      retryable: true,
      details: { status: 529, providerCode: "overloaded_error", attempts: 3 },
    });
  });

  it.each<[string, Reply, Record<string, unknown>]>([
    ["no content", message([]), { reason: "empty" }],
    ["a tool call alone", message([{ type: "tool_use", id: "x", name: "t", input: {} }]), { reason: "empty" }],
    ["an answer cut off", message("The user mov", "max_tokens"), { reason: "truncated" }],
    ["a refusal", message("I can't.", "refusal"), { reason: "refused" }],
    ["another shape", { json: { completion: "old" } }, { reason: "malformed" }],
    ["malformed JSON", { text: '{"content": [' }, { reason: "malformed" }],
    [
      "a request turned down",
      { status: 400, json: { type: "error", error: { type: "invalid_request_error", message: "prompt: Bergen" } } },
      { reason: "status", status: 400, providerCode: "invalid_request_error" },
    ],
  ])("W6: %s is a failure, never a summary", async (_, reply, details) => {
    await using server = await startModelServer(reply);
    const summarize = anthropicSummarizer({ env: {}, apiKey: KEY, baseUrl: server.url, sleep });
    await expect(summarize(input)).rejects.toMatchObject({ code: "SUMMARIZER_FAILED", details });
    expect(server.seen).toHaveLength(1);
  });

  it("W4: what a provider cut off late loses its broken end", async () => {
    await using server = await startModelServer(message("The user moved. The town is Bergen. The hou", "max_tokens"));
    const summarize = anthropicSummarizer({ env: {}, apiKey: KEY, baseUrl: server.url });
    expect(await summarize(input)).toBe("The user moved. The town is Bergen.");
  });

  it("E5: the caller's signal ends it", async () => {
    const controller = new AbortController();
    await using server = await startModelServer(() => controller.abort());
    const summarize = anthropicSummarizer({ env: {}, apiKey: KEY, baseUrl: server.url });
    await expect(summarize({ ...input, signal: controller.signal })).rejects.toMatchObject({ code: "ABORTED" });
  });
});
