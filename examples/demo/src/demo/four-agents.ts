import { type ChildProcess, fork } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Memory } from "@throughline/core";
import { AGENTS } from "../agents/agent.ts";
import { type ChosenModel, chooseModel } from "../agents/choose-model.ts";
import { openMemory } from "../open-memory.ts";
import { Problem } from "../problem.ts";
import { printHits, textOf } from "../show/print-hits.ts";
import { printFacts } from "../show/print-memory.ts";
import { oneLine } from "../show/print-talk.ts";
import { bold, dim, heading, say } from "../show/terminal.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { MISMATCH, type Start } from "./start.ts";
import { APP, MIRA, SESSIONS } from "./story.ts";

/** One person talks to four agents in turn, each in a process of its own; throws where one doesn't know what it should. */
export async function fourAgents(): Promise<void> {
  const file = join(temporaryFolder(), "memory.db");
  const chosen = await chooseModel(process.env);
  say(bold("Throughline: one person, four agents, one memory."));
  say(`\n  Agents   ${Object.values(AGENTS).join(", ")}: the real frameworks`);
  say(`  Model    ${chosen.title}`);
  say(`  Memory   ${file} (SQLite)`);
  say("  Facts    drawn from what is said by patterns, without a model");
  say("  Below    what the memory adds to each prompt, and why, is what explain() says");
  try {
    const isRight = await playSessions({ file, model: chosen.address });
    await showMemory(file);
    showMore(file, chosen);
    if (!isRight) throw new Problem("\nThe check failed: an agent did not answer what it should (✗ above).");
    say(`\n${bold("Checked: each agent knew what the others were told, and nobody else was told.")}`);
  } finally {
    await chosen.close();
  }
}

/** Plays them in turn. While one plays, the next loads its framework. */
async function playSessions(start: Start): Promise<boolean> {
  let isRight = true;
  let next: ChildProcess | undefined = forkSession(0);
  for (const [index, session] of SESSIONS.entries()) {
    const child: ChildProcess = next ?? forkSession(index);
    next = index + 1 < SESSIONS.length ? forkSession(index + 1) : undefined;
    const ended = new Promise<number>((resolve, reject) => {
      child.on("error", reject);
      child.on("close", (code, signal) => resolve(code ?? (signal === null ? 1 : 128)));
    });
    child.send(start);
    const code = await ended;
    if (code === MISMATCH) isRight = false;
    else if (code !== 0) {
      next?.disconnect();
      const where = `${AGENTS[session.agent]}, with the model at ${start.model.baseUrl}`;
      throw new Problem(`\nThe demo stopped at ${where} (exit code ${code}); the reason stands above.`);
    }
  }
  return isRight;
}

const forkSession = (index: number): ChildProcess =>
  fork(fileURLToPath(new URL("./session.ts", import.meta.url)), [String(index)]);

/** What is in the file afterwards. */
async function showMemory(file: string): Promise<void> {
  const memory = openMemory({ agent: APP, file });
  try {
    say(heading(`History: everything that ${MIRA.name} said, to whomever`));
    await printHistory(memory);
    say(heading(`Facts about ${MIRA.name}`));
    printFacts(await memory.subject(MIRA.id).facts());
    say(heading("A search over all conversations"));
    const words = "sister station";
    printHits(words, await memory.search(words, { subject: MIRA.id, k: 2 }));
  } finally {
    await memory.close();
  }
}

async function printHistory(memory: Memory): Promise<void> {
  for (const { conversation } of SESSIONS) {
    const { turns } = await memory.conversation({ id: conversation }).transcript();
    for (const { agentName = "", messages } of turns) {
      const [first, last] = [messages[0], messages.at(-1)];
      say(`  to ${agentName.padEnd(15)} ${oneLine(first === undefined ? "" : textOf(first), 76)}`);
      say(dim(`${" ".repeat(21)}${oneLine(last === undefined ? "" : textOf(last), 72)}`));
    }
  }
}

function showMore(file: string, { isOffline }: ChosenModel): void {
  say(heading("And now"));
  say("  npm run demo -- --chat           talk to the four yourself; they remember you the next time");
  say("  npm run demo -- --more           folding, forgetting, large tool results, the budget of a prompt");
  say("  npm run demo -- --replay FILE    record a transcript of yours and search it");
  if (isOffline) {
    say("\n  With a model of yours (OpenAI's by OPENAI_API_KEY; Ollama's, vLLM's and others' by their address):");
    say("  OPENAI_BASE_URL=http://localhost:11434/v1 OPENAI_MODEL=qwen3 npm run demo");
  }
  say("\n  examples/four-frameworks         the same in as little code as it takes");
  say("  docs/guide.md                    every call of the memory");
  say(dim(`\n  The file of this run stays at ${file}.`));
}
