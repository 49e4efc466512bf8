import { mkdirSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import type { OpenTurn } from "@throughline/core";
import { type ChosenModel, chooseModel } from "../agents/choose-model.ts";
import type { Command } from "../command-line.ts";
import { openMemory } from "../open-memory.ts";
import { Problem } from "../problem.ts";
import { printingListener, printSaid } from "../show/print-talk.ts";
import { bold, count, dim, red, say } from "../show/terminal.ts";
import { answerBy } from "./answer-by.ts";
import { type ChatState, runCommand } from "./commands.ts";
import { dataFile } from "./data-file.ts";

const OFFLINE_HELP = `  It understands "my X is Y", "I like …", "call me …", "what's my X?", "forget my X",
  "what do you know about me?"; any other question it looks up in what you said before.`;

/** A chat in the terminal, or over piped lines, on a file that outlasts it. */
export async function chat(command: Extract<Command, { kind: "chat" }>): Promise<void> {
  const where = { platform: process.platform, home: homedir(), env: process.env };
  const file = resolve(command.file ?? dataFile(where));
  makeFolder(dirname(file));
  const memory = openMemory({ agent: "chat", file });
  const { subject } = command;
  let started = 0;
  const startConversation = () => {
    started++;
    return memory.conversation({ id: `chat-${new Date().toISOString()}-${started}`, subject });
  };
  const chosen = await chooseModel(process.env);
  try {
    const facts = await memory.subject(subject).facts();
    say(bold(`Chat of "${subject}" with agents that share a memory.`));
    say(`\n  Model  ${chosen.title}`);
    say(`  File   ${file} (${count(facts.length, "fact")} about ${subject})`);
    if (chosen.isOffline) say(dim(OFFLINE_HELP));
    say(dim("  /agent has another framework's agent answer, /help shows all commands, /quit leaves."));
    const [conversation, agent] = [startConversation(), command.agent];
    await converse({ memory, subject, agent, startConversation, conversation, lastTurn: null }, chosen);
  } finally {
    await memory.close();
    await chosen.close();
  }
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Problem(`The folder for the chat's file can't be made: ${why}`, { cause });
  }
}

async function converse(state: ChatState, { address: model }: ChosenModel): Promise<void> {
  const isTerminal = process.stdin.isTTY === true;
  const input = createInterface({ input: process.stdin, output: process.stdout, terminal: isTerminal });
  let running: AbortController | null = null;
  // Ctrl-C stops an answer; where none is on its way it ends the chat.
  input.on("SIGINT", () => (running ? running.abort() : input.close()));
  const printing = printingListener();
  const listener = {
    ...printing,
    onTurn: (turn: OpenTurn) => {
      state.lastTurn = turn;
      printing.onTurn?.(turn);
    },
  };
  const ask = () => {
    if (!isTerminal) return;
    say();
    input.setPrompt(bold(`${state.subject}> `));
    input.prompt();
  };
  ask();
  for await (const line of input) {
    const text = line.trim();
    if (!isTerminal && text !== "") printSaid(state.subject, text);
    if (text.startsWith("/")) {
      if (!(await reported(() => runCommand(state, text), true))) break;
    } else if (text !== "") {
      const controller = new AbortController();
      running = controller;
      await reported(() => answerBy(state, { model, text, listener, signal: controller.signal }), undefined);
      running = null;
      listener.end();
      if (controller.signal.aborted) say(dim("  stopped; what there was of it is recorded"));
    }
    ask();
  }
  input.close();
  if (isTerminal) say();
}

/** What `work` gives; a failure is shown, and the chat goes on. */
async function reported<Result>(work: () => Promise<Result>, otherwise: Result): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    say(red(`\n  ${error instanceof Error ? error.message : String(error)}`));
    return otherwise;
  }
}
