import type { Conversation } from "@throughline/core";
import {
  consumeStream,
  createUIMessageStreamResponse,
  isStepCount,
  streamText,
  toUIMessageStream,
  type UIMessage,
} from "ai";
import { expect, test } from "vitest";
import { withMemory } from "../src/index.ts";
import { call, say, scriptedModel } from "./scripted-model.ts";
import { post, serve } from "./serve.ts";
import { recorded, testMemory, tools } from "./test-memory.ts";

const WORDS = Array.from({ length: 40 }, (_, index) => `word${index}`).join(" ");

interface Wiring {
  consume?: boolean;
  signal?: boolean;
  consumeSse?: boolean;
}

/** A route as an app writes it, with what it does about clients that go away. */
async function route(conversation: Conversation, request: Request, wiring: Wiring): Promise<Response> {
  const run = await withMemory(conversation, {
    prompt: "How is Oslo?",
    onError: () => {},
    ...(wiring.signal ? { abortSignal: request.signal } : {}),
  });
  const model = scriptedModel(call(["c1", "weather", { city: "Oslo" }]), { ...say(WORDS), wordDelayMs: 2 });
  const result = streamText({ model, tools, stopWhen: isStepCount(3), ...run });
  if (wiring.consume) void result.consumeStream();
  const stream = toUIMessageStream({ stream: result.stream });
  return createUIMessageStreamResponse({ stream, ...(wiring.consumeSse ? { consumeSseStream: consumeStream } : {}) });
}

/** Reads the answer; goes away after some words where told to. */
const read = (url: string, leaveAfter?: number) =>
  post(url, {}, leaveAfter === undefined ? undefined : `word${leaveAfter}`);

const until = async (check: () => Promise<boolean>): Promise<void> => {
  for (let tries = 0; tries < 200 && !(await check()); tries++) await new Promise((resolve) => setTimeout(resolve, 5));
};

const before = ["user: How is Oslo?", "assistant: weather#c1", 'tool: #c1="sunny in Oslo"'];

test.each<[string, Wiring, "completed" | "aborted"]>([
  ["consumeStream()", { consume: true }, "completed"],
  ["the request's signal", { signal: true }, "aborted"],
  ["the request's signal and consumeSseStream", { signal: true, consumeSse: true }, "aborted"],
  ["the request's signal and consumeStream()", { signal: true, consume: true }, "aborted"],
  ["consumeSseStream", { consumeSse: true }, "completed"],
])("B2: a client that goes away leaves one turn, with %s", async (_, wiring, status) => {
  const { conversation } = testMemory();
  await using server = await serve((request) => route(conversation, request, wiring));
  await read(server.url, 5);
  await until(async () => (await recorded(conversation)).length > 0);
  const turns = await recorded(conversation);
  expect(turns).toHaveLength(1);
  expect(turns[0]?.status).toBe(status);
  expect(turns[0]?.lines.slice(0, 3)).toEqual(before);
  const said = turns[0]?.lines[3] ?? "";
  if (status === "completed") expect(said).toBe(`assistant: ${WORDS}`);
  else expect(said).toMatch(/^assistant: word0 word1 word2 word3 word4 word5/);
});

test.each<[string, Wiring]>([
  ["nothing special", {}],
  ["the request's signal", { signal: true }],
  ["consumeStream()", { consume: true }],
])("B2: a client that stays leaves one completed turn, with %s", async (_, wiring) => {
  const { conversation } = testMemory();
  await using server = await serve((request) => route(conversation, request, wiring));
  await read(server.url);
  expect(await recorded(conversation)).toEqual([{ status: "completed", lines: [...before, `assistant: ${WORDS}`] }]);
});

test("with neither a signal nor consumeStream the SDK tells nobody: nothing is recorded", async () => {
  const { conversation } = testMemory();
  await using server = await serve((request) => route(conversation, request, {}));
  await read(server.url, 5);
  await new Promise((resolve) => setTimeout(resolve, 150));
  expect(await recorded(conversation)).toEqual([]);
});

test("V3: a UI whose response nobody reads to its end leaves what was said by then, as aborted", async () => {
  const { conversation } = testMemory();
  const uiMessages: UIMessage[] = [{ id: "u1", role: "user", parts: [{ type: "text", text: "How is Oslo?" }] }];
  await using server = await serve(async () => {
    const run = await withMemory(conversation, { uiMessages, onError: () => {}, memory: { responseId: "a1" } });
    const model = scriptedModel(call(["c1", "weather", { city: "Oslo" }]), { ...say(WORDS), wordDelayMs: 2 });
    const result = streamText({ model, tools, stopWhen: isStepCount(3), ...run });
    // Without `consumeSseStream` of `run.memory.ui` in the response.
    return createUIMessageStreamResponse({ stream: toUIMessageStream({ stream: result.stream, ...run.memory.ui }) });
  });
  await read(server.url, 5);
  await until(async () => (await recorded(conversation)).length > 0);
  const [turn] = (await conversation.transcript()).turns;
  expect(turn).toMatchObject({ status: "aborted" });
  expect(turn?.messages.map(({ id }) => id)).toEqual(["u1", "a1", "a1#tool-result:c1", "a1#1"]);
  expect((await recorded(conversation))[0]?.lines[3]).toMatch(/^assistant: word0 word1 word2 word3/);
});

test("V3: a chat that is resumed gets the whole stream, and the record has it once", async () => {
  const { conversation } = testMemory();
  /** What a resumable chat keeps beside the memory: the stream under way, by chat. */
  const running = new Map<string, Promise<string>>();
  const uiMessages: UIMessage[] = [{ id: "u1", role: "user", parts: [{ type: "text", text: "How is Oslo?" }] }];
  await using server = await serve(async (request) => {
    if (request.url.endsWith("/resume")) return new Response(await running.get("chat"));
    const run = await withMemory(conversation, { uiMessages, memory: { responseId: "a1" } });
    const model = scriptedModel(call(["c1", "weather", { city: "Oslo" }]), { ...say(WORDS), wordDelayMs: 2 });
    const result = streamText({ model, tools, stopWhen: isStepCount(3), ...run });
    return result.toUIMessageStreamResponse({
      ...run.memory.ui,
      consumeSseStream: ({ stream }) => {
        running.set("chat", new Response(stream.pipeThrough(new TextEncoderStream())).text());
      },
    });
  });
  await read(server.url, 5);
  const again = await post(`${server.url}resume`, {});
  expect(again).toContain("word39");
  expect(again).toContain('"messageId":"a1"');
  expect(await recorded(conversation)).toEqual([{ status: "completed", lines: [...before, `assistant: ${WORDS}`] }]);
});
