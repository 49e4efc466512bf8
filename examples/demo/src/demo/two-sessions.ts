import { spawn } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { chooseModel } from "../agent/choose-model.ts";
import { openMemory } from "../open-memory.ts";
import { Problem } from "../problem.ts";
import { printHits } from "../show/print-hits.ts";
import { printFacts, printTurns } from "../show/print-memory.ts";
import { bold, dim, heading, say } from "../show/terminal.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { showMore } from "./more.ts";
import { play } from "./play.ts";
import { AGENT, FIRST, PERSON, SECOND } from "./story.ts";

/** Tells a person's agent something in one process and asks for it in another; throws where it isn't known there. */
export async function twoSessions(): Promise<void> {
  const file = join(temporaryFolder(), "memory.db");
  const chosen = await chooseModel(process.env);
  say(bold("Throughline: what an agent was told in one session, it knows in the next."));
  say(`\n  Model  ${chosen.title}`);
  say(`  File   ${file}`);
  say(heading(`Session 1: conversation "${FIRST.conversation}", process ${process.pid}`));
  const memory = openMemory({ agent: AGENT, file });
  try {
    await play(memory, { ...FIRST, model: chosen.model });
  } finally {
    await memory.close();
  }
  const code = await runSecondSession(file);
  await showMemory(file);
  const isMore = await showMore(file);
  say(heading("And now"));
  say(`  npm run demo -- --chat            talk to it yourself; it remembers you the next time`);
  say(`  npm run demo -- --replay FILE     record a transcript of yours and search it`);
  if (chosen.isOffline) say(dim(`  Set OPENAI_API_KEY, or OPENAI_BASE_URL and OPENAI_MODEL, to talk to a real model.`));
  say(`  The file of this run: ${file}`);
  if (code !== 0) throw new Problem(`\nThe check failed: the second session ended with ${code}.`);
  if (!isMore) throw new Problem("\nThe check failed: the memory did not do what is said of it above.");
  say(`\n${bold("Checked: the second session knew what the first was told.")}`);
}

function runSecondSession(file: string): Promise<number> {
  const script = fileURLToPath(new URL("./second-session.ts", import.meta.url));
  return new Promise((done, failed) => {
    const child = spawn(process.execPath, [...process.execArgv, script, file], { stdio: "inherit" });
    child.on("error", failed);
    child.on("close", (code, signal) => done(code ?? (signal === null ? 1 : 128)));
  });
}

/** What is in the file after both sessions. */
async function showMemory(file: string): Promise<void> {
  const memory = openMemory({ agent: AGENT, file });
  try {
    for (const id of [FIRST.conversation, SECOND.conversation]) {
      say(heading(`History of "${id}"`));
      const { turns } = await memory.conversation({ id, subject: PERSON.id }).transcript();
      printTurns(turns);
    }
    say(heading(`Facts about ${PERSON.name}`));
    printFacts(await memory.subject(PERSON.id).facts());
    say(heading("A search over everything that was said"));
    const words = "sister station";
    printHits(words, await memory.search(words, { subject: PERSON.id, k: 3 }));
  } finally {
    await memory.close();
  }
}
