import { Agent, OpenAIProvider, Runner } from "@openai/agents";
import { createMemory, inMemoryStore, type MessageInput, type Part, type TurnStatus } from "@throughline/core";
import { modelServer } from "@throughline/testkit";
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createSession, fromItems, runWithMemory } from "../src/index.ts";
import { ITEMS } from "./any-item.ts";

/** Messages of any host: calls and results in any order and number, reasoning anywhere, files, approvals. */
const part = fc.oneof(
  fc.string({ minLength: 1, maxLength: 20 }).map((text): Part => ({ type: "text", text })),
  fc.string({ maxLength: 20 }).map((text): Part => ({ type: "reasoning", text })),
  fc.nat(3).map((id): Part => ({ type: "tool-call", callId: `c${id}`, tool: "look up!", input: { id } })),
  fc.nat(3).map((id): Part => ({ type: "tool-result", callId: `c${id}`, tool: "look up!", output: { id } })),
  fc
    .nat(3)
    .map((id): Part => ({ type: "tool-call", callId: `p${id}`, tool: "search", input: null, providerExecuted: true })),
  fc.nat(3).map((id): Part => ({ type: "tool-result", callId: `p${id}`, tool: "search", output: "found" })),
  fc.nat(3).map((id): Part => ({ type: "approval", callId: `c${id}`, state: "requested" })),
  fc.constant<Part>({ type: "file", mediaType: "image/png", data: "iVBORw0KGgo=" }),
  fc.constant<Part>({ type: "file", mediaType: "application/pdf", artifact: "a-1", name: "a.pdf" }),
  fc.constant<Part>({ type: "source", url: "https://example.com" }),
);
const foreign = fc
  .array(
    fc.record({
      role: fc.constantFrom("assistant" as const, "tool" as const),
      parts: fc.array(part, { minLength: 1, maxLength: 4 }),
    }),
    { maxLength: 5 },
  )
  .map((messages): MessageInput[] => messages);

/** The host's own items, of every kind but those whose files only their own account has. */
const own = fc
  .array(
    fc.oneof(
      ITEMS.assistant,
      ITEMS.reasoning,
      ITEMS.call,
      ITEMS.result,
      ITEMS.hosted,
      ITEMS.shellCall,
      ITEMS.shellResult,
      ITEMS.computerCall,
      ITEMS.computerResult,
      ITEMS.patchCall,
      ITEMS.patchResult,
      ITEMS.search,
      ITEMS.compaction,
    ),
    { maxLength: 8 },
  )
  .map((items) => fromItems(items as never));

const turn = fc.record({
  question: fc.string({ minLength: 1, maxLength: 30 }),
  rest: fc.oneof(foreign, own),
  status: fc.constantFrom<TurnStatus>("completed", "aborted", "failed", "paused"),
});

let server: Awaited<ReturnType<typeof modelServer>>;
beforeAll(async () => {
  server = await modelServer();
});
afterAll(() => server[Symbol.asyncDispose]());

describe("B4, W14: 1,000 random transcripts, cut at random budgets, replayed through the host", () => {
  test.each([
    ["responses", true],
    ["chat", false],
  ] as const)("%s: never an orphan, never a provider's error", { timeout: 240_000 }, async (_, useResponses) => {
    const modelProvider = new OpenAIProvider({ apiKey: "k", baseURL: server.baseURL, useResponses });
    const runner = new Runner({ tracingDisabled: true, modelProvider });
    const agent = new Agent({ name: "Ann", model: "local" });
    await fc.assert(
      fc.asyncProperty(
        fc.array(turn, { minLength: 1, maxLength: 6 }),
        fc.integer({ min: 2, max: 12 }),
        fc.boolean(),
        async (turns, maxMessages, bySession) => {
          const policy = { conversation: { maxMessages, keepMessages: 1 } };
          const memory = createMemory({ agent: "guide", store: inMemoryStore(), env: {}, onEvent: () => {}, policy });
          const conversation = memory.conversation({ id: "chat" });
          for (const { question, rest, status } of turns) {
            await conversation.record({ status, messages: [{ role: "user", content: question }, ...rest] });
          }
          server.answer({ text: "Yes." });
          const before = server.refusals.length;
          if (bySession) await runner.run(agent, "And now?", { session: createSession(conversation) });
          else await runWithMemory(conversation, agent, "And now?", { runner, memory: { onError: () => {} } });
          expect(server.refusals.slice(before)).toEqual([]);
        },
      ),
      { numRuns: 500 },
    );
  });
});
