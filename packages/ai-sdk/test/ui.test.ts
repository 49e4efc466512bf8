import { inMemoryStore } from "@throughline/core";
import {
  createUIMessageStream,
  createUIMessageStreamResponse,
  isStepCount,
  readUIMessageStream,
  streamText,
  toUIMessageStream,
  type UIMessage,
  type UIMessageChunk,
  validateUIMessages,
} from "ai";
import { describe, expect, test } from "vitest";
import { toUIMessages, withMemory } from "../src/index.ts";
import { call, type ScriptedStep, say, scriptedModel } from "./scripted-model.ts";
import { recorded, testMemory, tools } from "./test-memory.ts";

const user = (id: string, text: string): UIMessage => ({ id, role: "user", parts: [{ type: "text", text }] });
const oslo = call(["c1", "weather", { city: "Oslo" }]);
const approval = { toolApproval: { weather: "user-approval" } } as const;

/** A client as `useChat` is one: it keeps the messages, sends them all, and takes in what is streamed. */
function createClient(store = inMemoryStore()) {
  const state = { messages: [] as UIMessage[], model: scriptedModel() };
  let ids = 0;
  const send = async (script: ScriptedStep[], options: { toolApproval?: object; sent?: UIMessage[] } = {}) => {
    const { conversation } = testMemory(store);
    state.model = scriptedModel(...script);
    const run = await withMemory(conversation, {
      uiMessages: structuredClone(options.sent ?? state.messages),
      tools,
      memory: { responseId: `a${++ids}` },
    });
    const { sent: _sent, ...given } = options;
    const result = streamText({ model: state.model, stopWhen: isStepCount(5), ...run, ...given });
    const stream = toUIMessageStream({ stream: result.stream, ...run.memory.ui });
    const last = state.messages.at(-1);
    const message = last?.role === "assistant" ? { message: last } : {};
    let answer: UIMessage | undefined;
    for await (const next of readUIMessageStream({ stream: stream as ReadableStream<UIMessageChunk>, ...message })) {
      answer = next;
    }
    if (answer !== undefined) {
      state.messages = [...state.messages.filter(({ id }) => id !== answer?.id), answer];
    }
    return run;
  };
  return { state, send, conversation: () => testMemory(store).conversation };
}
const ids = async (client: ReturnType<typeof createClient>) =>
  (await client.conversation().transcript()).turns.map(({ status, messages }) => [
    status,
    messages.map(({ id }) => id),
  ]);
const shownOf = async (client: ReturnType<typeof createClient>) =>
  toUIMessages((await client.conversation().transcript()).turns);
const visible = async (client: ReturnType<typeof createClient>) =>
  (await client.conversation().transcript()).turns.filter(({ hidden }) => !hidden);

