import { Agent, handoff, RunContext, tool } from "@openai/agents";
import { ScriptedModel } from "@openai/agents/testing";
import { createMemory, inMemoryStore, type MemoryErrorCode } from "@throughline/core";
import { describe, expect, test, vi } from "vitest";
import { z } from "zod";
import { memoryTools, runWithMemory, withMemoryInstructions } from "../src/index.ts";
import { asked, call, quietRunner, say, scriptedAgent, words } from "./scripted.ts";
import { recorded, testMemory } from "./test-memory.ts";

const runner = quietRunner();

describe("OA2: what a run is shown", () => {
  test("B5: facts and summary stand in the instructions of every agent, and in nothing that the host keeps", async () => {
    const { conversation } = testMemory();
    await conversation.remember("name", "Ada");
    const ben = scriptedAgent([say("Ben here.")], { name: "Ben", instructions: "You are Ben." });
    const { agent, model } = scriptedAgent([call(["c1", "transfer_to_Ben", {}])], { handoffs: [handoff(ben.agent)] });
    const result = await runWithMemory(conversation, agent, "Who am I?", { runner });
    expect(model.lastCall?.request.systemInstructions).toMatch(/^Be brief\.\n\n<memory>[\s\S]*Ada[\s\S]*<\/memory>$/);
    expect(ben.model.lastCall?.request.systemInstructions).toMatch(/^You are Ben\.\n\n<memory>[\s\S]*Ada/);
    expect(JSON.stringify(result.history)).not.toContain("<memory>");
    expect(result.state.toString()).not.toContain("<memory>");
    expect(JSON.stringify(await conversation.transcript())).not.toContain("<memory>");
  });

  test("B9: history comes before the input, and a copy of it that the app resends is not doubled", async () => {
    const { conversation } = testMemory();
    const first = scriptedAgent([say("Hello.")]);
    const before = await runWithMemory(conversation, first.agent, "Hi", { runner });
    const second = scriptedAgent([say("Fine.")]);
    const copy = [...before.history, { type: "message" as const, role: "user" as const, content: "How are you?" }];
    await runWithMemory(conversation, second.agent, copy, { runner });
    const third = scriptedAgent([say("Bye.")]);
    await runWithMemory(conversation, third.agent, "Bye", { runner });
    const talk = ["user: Hi", "assistant: Hello.", "user: How are you?"];
    expect(asked(second.model.lastCall?.request ?? { input: "" })).toEqual(talk);
    expect(asked(third.model.lastCall?.request ?? { input: "" })).toEqual([...talk, "assistant: Fine.", "user: Bye"]);
    expect((await recorded(conversation)).map(({ lines }) => lines.length)).toEqual([2, 2, 2]);
  });

  test("the app's own filter sees it all, and its session callback combines", async () => {
    const { conversation } = testMemory();
    await conversation.remember("name", "Ada");
    await conversation.record({
      messages: [
        { role: "user", content: "Hi" },
        { role: "assistant", content: "Hello." },
      ],
    });
    const { agent, model } = scriptedAgent([say("Yes.")]);
    const seen = vi.fn();
    await runWithMemory(conversation, agent, "Well?", {
      runner,
      sessionInputCallback: (history, own) => [...history.slice(-1), ...own],
      callModelInputFilter: ({ modelData }) => {
        seen(modelData.instructions);
        return { ...modelData, instructions: `${modelData.instructions}\n\nSmile.` };
      },
    });
    expect(seen).toHaveBeenCalledExactlyOnceWith(expect.stringContaining("<memory>"));
    expect(model.lastCall?.request.systemInstructions).toMatch(/^Be brief\.\n\n<memory>[\s\S]*Smile\.$/);
    expect(asked(model.lastCall?.request ?? { input: "" })).toEqual(["assistant: Hello.", "user: Well?"]);
  });

  test("where the provider keeps the conversation, it is not sent again", async () => {
    const { conversation } = testMemory();
    await conversation.record({
      messages: [
        { role: "user", content: "Hi" },
        { role: "assistant", content: "Hello." },
      ],
    });
    const { agent, model } = scriptedAgent([say("Yes.")]);
    await runWithMemory(conversation, agent, "Well?", { runner, conversationId: "conv_1" });
    expect(asked(model.lastCall?.request ?? { input: "" })).toEqual(["user: Well?"]);
    expect(await recorded(conversation)).toHaveLength(2);
  });

  test("OA2: withMemoryInstructions: read once a run, each run anew, and given once where runWithMemory gives it", async () => {
    const { conversation } = testMemory();
    await conversation.remember("name", "Ada");
    const read = vi.spyOn(conversation, "systemContext");
    const instructions = withMemoryInstructions(conversation, () => "Be brief.");
    const { agent, model } = scriptedAgent(
      [call(["c1", "weather", { city: "Oslo" }]), say("Sunny."), say("Yes."), say("No.")],
      { instructions },
    );
    await runner.run(agent, "How is Oslo?");
    expect(read).toHaveBeenCalledOnce();
    expect(model.calls.map(({ request }) => request.systemInstructions?.match(/<memory>/g)?.length)).toEqual([1, 1]);
    await runner.run(agent, "Well?");
    expect(read).toHaveBeenCalledTimes(2);
    await runWithMemory(conversation, agent, "Well?", { runner });
    expect(read).toHaveBeenCalledTimes(2);
    expect(model.lastCall?.request.systemInstructions?.match(/<memory>/g)).toHaveLength(1);
  });

  test("OA2: recall by the user's words is in the block, and looked for beside the host's own work", async () => {
    const gate = Promise.withResolvers<void>();
    const embedder = {
      modelId: "gated",
      dimensions: 2,
      embed: async (texts: string[], { kind }: { kind: string }) => {
        // The questions that a model is measured with are answered at once.
        if (kind === "query" && texts.length === 1) await gate.promise;
        return texts.map((text) => new Float32Array(text.includes("boat") ? [1, 0] : [0, 1]));
      },
    };
    const { memory } = testMemory(inMemoryStore(), { embedder });
    const old = memory.conversation({ id: "old", subject: "ada" });
    await old.record({ messages: [{ role: "user", content: "My boat is called Nina." }] });
    await memory.settled();
    const hostWork = vi.fn(() => {
      // The host is at its own work while the memory still looks: only now may it find.
      gate.resolve();
      return "Be brief.";
    });
    const { agent, model } = scriptedAgent([say("Nina.")], { instructions: hostWork });
    const conversation = memory.conversation({ id: "new", subject: "ada" });
    await runWithMemory(conversation, agent, "What is my boat called?", { runner, memory: { recall: 3 } });
    expect(hostWork).toHaveBeenCalledOnce();
    expect(model.lastCall?.request.systemInstructions).toContain("Nina");
  });

  test("the first token waits for one read of the store and for no write", async () => {
    const store = inMemoryStore();
    const calls: string[] = [];
    const gate = Promise.withResolvers<void>();
    const watched = new Proxy(store, {
      get(target, key, receiver) {
        const member = Reflect.get(target, key, receiver);
        if (typeof member !== "function") return member;
        return async (...given: unknown[]) => {
          calls.push(String(key));
          if (key === "commitTurn") await gate.promise;
          return member.apply(target, given);
        };
      },
    });
    const { conversation } = testMemory(watched);
    const { agent } = scriptedAgent([words("It is sunny.")]);
    const result = await runWithMemory(conversation, agent, "How is Oslo?", { runner, stream: true });
    for await (const event of result) {
      if (event.type !== "raw_model_stream_event" || event.data.type !== "output_text_delta") continue;
      expect(calls.filter((name) => /^(read|commit)/.test(name))).toEqual(["readContext"]);
      gate.resolve();
    }
    expect(await recorded(conversation)).toHaveLength(1);
  });
});

