import { describe, expect, it } from "vitest";
import { chat, message, startModelServer } from "../../test/model-server.ts";
import type { Turn } from "../contract/message.ts";
import { summarizerFromPolicy } from "./summarizer-from-policy.ts";

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
const input = { previous: null, turns, maxTokens: 100 };

describe("summarizerFromPolicy", () => {
  it("T3: a provider alone suffices: key, address and model come from the environment", async () => {
    await using openai = await startModelServer(chat("From OpenAI."));
    await using anthropic = await startModelServer(message("From Anthropic."));
    const env = {
      OPENAI_API_KEY: "k1",
      OPENAI_BASE_URL: openai.url,
      OPENAI_MODEL: "m1",
      ANTHROPIC_API_KEY: "k2",
      ANTHROPIC_BASE_URL: anthropic.url,
    };
    const first = summarizerFromPolicy({ provider: "openai", maxTokens: 100 }, env);
    const second = summarizerFromPolicy({ provider: " Anthropic ", model: "m2", maxTokens: 100 }, env);
    expect(await first.summarizer?.(input)).toBe("From OpenAI.");
    expect(await second.summarizer?.(input)).toBe("From Anthropic.");
    expect(openai.seen[0]?.body.model).toBe("m1");
    expect(anthropic.seen[0]?.body.model).toBe("m2");
  });

  it("G15: the extractive one needs nothing", async () => {
    const { summarizer, degraded } = summarizerFromPolicy({ provider: "extractive", maxTokens: 100 }, {});
    expect(degraded).toBeNull();
    expect(await summarizer?.(input)).toContain("I moved to Bergen.");
  });

  it("T3: a policy that asks for none gets none, and no complaint", () => {
    expect(summarizerFromPolicy({ maxTokens: 100 }, { OPENAI_API_KEY: "k" })).toEqual({
      summarizer: null,
      degraded: null,
    });
  });

  it.each([
    [{ provider: "openai" }, {}, "summarize.provider", "openai", "OPENAI_API_KEY"],
    [{ provider: "anthropic" }, { ANTHROPIC_API_KEY: "  " }, "summarize.provider", "anthropic", "ANTHROPIC_API_KEY"],
    [{ provider: "magic" }, {}, "summarize.provider", "magic", "unknown provider"],
    [{ model: "gpt" }, {}, "summarize.provider", null, "no provider"],
    [{ provider: "openai", baseUrl: "not a url" }, { OPENAI_API_KEY: "k" }, "summarize.baseUrl", "not a url", "URL"],
    [{ provider: "openai" }, { OPENAI_API_KEY: "bad\nkey" }, "summarize.provider", "openai", "characters"],
  ])("T5: %j with %j is a degradation, not an error", (summarize, env, field, wanted, reason) => {
    const { summarizer, degraded } = summarizerFromPolicy({ ...summarize, maxTokens: 100 }, env);
    expect(summarizer).toBeNull();
    expect(degraded).toMatchObject({ field, wanted, got: null, reason: expect.stringContaining(reason) });
    expect(JSON.stringify(degraded)).not.toContain("bad");
  });
});
