import { strict as assert } from "node:assert";
import { randomUUID } from "node:crypto";
import { createMemory, type Memory } from "@throughline/core";
import { sqliteStore } from "@throughline/store-sqlite";

/** What the scripted model does in one step. */
export type Step = { say: string } | { call: string; tool: string; input: Record<string, unknown> };

/** Which chat it is, and whose. */
export interface Chat {
  id: string;
  subject: string;
}

/** One run of the host's agent. Answers what it said, and all that its model was asked, as text. */
export type Run = (
  memory: Memory,
  chat: Chat,
  said: string,
  steps: readonly Step[],
) => Promise<{ answer: string; asked: string }>;

const WORDS = "My dog is called Rex.";

/** Runs the part of the story that the command line names, each in a process of its own, and checks it. */
export async function tellStory(run: Run): Promise<void> {
  const [part = "", path = "memory.db"] = process.argv.slice(2);
  const memory = createMemory({ agent: "guide", store: sqliteStore({ path }), env: {} });
  if (part === "tell") {
    const { answer } = await run(memory, { id: "monday", subject: "ada" }, WORDS, [
      { call: "c1", tool: "memory_remember", input: { key: "dog", value: "Rex", quote: "My dog is called Rex" } },
      { say: "A good name!" },
    ]);
    assert.equal(answer, "A good name!");
  } else if (part === "ask") {
    const chat = { id: randomUUID(), subject: "ada" };
    const { answer, asked } = await run(memory, chat, "What is my dog called?", [{ say: "Rex." }]);
    assert.equal(answer, "Rex.");
    assert.match(asked, /Rex/, "the model is told what is known");
    const stranger = await run(memory, { id: randomUUID(), subject: "bob" }, "What is my dog called?", [{ say: "?" }]);
    assert.doesNotMatch(stranger.asked, /Rex/, "nobody else's model is");
    const { turns } = await memory.conversation({ id: "monday", subject: "ada" }).transcript();
    assert.deepEqual(
      turns.map(({ status, messages }) => [status, ...messages.map(({ role }) => role)]),
      [["completed", "user", "assistant", "tool", "assistant"]],
    );
    const { hits } = await memory.search("dog called", { subject: "ada" });
    assert.ok(hits.some(({ conversation }) => conversation === "monday"));
  } else throw new Error(`There is no part called "${part}".`);
  await memory.close();
  console.log("ok");
}