describe("B1: whose memory it is", () => {
  const memory = createMemory({ agent: "guide", store: inMemoryStore(), env: {}, onEvent: () => {} });

  test("the scope counts before the run's context, and without either nothing runs", async () => {
    const { agent, model } = scriptedAgent([say("Yes."), say("Yes.")]);
    const context = { conversation: { id: "from-context", subject: "ada" }, room: "from-scope" };
    await runWithMemory(memory, agent, "Hi", { runner, context });
    await runWithMemory(memory, agent, "Hi", { runner, context, memory: { scope: ({ room }) => ({ id: room }) } });
    expect((await memory.conversation({ id: "from-context" }).transcript()).subject).toBe("ada");
    expect((await memory.conversation({ id: "from-scope" }).transcript()).turns).toHaveLength(1);
    const lost: Promise<unknown> = runWithMemory(memory, agent, "Hi", { runner });
    await expect(lost).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    expect(model.calls).toHaveLength(2);
  });

  test("OA3: memory tools go by the run's context, and what they keep names the turn", async () => {
    const context = { conversation: { id: "tools", subject: "eve" } };
    const tools = memoryTools<{ conversation: { id: string; subject: string } }>(memory, {
      only: ["memory_remember"] as never,
    });
    const input = { key: "boat", value: "Nina", quote: "my boat is Nina" };
    const model = new ScriptedModel([call(["c1", "memory_remember", input]), say("Noted.")]);
    const agent = new Agent<typeof context>({ name: "Ann", model, tools });
    const result = await runWithMemory(memory, agent, "I say my boat is Nina", {
      runner,
      context,
    });
    expect(result.finalOutput).toBe("Noted.");
    const facts = await memory.subject("eve").facts();
    expect(facts).toEqual([
      expect.objectContaining({
        key: "boat",
        value: "Nina",
        origin: "user",
        source: expect.objectContaining({ turn: result.memory.turn.id }),
      }),
    ]);
    expect(await memory.subject("ada").facts()).toEqual([]);
    expect(model.firstCall?.request.tools).toHaveLength(1);
  });

  test("a session beside it is refused", async () => {
    const { agent } = scriptedAgent([]);
    const options = { runner, session: {} } as never;
    await expect(runWithMemory(memory.conversation({ id: "x" }), agent, "Hi", options)).rejects.toMatchObject({
      code: "INVALID_ARGUMENT",
    });
  });
});

