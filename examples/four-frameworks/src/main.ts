import { equal } from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemory } from "@throughline/core";
import { sqliteStore } from "@throughline/store-sqlite";
import { askAiSdk, askLangGraph, askMastra, askOpenaiAgents } from "./agents.ts";

/* Ada tells each of four agents one thing. Each knows what the ones before it were told; for Eve none knows anything. */

const folder = mkdtempSync(join(tmpdir(), "throughline-four-"));
const memory = createMemory({ agent: "assistant", store: sqliteStore({ path: join(folder, "memory.db") }), env: {} });

const days = [
  { ask: askLangGraph, tells: "My city is Oslo.", knows: "I know nothing about you." },
  { ask: askAiSdk, tells: "My dog is Rex.", knows: "Your city is Oslo." },
  { ask: askOpenaiAgents, tells: "My colour is teal.", knows: "Your city is Oslo, your dog is Rex." },
  { ask: askMastra, tells: "My train is late.", knows: "Your city is Oslo, your colour is teal, your dog is Rex." },
];

try {
  for (const { ask, tells, knows } of days) {
    const asked = memory.conversation({ id: `${ask.name}-ada`, subject: "ada" });
    const answer = await ask(asked, "What do you know about me?");
    console.log(`${ask.name}: ${answer}`);
    equal(answer, knows);
    equal(await ask(asked, tells), "I'll remember that.");
    equal((await asked.transcript()).turns.length, 2);

    const eves = memory.conversation({ id: `${ask.name}-eve`, subject: "eve" });
    equal(await ask(eves, "What do you know about me?"), "I know nothing about you.");
  }
  // The circle closes: the first agent, in a new conversation, knows what all were told.
  const again = memory.conversation({ id: "again", subject: "ada" });
  const all = "Your city is Oslo, your colour is teal, your dog is Rex, your train is late.";
  equal(await askLangGraph(again, "What do you know about me?"), all);
  const told = (await memory.subject("ada").facts()).map(({ key, source }) => `${key} in ${source?.conversation}`);
  equal(told.length, days.length);
  console.log(`All as it should be: ${told.toReversed().join(", ")}.`);
} finally {
  await memory.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
