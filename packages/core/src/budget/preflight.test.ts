import { describe, expect, it } from "vitest";
import type { Message, Part } from "../contract/message.ts";
import { estimateTokens } from "../text/tokens.ts";
import { estimatePrompt, preflight } from "./preflight.ts";
import { IMAGE_TOKENS, messagePromptTokens } from "./prompt-tokens.ts";

const message = (id: string, ...parts: Part[]): Message => ({
  id,
  role: "user",
  parts,
  createdAt: "2026-03-01T09:00:00.000Z",
});
const words = (count: number) => "word ".repeat(count);
const tokens = (part: Part) => messagePromptTokens(message("m", part), estimateTokens);
const count = estimateTokens;

describe("pre-flight ceiling", () => {
  it("W10: counts everything that is sent", () => {
    const large = words(1_000);
    const parts: Part[] = [
      { type: "text", text: large },
      { type: "reasoning", text: large },
      { type: "tool-call", callId: "c", tool: "t", input: { large } },
      { type: "tool-result", callId: "c", tool: "t", output: large },
      { type: "tool-result", callId: "c", tool: "t", output: { large } },
      { type: "tool-result", callId: "c", tool: "t", output: [{ type: "text", text: large }], outputIs: "parts" },
      { type: "tool-result", callId: "c", tool: "t", output: [{ large }] },
      { type: "custom", kind: "k", value: { large } },
      { type: "source", title: large },
      { type: "approval", callId: "c", state: "denied", reason: large },
      { type: "file", mediaType: "text/plain", data: btoa(large) },
      { type: "file", mediaType: "text/csv", url: `data:text/csv;base64,${btoa(large)}` },
      { type: "file", mediaType: "image/png", data: "AAAA" },
      { type: "file", mediaType: "application/pdf", data: "A".repeat(200_000) },
    ];
    for (const part of parts) expect(tokens(part), JSON.stringify(part).slice(0, 80)).toBeGreaterThan(900);
    const estimate = estimatePrompt({
      messages: [message("a", ...parts)],
      system: large,
      tools: [{ name: "t", description: large }],
      limits: { budget: 100 },
      count,
    });
    expect(estimate.system).toBeGreaterThan(900);
    expect(estimate.tools).toBeGreaterThan(900);
    expect(estimate.estimated).toBe(estimate.system + estimate.tools + (estimate.largest[0]?.tokens ?? 0));
  });

  it("W10: counts an image for what it costs, not for the length of its bytes, also in a tool's result", () => {
    const image: Part = { type: "file", mediaType: "image/png", data: "A".repeat(2_000_000) };
    expect(tokens(image)).toBeLessThan(IMAGE_TOKENS + 50);
    const result: Part = { type: "tool-result", callId: "c", tool: "look", output: [image], outputIs: "parts" };
    expect(tokens(result)).toBeLessThan(IMAGE_TOKENS + 100);
  });

  it("W10: lets through what fits, up to the last token", () => {
    const messages = [message("a", { type: "text", text: words(100) })];
    const { estimated } = estimatePrompt({ messages, limits: { budget: 0 }, count });
    expect(preflight({ messages, limits: { budget: estimated }, count }).estimated).toBe(estimated);
    expect(() => preflight({ messages, limits: { budget: estimated - 1 }, count })).toThrow();
  });

  it("W10: names the estimate, the budget and the largest messages, and no text", () => {
    const messages = [3, 90, 40, 70, 50, 60, 80].map((size, index) =>
      message(`m${index}`, { type: "text", text: `SECRET ${words(size)}` }),
    );
    let caught: unknown;
    try {
      preflight({ messages, system: "SECRET", limits: { budget: 50 }, count });
    } catch (error) {
      caught = error;
    }
    expect(caught).toMatchObject({
      name: "MemoryError",
      code: "CONTEXT_OVERFLOW",
      retryable: false,
      details: { budget: 50 },
    });
    const { details, message: text } = caught as Error & { details: { largest: { message: string }[] } };
    expect(details.largest.map((entry) => entry.message)).toEqual(["m1", "m6", "m3", "m5", "m4"]);
    expect(JSON.stringify(details) + text).not.toContain("SECRET");
  });
});