describe("B3: a memory that fails", () => {
  test.each(["run", "streamed"] as const)("%s: the answer comes all the same, and the app is told", async (mode) => {
    const codes: MemoryErrorCode[] = [];
    const broken = Object.assign(inMemoryStore(), { commitTurn: () => Promise.reject(new Error("gone")) });
    const { conversation } = testMemory(broken);
    const { agent } = scriptedAgent([say("Hello.")]);
    const options = { runner, memory: { onError: ({ code }: { code: MemoryErrorCode }) => codes.push(code) } };
    if (mode === "run") {
      const result = await runWithMemory(conversation, agent, "Hi", options);
      expect(result.finalOutput).toBe("Hello.");
      expect(await result.memory.recorded).toMatchObject({ status: "failed" });
    } else {
      const result = await runWithMemory(conversation, agent, "Hi", { ...options, stream: true });
      await result.completed;
      expect(result.finalOutput).toBe("Hello.");
    }
    expect(codes).toEqual(["STORE_FAILED"]);
  });

  test("a strict memory fails the run", async () => {
    const broken = Object.assign(inMemoryStore(), { commitTurn: () => Promise.reject(new Error("gone")) });
    const { conversation } = testMemory(broken, { strict: true });
    const { agent } = scriptedAgent([say("Hello.")]);
    const options = { runner, memory: { onError: () => {} } };
    await expect(runWithMemory(conversation, agent, "Hi", options)).rejects.toMatchObject({ name: "MemoryError" });
  });
});

