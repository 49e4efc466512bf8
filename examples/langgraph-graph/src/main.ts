import { deepEqual, ok } from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createMemory } from "@throughline/core";
import { sqliteStore } from "@throughline/store-sqlite";

/*
 * Two chats of Ada and one of Eve, in four processes: what was told in the first is known in the second, to Ada alone; what
 * the graph asked in one process is answered in another; and erasing Ada takes the graph's states along.
 */

const folder = mkdtempSync(join(tmpdir(), "throughline-graph-"));
const file = join(folder, "memory.db");

/** Runs one session and gives what was answered, line by line. */
function session(thread: string, subject: string, ...lines: string[]): string[] {
  const { OPENAI_API_KEY: _key, OPENAI_BASE_URL: _url, ...env } = process.env;
  const flags = ["--conditions=@throughline/source", "--disable-warning=ExperimentalWarning"];
  const program = join(import.meta.dirname, "session.ts");
  const answered = execFileSync(process.execPath, [...flags, program, file, thread, subject, ...lines], {
    env,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "inherit"],
  });
  // What session.ts prints.
  const answers = JSON.parse(answered) as string[];
  console.log(`${subject}, ${thread}:`);
  for (const [index, line] of lines.entries()) console.log(`  > ${line}\n  ${answers[index]}`);
  return answers;
}

try {
  deepEqual(session("first", "ada", "I live in Oslo.", "Book me a table."), ["Remembered.", "(asks)"]);
  // Another process has the answer: the graph's checkpoints are in the memory's file too.
  deepEqual(session("first", "ada", "yes"), ["Booked in Oslo."]);
  deepEqual(session("second", "ada", "Where do I live?", "Book me a table.", "no"), [
    "You live in Oslo.",
    "(asks)",
    "Not booked.",
  ]);
  deepEqual(session("third", "eve", "Where do I live?"), ["I don't know where you live."]);

  const memory = createMemory({ agent: "concierge", store: sqliteStore({ path: file }), env: {} });
  const turnsOf = async (id: string) => {
    const { turns } = await memory.conversation({ id }).transcript();
    return turns.map(({ status, messages }) => [status, messages.length]);
  };
  // A run that asked and was answered is one turn.
  deepEqual(await turnsOf("first"), [
    ["completed", 4],
    ["completed", 4],
  ]);
  deepEqual(await turnsOf("second"), [
    ["completed", 2],
    ["completed", 4],
  ]);
  const [fact] = await memory.subject("ada").facts();
  const { turns } = await memory.conversation({ id: "first" }).transcript();
  deepEqual([fact?.key, fact?.value, fact?.source?.turn], ["home", "Oslo", turns[0]?.id]);
  const { removed, residue } = await memory.subject("ada").erase();
  ok((removed.checkpoints ?? 0) > 0 && residue.length === 0);
  await memory.close();
  console.log("All as it should be.");
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
