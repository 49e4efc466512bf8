import { expect, test } from "vitest";
import { createMemory } from "../memory/create-memory.ts";
import { inMemoryStore } from "../stores/in-memory-store.ts";
import { memoryTools } from "./memory-tools.ts";

const testMemory = () => createMemory({ agent: "guide", store: inMemoryStore(), env: {} });

test("F12: a call that runs again changes nothing", async () => {
  const memory = testMemory();
  const [remember] = memoryTools(memory.conversation({ id: "chat", subject: "ada" }), { only: ["memory_remember"] });
  for (let time = 0; time < 2; time++) await remember?.run({ value: "Likes tea" }, { callId: "call_0" });
  expect(await memory.subject("ada").facts()).toHaveLength(1);
});

test("F12: a provider that numbers its calls anew in every run loses nothing", async () => {
  const memory = testMemory();
  for (const [id, key] of [
    ["one", "city"],
    ["two", "name"],
    ["two", "pet"],
  ] as const) {
    const [remember] = memoryTools(memory.conversation({ id, subject: "ada" }), { only: ["memory_remember"] });
    await remember?.run({ key, value: "x" }, { callId: "call_0" });
  }
  const facts = await memory.subject("ada").facts();
  expect(facts.map(({ key }) => key).sort()).toEqual(["city", "name", "pet"]);
});

test("O2: an answer carries data beside its text, and a code where it was not done", async () => {
  const memory = testMemory();
  const tools = memoryTools(memory.conversation({ id: "chat", subject: "ada" }));
  const answer = async (name: string, input: unknown) => {
    const tool = tools.find((one) => one.name === name);
    if (tool === undefined) throw new Error(`There is no ${name}.`);
    const told = await tool.answer(input);
    expect(await tool.run(input)).toEqual(expect.any(String));
    return told;
  };
  expect(await answer("memory_remember", { key: "tea", value: "green" })).toMatchObject({
    text: "Remembered.",
    data: { status: "stored", id: expect.any(String) },
  });
  const recalled = await answer("memory_recall", { query: "tea" });
  expect(recalled.data).toMatchObject({ facts: [{ key: "tea", value: "green", scope: "user", type: "fact" }] });
  expect(recalled.text).toContain("tea: green");
  await answer("memory_remember", { key: "story", value: "long ".repeat(400) });
  const [long] = (await answer("memory_recall", { query: "story" })).data.facts as { value: string; cut: boolean }[];
  expect([long?.cut, long?.value.length]).toEqual([true, 604]);
  const whole = (await answer("memory_recall", { key: "story" })).data;
  expect(whole).toEqual({ facts: [{ key: "story", value: "long ".repeat(400) }] });
  expect((await answer("memory_recall", { key: "tea" })).data).toEqual({ facts: [{ key: "tea", value: "green" }] });
  expect(await answer("memory_recall", { n: 0 })).toMatchObject({ code: "INVALID_ARGUMENT", retryable: false });
  expect(await answer("memory_forget", { key: "coffee" })).toMatchObject({
    code: "NOT_FOUND",
    data: { forgotten: 0, ids: [] },
  });
  expect(await answer("memory_search", { query: "nothing" })).toMatchObject({ data: { hits: [] } });
  expect(await answer("get_artifact", { id: "x" })).toMatchObject({ code: "NOT_FOUND", data: {} });
});

test("O2: a store that is down is told with its code, and that a later call may succeed", async () => {
  const memory = testMemory();
  await memory.close();
  const [remember] = memoryTools(memory.conversation({ id: "chat", subject: "ada" }), { only: ["memory_remember"] });
  const told = await remember?.answer({ value: "x" });
  expect(told).toMatchObject({ code: "STORE_CLOSED" });
  expect(told?.text).toContain("go on without it");
});
