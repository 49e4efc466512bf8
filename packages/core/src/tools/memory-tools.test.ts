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