describe("V3: a chat's messages keep their ids", () => {
  test("in the record, and in what is shown from the store: the same as the client has", async () => {
    const client = createClient();
    client.state.messages.push(user("u1", "How is Oslo?"));
    await client.send([oslo, say("Sunny.")]);
    client.state.messages.push(user("u2", "Thanks."));
    await client.send([say("You are welcome.")]);
    expect(await ids(client)).toEqual([
      ["completed", ["u1", "a1", "a1#tool-result:c1", "a1#1"]],
      ["completed", ["u2", "a2"]],
    ]);
    const stored = toUIMessages(await client.conversation().history());
    expect(stored).toEqual(client.state.messages);
    await validateUIMessages({ messages: stored, tools: tools as never });
  });

  test("B9: sent whole with every request, nothing is doubled; sent alone, history is filled in", async () => {
    const client = createClient();
    for (const n of [1, 2, 3]) {
      client.state.messages.push(user(`u${n}`, `Question ${n}`));
      await client.send([call([`c${n}`, "weather", { city: "Oslo" }]), say(`Answer ${n}`)]);
    }
    expect((await ids(client)).map(([, messages]) => messages?.length)).toEqual([4, 4, 4]);
    client.state.messages.push(user("u4", "Question 4"));
    await client.send([say("Answer 4")], { sent: [user("u4", "Question 4")] });
    expect(client.state.model.prompts()[0]).toHaveLength(13);
    expect(await ids(client)).toHaveLength(4);
  });

  test("regenerate replaces the answer, and the turns after it", async () => {
    const client = createClient();
    client.state.messages.push(user("u1", "One?"));
    await client.send([say("First.")]);
    client.state.messages.push(user("u2", "Two?"));
    await client.send([say("Second.")]);
    client.state.messages.pop();
    await client.send([say("Second, better.")]);
    expect(await shownOf(client)).toEqual(client.state.messages);
    client.state.messages = [client.state.messages[0] as UIMessage];
    await client.send([oslo, say("First, better.")]);
    expect(await visible(client)).toHaveLength(1);
    expect(await shownOf(client)).toEqual(client.state.messages);
    expect((await client.conversation().transcript()).turns).toHaveLength(4);
  });

  test("an edited question replaces what was answered to the old one", async () => {
    const client = createClient();
    client.state.messages.push(user("u1", "How is Oslo?"));
    await client.send([say("Sunny.")]);
    client.state.messages = [user("u1", "How is Voss?")];
    await client.send([say("Rainy.")]);
    expect(await shownOf(client)).toEqual(client.state.messages);
  });

  test.each([true, false])("B2: an approval (%s) is one turn, one message", async (approved) => {
    const client = createClient();
    client.state.messages.push(user("u1", "How are they?"));
    await client.send([call(["c1", "weather", { city: "Oslo" }], ["c2", "confirm", { question: "?" }])], approval);
    expect((await ids(client))[0]?.[0]).toBe("paused");
    const asked = client.state.messages.at(-1) as UIMessage;
    expect(await shownOf(client)).toEqual(client.state.messages);
    for (const part of asked.parts) {
      if (part.type === "tool-weather" && part.state === "approval-requested") {
        Object.assign(part, {
          state: "approval-responded",
          approval: { ...part.approval, approved, reason: "because" },
        });
      }
      if (part.type === "tool-confirm") Object.assign(part, { state: "output-available", output: "yes" });
    }
    await client.send([say("There you are.")], approval);
    const turns = await visible(client);
    expect(turns.map(({ status }) => status)).toEqual(["completed"]);
    expect(turns[0]?.messages.map(({ id }) => id).sort()).toEqual(
      ["a1", "a1#1", "a1#approval:c1", "a1#tool-result:c1", "a1#tool-result:c2", "u1"].sort(),
    );
    const [, shown] = await shownOf(client);
    const states = shown?.parts.flatMap((part) => ("state" in part && "toolCallId" in part ? [part.state] : []));
    expect(states).toEqual([approved ? "output-available" : "output-denied", "output-available"]);
    client.state.messages.push(user("u2", "Thanks."));
    await client.send([say("Any time.")]);
    expect(await visible(client)).toHaveLength(2);
  });

  test("a pending approval that the person walks past leaves a valid prompt", async () => {
    const client = createClient();
    client.state.messages.push(user("u1", "How is Oslo?"));
    await client.send([oslo], approval);
    client.state.messages.push(user("u2", "Never mind."));
    await client.send([say("Fine.")], approval);
    expect((await visible(client)).map(({ status }) => status)).toEqual(["paused", "completed"]);
    expect(JSON.stringify(client.state.model.prompts())).not.toContain("tool-call");
  });

  test("a client's own tool is answered in the same message", async () => {
    const client = createClient();
    client.state.messages.push(user("u1", "Do it."));
    await client.send([call(["c1", "confirm", { question: "Sure?" }])]);
    for (const part of client.state.messages.at(-1)?.parts ?? []) {
      if (part.type === "tool-confirm") Object.assign(part, { state: "output-available", output: "yes" });
    }
    await client.send([say("Done.")]);
    expect(await ids(client)).toEqual([["completed", ["u1", "a1", "a1#tool-result:c1", "a1#1"]]]);
    expect(await shownOf(client)).toEqual(client.state.messages);
  });

  test("a stream that the client stopped is sent back with its open call: the next question works", async () => {
    const client = createClient();
    client.state.messages.push(user("u1", "How is Oslo?"));
    await client.send([oslo, say("Sunny.")]);
    client.state.messages.push(
      {
        id: "a9",
        role: "assistant",
        parts: [{ type: "tool-weather", toolCallId: "c9", state: "input-available", input: {} }],
      } as UIMessage,
      user("u2", "And now?"),
    );
    await client.send([say("Still sunny.")]);
    expect(JSON.stringify(client.state.model.prompts())).not.toContain("c9");
  });

  test("files, reasoning, sources, tool errors and dynamic tools come back as they were shown", async () => {
    const client = createClient();
    client.state.messages.push({
      id: "u1",
      role: "user",
      metadata: { sentAt: "2026-01-01" },
      parts: [
        { type: "text", text: "What is this?" },
        { type: "data-place", data: { lat: 59 } } as UIMessage["parts"][number],
        { type: "file", mediaType: "image/png", url: "data:image/png;base64,iVBORw0KGgo=", filename: "a.png" },
      ],
    });
    await client.send([
      {
        content: [{ type: "reasoning", text: "Hm." }, ...(call(["c1", "broken", {}]).content ?? [])],
        finish: "tool-calls",
      },
      {
        content: [
          { type: "source", sourceType: "url", id: "s1", url: "https://yr.no", title: "Yr" },
          { type: "text", text: "A picture." },
        ],
      },
    ]);
    const stored = await shownOf(client);
    expect(stored[0]).toEqual(client.state.messages[0]);
    const parts = stored[1]?.parts ?? [];
    expect(parts.map(({ type }) => type)).toEqual([
      "step-start",
      "reasoning",
      "tool-broken",
      "step-start",
      "text",
      "source-url",
    ]);
    expect(parts[2]).toMatchObject({ state: "output-error", errorText: "Error: no such city" });
    const dynamic = toUIMessages(await client.conversation().history(), { tools: {} });
    expect(dynamic[1]?.parts[2]).toMatchObject({ type: "dynamic-tool", toolName: "broken" });
    // The model was not shown what is for the person's eyes.
    expect(JSON.stringify(client.state.model.prompts())).not.toContain("data-place");
  });

  test("data parts and metadata of an answer are kept beside its words", async () => {
    const { conversation } = testMemory();
    const run = await withMemory(conversation, { uiMessages: [user("u1", "Hi")], memory: { responseId: "a1" } });
    const stream = createUIMessageStream({
      ...run.memory.ui,
      generateId: run.memory.ui?.generateMessageId as () => string,
      execute: ({ writer }) => {
        writer.write({ type: "start", messageId: "a1", messageMetadata: { model: "m" } });
        writer.write({ type: "data-chart", data: [1, 2] });
        const result = streamText({ model: scriptedModel(say("Hello.")), ...run });
        writer.merge(toUIMessageStream({ stream: result.stream, sendStart: false }));
      },
    });
    await createUIMessageStreamResponse({ stream }).text();
    await expect.poll(async () => JSON.stringify(await conversation.history())).toContain("data-chart");
    expect(toUIMessages(await conversation.history())).toEqual([
      user("u1", "Hi"),
      {
        id: "a1",
        role: "assistant",
        metadata: { model: "m" },
        parts: [
          { type: "step-start" },
          { type: "text", text: "Hello.", state: "done" },
          { type: "data-chart", data: [1, 2] },
        ],
      },
    ]);
    expect((await recorded(conversation)).map(({ status }) => status)).toEqual(["completed"]);
  });

  test("W14: a turn that another framework recorded is one message for each side", async () => {
    const { conversation } = testMemory();
    await conversation.record({
      messages: [
        { role: "user", content: "How is Oslo?" },
        { role: "assistant", parts: [{ type: "tool-call", callId: "k", tool: "weather", input: { city: "Oslo" } }] },
        { role: "tool", parts: [{ type: "tool-result", callId: "k", tool: "weather", output: { sky: "blue" } }] },
        { role: "assistant", content: "Sunny." },
      ],
    });
    const shown = toUIMessages(await conversation.history());
    expect(shown.map(({ role, parts }) => [role, parts.length])).toEqual([
      ["user", 1],
      ["assistant", 4],
    ]);
    expect(shown[1]?.parts[1]).toMatchObject({ state: "output-available", output: { sky: "blue" } });
  });

  test("one of prompt, messages and uiMessages is taken", async () => {
    const { conversation } = testMemory();
    await expect(withMemory(conversation, { uiMessages: [], prompt: "Hi" })).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
    });
  });
});
