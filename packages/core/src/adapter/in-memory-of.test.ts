import { expect, test } from "vitest";
import { createMemory } from "../memory/create-memory.ts";
import { inMemoryStore } from "../stores/in-memory-store.ts";
import { conversationOf } from "./conversation-of.ts";
import { inMemoryOf } from "./in-memory-of.ts";

const store = inMemoryStore();
const memoryOf = (tenant: string, agent: string) => createMemory({ tenant, agent, store, env: {}, onEvent: () => {} });

test("G10: what a run has found is another memory's only by its name", () => {
  const mine = memoryOf("acme", "guide");
  const found = mine.conversation({ id: "chat", subject: "ada" });
  expect(inMemoryOf(mine, found)).toBe(found);
  expect(inMemoryOf(memoryOf("acme", "guide"), found)).toBe(found);
  for (const other of [memoryOf("acme", "team"), memoryOf("other", "guide")]) {
    const { tenant, agent } = other;
    expect(inMemoryOf(other, found)).toMatchObject({ id: "chat", subject: "ada", tenant, agent });
    const fixed = other.conversation({ id: "fixed" });
    expect(inMemoryOf(fixed, found)).toBe(fixed);
    // The same where an app puts a handle into a run's context.
    expect(conversationOf(other, undefined, { conversation: found })).toMatchObject({ id: "chat", tenant, agent });
  }
});
