import { deepEqual, equal, ok } from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Runner } from "@openai/agents";
import { createSession, runWithMemory } from "@throughline/openai-agents";
import { type Desk, frontDesk, openMemory } from "./desk.ts";
import { offlineModels } from "./offline-models.ts";

/*
 * A day at a front desk: a person is met and remembered, comes back in another chat, is handed over to a colleague, and
 * gets money back once another process has agreed. It checks what the memory holds, and exits non-zero on a mismatch.
 */

const folder = mkdtempSync(join(tmpdir(), "throughline-desk-"));
const file = join(folder, "memory.db");
const memory = openMemory(file);
const runner = new Runner({ tracingDisabled: true });
const desk = (id: string): { context: Desk } => ({ context: { conversation: { id, subject: "ada" } } });

try {
  const { clerk } = frontDesk(memory, offlineModels);

  // The SDK's own run, with a session: whose it is the run's context says.
  const session = createSession<Desk>(memory, ({ conversation }) => conversation, { summary: false });
  const hello = await runner.run(clerk, "Hi, my name is Ada.", { session, ...desk("monday") });
  equal(hello.finalOutput, "Nice to meet you.");

  const again = await runWithMemory(memory, clerk, "Who am I?", { runner, ...desk("tuesday") });
  equal(again.finalOutput, "You are Ada.");
  console.log("Another chat of the same person knows her name.");

  const waiting = await runWithMemory(memory, clerk, "I want my money back.", { runner, ...desk("tuesday") });
  equal(waiting.interruptions.length, 1);
  const paused = (await memory.conversation({ id: "tuesday" }).transcript()).turns.at(-1);
  equal(paused?.status, "paused");
  console.log(`${waiting.lastAgent?.name} waits for a person.`);

  const state = join(folder, "state.json");
  writeFileSync(state, waiting.state.toString());
  const flags = ["--conditions=@throughline/source", "--disable-warning=ExperimentalWarning"];
  const answer = execFileSync(process.execPath, [...flags, join(import.meta.dirname, "answer.ts"), file, state], {
    encoding: "utf8",
  });
  equal(answer.trim(), "Your money is on its way.");

  const { turns } = await memory.conversation({ id: "tuesday" }).transcript();
  deepEqual(
    turns.map(({ status }) => status),
    ["completed", "completed"],
  );
  const names = new Set(turns.at(-1)?.messages.map(({ name }) => name));
  ok(names.has("Clerk") && names.has("Cashier"));
  console.log("Another process agreed, and the turn that waited is complete: one turn, two agents.");
} finally {
  await memory.close();
  rmSync(folder, { recursive: true, force: true });
}
