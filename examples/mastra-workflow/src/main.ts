import { deepEqual } from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemory } from "@throughline/core";
import { sqliteStore } from "@throughline/store-sqlite";

/* Two sessions of Ada and one of Eve, each in its own process: what the agent was told, the workflow knows, for Ada alone. */

const folder = mkdtempSync(join(tmpdir(), "throughline-workflow-"));
const file = join(folder, "memory.db");

const ASKS = "(the workflow is suspended, its turn paused)";

/** Runs one session and gives what was answered, line by line. */
function session(thread: string, person: string, ...lines: string[]): string[] {
  const { OPENAI_API_KEY: _key, OPENAI_BASE_URL: _url, ...env } = process.env;
  const flags = ["--conditions=@throughline/source", "--disable-warning=ExperimentalWarning"];
  const program = join(import.meta.dirname, "session.ts");
  const answered = execFileSync(process.execPath, [...flags, program, file, thread, person, ...lines], {
    env: { ...env, MASTRA_TELEMETRY_DISABLED: "1" },
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  // What session.ts prints.
  const answers = JSON.parse(answered) as string[];
  console.log(`${person}, ${thread}:`);
  for (const [index, line] of lines.entries()) console.log(`  > ${line}\n  ${answers[index]}`);
  return answers;
}

try {
  deepEqual(session("first", "ada", "I live in Oslo.", "Book a table.", "yes"), [
    "Remembered.",
    ASKS,
    "Booked in Oslo.",
  ]);
  deepEqual(session("second", "ada", "Where do I live?", "Book a table.", "no"), [
    "You live in Oslo.",
    ASKS,
    "Not booked.",
  ]);
  deepEqual(session("third", "eve", "Where do I live?"), ["I don't know where you live."]);

  const memory = createMemory({ agent: "concierge", store: sqliteStore({ path: file }), env: {} });
  const turnsOf = async (id: string) => {
    const { turns } = await memory.conversation({ id }).transcript();
    return turns.map(({ status, agentName, messages }) => [agentName, status, messages.length]);
  };
  // A workflow that waited and was answered is one turn, recorded once, like any run of the agent.
  deepEqual(await turnsOf("first"), [
    ["Guide", "completed", 4],
    ["booking", "completed", 2],
  ]);
  deepEqual(await turnsOf("second"), [
    ["Guide", "completed", 2],
    ["booking", "completed", 2],
  ]);
  const [fact] = await memory.subject("ada").facts();
  const { turns } = await memory.conversation({ id: "first" }).transcript();
  deepEqual([fact?.key, fact?.value, fact?.origin, fact?.source?.turn], ["home", "Oslo", "user", turns[0]?.id]);
  await memory.close();
  console.log("All as it should be.");
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
