import type { LanguageModelV4Prompt } from "@ai-sdk/provider";
import { createMemory, inMemoryStore, type MessageInput, type Part, type TurnStatus } from "@throughline/core";
import { generateText, isStepCount, streamText, wrapLanguageModel } from "ai";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { memoryMiddleware, withMemory } from "../src/index.ts";
import { call, say, scriptedModel } from "./scripted-model.ts";
import { tools } from "./test-memory.ts";

/** What is wrong with a prompt, as a strict provider tells it. */
export function faultsOf(prompt: LanguageModelV4Prompt): string[] {
  const faults: string[] = [];
  let open = new Set<string>();
  const seen = new Set<string>();
  prompt.forEach((message, index) => {
    if (message.role === "system") {
      if (index > 0) faults.push(`system at ${index}`);
      return;
    }
    if (message.content.length === 0) faults.push(`${message.role} says nothing`);
    if (message.role !== "tool") for (const id of open) faults.push(`call ${id} has no result`);
    if (message.role !== "tool") open = new Set();
    for (const part of message.content) {
      if (part.type === "text" && part.text === "") faults.push("an empty text");
      if (part.type === "tool-call" && !part.providerExecuted) {
        if (seen.has(part.toolCallId)) faults.push(`call ${part.toolCallId} comes twice`);
        seen.add(part.toolCallId);
        open.add(part.toolCallId);
      }
      if (part.type === "tool-result" && !open.delete(part.toolCallId))
        faults.push(`result ${part.toolCallId} has no call`);
      if (part.type === "reasoning" && message.content.every(({ type }) => type === "reasoning"))
        faults.push("lone reasoning");
    }
  });
  for (const id of open) faults.push(`call ${id} has no result at the end`);
  return faults;
}

const words = fc.string({ minLength: 0, maxLength: 60, unit: "grapheme" });
const callId = fc.constantFrom("a", "b", "c", "d", "call_0");
const output = fc.oneof(words, fc.constant("long ".repeat(300)), fc.record({ n: fc.integer() }));
const result = fc
  .tuple(callId, output)
  .map(([id, value]): Part => ({ type: "tool-result", callId: id, tool: "weather", output: value }));
const approval = fc.tuple(callId, fc.constantFrom("requested" as const, "approved" as const, "denied" as const));
const approved = approval.map(([id, state]): Part => ({ type: "approval", callId: id, state }));
const text = words.map((value): Part => ({ type: "text", text: value }));
const file = fc.constant<Part>({ type: "file", mediaType: "application/pdf", data: "JVBERi0xLjQ=" });
const PARTS = {
  user: fc.oneof(text, file),
  // Some hosts keep results in the row of their calls.
  assistant: fc.oneof(
    text,
    file,
    result,
    approved,
    words.map((value): Part => ({ type: "reasoning", text: value })),
    callId.map((id): Part => ({ type: "tool-call", callId: id, tool: "weather", input: { city: "Oslo" } })),
    fc.constant<Part>({ type: "source", url: "https://yr.no" }),
    fc.constant<Part>({ type: "custom", kind: "other.host", value: { x: 1 } }),
  ),
  tool: fc.oneof(result, result, approved, text, file),
};
/** What other hosts said in ways this one has no form for is reported; here it is only to do no harm. */
const quiet = { onError: () => {} };

const answer: fc.Arbitrary<MessageInput> = fc
  .constantFrom("assistant" as const, "assistant" as const, "tool" as const, "user" as const)
  .chain((role) =>
    fc.record({ role: fc.constant(role), parts: fc.array(PARTS[role], { minLength: 1, maxLength: 4 }) }),
  );
const turn = fc.record({
  question: fc.oneof(words, fc.constant("Hi")),
  answers: fc.array(answer, { maxLength: 6 }),
  status: fc.constantFrom<TurnStatus>("completed", "aborted", "failed", "paused"),
});
const transcript = fc.record({
  turns: fc.array(turn, { maxLength: 12 }),
  contextWindow: fc.integer({ min: 20_000, max: 40_000 }),
  maxMessages: fc.integer({ min: 2, max: 12 }),
  host: fc.constantFrom("generateText", "streamText", "middleware"),
});

describe("B8/W2/W14: whatever was recorded, by whomever", () => {
  test("1,000 random transcripts cut at random budgets are valid prompts in every step of a loop", async () => {
    let prompts = 0;
    await fc.assert(
      fc.asyncProperty(transcript, async ({ turns, contextWindow, maxMessages, host }) => {
        const policy = { enabled: true, conversation: { enabled: true, maxMessages } };
        const memory = createMemory({
          agent: "a",
          store: inMemoryStore(),
          env: {},
          policy,
          contextWindow,
          onEvent: () => {},
        });
        const conversation = memory.conversation({ id: "chat" });
        for (const { question, answers, status } of turns) {
          await conversation.record({ status, messages: [{ role: "user", content: question }, ...answers] });
        }
        const scripted = scriptedModel(
          call(["k1", "weather", { city: "Oslo" }], ["k2", "weather", { city: "Voss" }]),
          say("Sunny."),
        );
        const model =
          host === "middleware"
            ? wrapLanguageModel({ model: scripted, middleware: memoryMiddleware(conversation, quiet) })
            : scripted;
        const errors: unknown[] = [];
        const given =
          host === "middleware"
            ? { prompt: "Both?" }
            : await withMemory(conversation, { prompt: "Both?", memory: quiet });
        const options = { model, tools, stopWhen: isStepCount(3), maxRetries: 0, ...given };
        if (host === "streamText") {
          await streamText({ ...options, onError: ({ error }) => void errors.push(error) }).consumeStream();
        } else await generateText(options).catch((error: unknown) => errors.push(error));
        expect(errors).toEqual([]);
        expect(scripted.prompts().map(faultsOf)).toEqual([[], []]);
        prompts += scripted.prompts().length;
        const all = await conversation.transcript({ limit: 100 });
        expect(all.turns.at(-1)).toMatchObject({ status: "completed", messages: { length: 4 } });
      }),
      { numRuns: 1_000 },
    );
    expect(prompts).toBe(2_000);
  });

  test.each<[string, LanguageModelV4Prompt]>([
    [
      "a result without a call",
      [
        {
          role: "tool",
          content: [{ type: "tool-result", toolCallId: "a", toolName: "t", output: { type: "text", value: "" } }],
        },
      ],
    ],
    [
      "a call without a result",
      [{ role: "assistant", content: [{ type: "tool-call", toolCallId: "a", toolName: "t", input: {} }] }],
    ],
    ["lone reasoning", [{ role: "assistant", content: [{ type: "reasoning", text: "Hm." }] }]],
    ["an empty text", [{ role: "user", content: [{ type: "text", text: "" }] }]],
    [
      "a system message in the middle",
      [
        { role: "user", content: [{ type: "text", text: "a" }] },
        { role: "system", content: "b" },
      ],
    ],
  ])("the check tells %s", (_, prompt) => expect(faultsOf(prompt)).toHaveLength(1));
});