describe("OA5: whatever a run leaves behind", () => {
  test("E4: a run that is cancelled in the moment in which the memory is closed is recorded", async () => {
    const base = inMemoryStore();
    const make = () => {
      const store = { ...base, close: async () => {} };
      return createMemory({ agent: "guide", store, env: {}, onEvent: () => {} });
    };
    const memory = make();
    const controller = new AbortController();
    let closed: Promise<void> | undefined;
    const onWord = () => {
      controller.abort();
      closed ??= memory.close();
    };
    const { agent } = scriptedAgent([call(["c1", "weather", { city: "Oslo" }]), words("It is sunny.", { onWord })]);
    const options = { runner, stream: true, signal: controller.signal } as const;
    const cut = await runWithMemory(memory.conversation({ id: "chat" }), agent, "How is Oslo?", options);
    for await (const _ of cut);
    await closed;
    expect((await recorded(make().conversation({ id: "chat" }))).map(({ status }) => status)).toEqual(["aborted"]);
  });

  test("a run that was cancelled goes on from its state, in the same turn", async () => {
    const { conversation } = testMemory();
    const controller = new AbortController();
    const { agent } = scriptedAgent([
      call(["c1", "weather", { city: "Oslo" }]),
      words("It is sunny.", { onWord: () => controller.abort() }),
      say("Sunny all day."),
    ]);
    const { signal } = controller;
    const cut = await runWithMemory(conversation, agent, "How is Oslo?", { runner, stream: true, signal });
    for await (const _ of cut);
    expect((await recorded(conversation)).map(({ status }) => status)).toEqual(["aborted"]);
    await runWithMemory(conversation, agent, cut.state, { runner });
    const turns = await recorded(conversation);
    expect(turns.map(({ status }) => status)).toEqual(["completed"]);
    expect(turns[0]?.lines.at(-1)).toBe("assistant(Ann): Sunny all day.");
    expect(turns[0]?.lines.filter((line) => line.includes("weather#c1"))).toHaveLength(1);
  });

  test("a stream is recorded whichever way it is read, or not at all", async () => {
    for (const read of ["events", "stream", "text", "node", "nothing"] as const) {
      const { conversation } = testMemory();
      const { agent } = scriptedAgent([words("It is sunny.")]);
      const result = await runWithMemory(conversation, agent, "Hi", { runner, stream: true });
      let text = "";
      if (read === "events") for await (const _ of result);
      if (read === "stream") for await (const _ of result.toStream());
      if (read === "text") for await (const piece of result.toTextStream()) text += piece;
      if (read === "node")
        for await (const piece of result.toTextStream({ compatibleWithNodeStreams: true })) text += piece;
      if (read === "nothing") await result.completed;
      if (text !== "") expect(text).toBe("It is sunny.");
      expect(await recorded(conversation), read).toEqual([
        { status: "completed", lines: ["user: Hi", "assistant(Ann): It is sunny."] },
      ]);
    }
  });

  test.each(["text", "node"] as const)("a reader of %s that goes away leaves what it had", async (read) => {
    const { conversation } = testMemory();
    const { agent } = scriptedAgent([words("It is sunny in Oslo.")]);
    const result = await runWithMemory(conversation, agent, "Hi", { runner, stream: true });
    const stream = read === "text" ? result.toTextStream() : result.toTextStream({ compatibleWithNodeStreams: true });
    for await (const piece of stream) if (String(piece).includes("is")) break;
    await result.completed;
    const [turn] = await recorded(conversation);
    expect(turn?.status).toBe("aborted");
    expect(turn?.lines[1]).toMatch(/^assistant\(Ann\): It is/);
  });

  test("no signal of the run's tools outlives it, and other runs of the runner are none of it", async () => {
    const { conversation } = testMemory();
    const shared = quietRunner();
    const ping = tool({
      name: "ping",
      description: "",
      parameters: z.object({}),
      execute: async () => {
        await shared.run(scriptedAgent([call(["x9", "weather", { city: "Rome" }]), say("Rome.")]).agent, "Rome?");
        return "pong";
      },
    });
    const { agent } = scriptedAgent([call(["c1", "ping", {}]), say("Done.")], { tools: [ping] });
    await runWithMemory(conversation, agent, "Ping", { runner: shared, context: new RunContext() });
    expect(JSON.stringify(await recorded(conversation))).not.toContain("x9");
  });
});
