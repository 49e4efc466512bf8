import { inMemoryStore, MemoryError, type MemoryStore } from "@throughline/core";
import { faultyStore } from "@throughline/testkit";
import { createAgent } from "langchain";
import { describe, expect, test } from "vitest";
import { memoryMiddleware, withMemory } from "../src/index.ts";
import { call, fake, say } from "./support/script.ts";
import { recorded, testMemory } from "./support/test-memory.ts";
import { tools } from "./support/tools.ts";

const ids = { configurable: { thread_id: "chat", user_id: "ada" } };
const question = { messages: [{ role: "user" as const, content: "Oslo?" }] };
const script = () => fake([call(["c1", "weather", { city: "Oslo" }]), say("Sunny.")]);

/** A store that nobody can reach. */
function downStore(): MemoryStore {
  const fail = async () => {
    throw new MemoryError("STORE_UNREACHABLE", "Down, as scripted.");
  };
  const store = inMemoryStore();
  const members = Object.entries(store).map(([key, member]) => [
    key,
    typeof member === "function" && key !== "close" ? fail : member,
  ]);
  // The same members; those that answer, fail.
  return { ...Object.fromEntries(members), keyword: undefined } as MemoryStore;
}

/** Calls to the store that one run makes. */
async function callsOfRun(): Promise<number> {
  const store = faultyStore(inMemoryStore(), { failAt: 0 });
  const { memory } = testMemory(store);
  await createAgent({ model: script().model, tools: tools(), middleware: [memoryMiddleware(memory)] }).invoke(
    question,
    ids,
  );
  await memory.settled();
  return store.calls();
}

describe("B3/E1: a store that fails", () => {
  test("never fails a run, wherever it fails", async () => {
    const count = await callsOfRun();
    expect(count).toBeGreaterThan(3);
    for (let failAt = 1; failAt <= count; failAt++) {
      const { memory } = testMemory(faultyStore(inMemoryStore(), { failAt }));
      const agent = createAgent({
        model: script().model,
        tools: tools(),
        middleware: [memoryMiddleware(memory, { onError() {} })],
      });
      const { messages } = await agent.invoke(question, ids);
      expect(messages.at(-1)?.text, `call ${failAt}`).toBe("Sunny.");
    }
  });

  test("that is down all the time costs the memory, not the reply, and the app is told", async () => {
    const { memory } = testMemory(downStore());
    const errors: MemoryError[] = [];
    const agent = createAgent({
      model: script().model,
      tools: tools(),
      middleware: [memoryMiddleware(memory, { onError: (error) => errors.push(error) })],
    });
    const { messages } = await agent.invoke(question, ids);
    expect(messages.at(-1)?.text).toBe("Sunny.");
    expect(errors.length).toBeGreaterThan(0);
    expect(errors.every((error) => MemoryError.isInstance(error))).toBe(true);
  });

  test("B3: a handler of the app that throws doesn't end the run", async () => {
    const { memory } = testMemory(downStore());
    const onError = () => {
      throw new Error("the app's own");
    };
    const agent = createAgent({
      model: fake([say("Sunny.")]).model,
      middleware: [memoryMiddleware(memory, { onError })],
    });
    expect((await agent.invoke(question, ids)).messages.at(-1)?.text).toBe("Sunny.");
  });

  test("E1: is an error of the run where the memory is strict", async () => {
    const { memory } = testMemory(downStore(), { strict: true });
    const { model, prompts } = fake([say("Sunny.")]);
    const agent = createAgent({ model, middleware: [memoryMiddleware(memory, { onError() {} })] });
    await expect(agent.invoke(question, ids)).rejects.toThrow();
    expect(prompts()).toEqual([]);
  });
});

test("T4: with the policy off an agent runs as without a memory", async () => {
  const { memory, conversation } = testMemory(inMemoryStore(), { policy: null });
  const { model, prompts } = fake([say("Sunny.")]);
  await createAgent({ model, middleware: [memoryMiddleware(memory)] }).invoke(question, withMemory(conversation));
  expect(prompts()).toEqual([["human: Oslo?"]]);
  expect(await recorded(conversation)).toEqual([]);
});
