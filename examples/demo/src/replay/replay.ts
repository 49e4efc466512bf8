import { readFileSync } from "node:fs";
import { basename, join, resolve } from "node:path";
import { createInterface } from "node:readline/promises";
import type { Memory } from "@throughline/core";
import type { Command } from "../command-line.ts";
import { openMemory } from "../open-memory.ts";
import { Problem } from "../problem.ts";
import { printHits } from "../show/print-hits.ts";
import { bold, count, dim, say } from "../show/terminal.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { groupTurns, type TranscriptTurn } from "./group-turns.ts";
import { readTranscript, type TranscriptLine } from "./read-transcript.ts";

type ReplayCommand = Extract<Command, { kind: "replay" }>;

const SHOWN_BAD_LINES = 20;
const PROGRESS_TURNS = 200;

/** Records a transcript turn by turn, then answers searches over it. */
export async function replay(command: ReplayCommand): Promise<void> {
  // All lines are read before the first is recorded: a bad one leaves nothing behind.
  const lines = readLines(command.transcript);
  const fallback = { conversation: basename(command.transcript) };
  const turns = groupTurns(lines, command.subject === undefined ? fallback : { ...fallback, subject: command.subject });
  const file = resolve(command.file ?? join(temporaryFolder(), "replay.db"));
  const memory = openMemory({ agent: "replay", file });
  try {
    await record(memory, turns);
    say(dim(`File: ${file}`));
    for (const words of command.searches) await search(memory, words, command);
    if (command.searches.length === 0) await searchLines(memory, command);
  } finally {
    await memory.close();
  }
}

function readLines(path: string): TranscriptLine[] {
  const { lines, bad } = readTranscript(readText(path));
  if (bad.length > 0) {
    const shown = bad.slice(0, SHOWN_BAD_LINES).map(({ line, why }) => `  line ${line}: ${why}`);
    const more = bad.length > shown.length ? [`  … and ${bad.length - shown.length} more`] : [];
    throw new Problem(
      [`${count(bad.length, "line")} of ${path} can't be used; nothing was recorded:`, ...shown, ...more].join("\n"),
    );
  }
  if (lines.length === 0) throw new Problem(`${path} holds no message; nothing was recorded.`);
  return lines;
}

function readText(path: string): string {
  let bytes: Buffer;
  try {
    bytes = readFileSync(path);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Problem(`The transcript can't be read: ${why}`, { cause });
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new Problem(`${path} is not UTF-8 text.`, { cause });
  }
}

async function record(memory: Memory, turns: readonly TranscriptTurn[]): Promise<void> {
  let done = 0;
  let unchanged = 0;
  const start = performance.now();
  for (const { conversation, subject, ...turn } of turns) {
    const ref = subject === undefined ? { id: conversation } : { id: conversation, subject };
    const outcome = await memory.conversation(ref).record(turn);
    if (!["stored", "merged", "unchanged"].includes(outcome.status)) {
      throw new Problem(
        `A turn of "${conversation}" was not recorded (${outcome.code ?? outcome.status}): ${outcome.reason ?? ""}\n` +
          `${count(done, "turn")} before it are recorded; the same replay goes on there and stores nothing twice.`,
      );
    }
    done++;
    showProgress(done, turns.length);
    if (outcome.status === "unchanged") unchanged++;
  }
  const recordedMs = performance.now() - start;
  await memory.settled();
  const indexedMs = performance.now() - start - recordedMs;
  const messages = turns.reduce((sum, turn) => sum + turn.messages.length, 0);
  const conversations = new Set(turns.map(({ conversation }) => conversation)).size;
  const speed = Math.round((turns.length / Math.max(recordedMs, 0.1)) * 1000);
  say(
    bold(
      `Recorded ${count(turns.length, "turn")} (${count(messages, "message")}) of ${count(conversations, "conversation")}.`,
    ),
  );
  say(dim(`${speed} turns/s: ${seconds(recordedMs)} to record, ${seconds(indexedMs)} more to index.`));
  if (unchanged > 0) say(dim(`${unchanged} of them were in the file already; nothing is stored twice.`));
}

/** A line that is written over again and again, in a terminal only. */
function showProgress(done: number, all: number): void {
  if (process.stdout.isTTY !== true || all < PROGRESS_TURNS || (done % PROGRESS_TURNS !== 0 && done < all)) return;
  process.stdout.write(done < all ? `\r${done} of ${count(all, "turn")} recorded` : "\r\u001b[K");
}

const seconds = (ms: number): string => `${(ms / 1000).toFixed(2)} s`;

async function searchLines(memory: Memory, command: ReplayCommand): Promise<void> {
  const isTerminal = process.stdin.isTTY === true;
  const input = createInterface({ input: process.stdin, output: process.stdout, terminal: isTerminal });
  if (isTerminal) {
    say(dim("Words to search for; an empty line ends."));
    input.setPrompt("search> ");
    input.prompt();
  }
  input.on("SIGINT", () => input.close());
  for await (const line of input) {
    const words = line.trim();
    if (words === "" && isTerminal) break;
    if (words !== "") await search(memory, words, command);
    if (isTerminal) input.prompt();
  }
  input.close();
}

async function search(memory: Memory, words: string, { subject, top }: ReplayCommand): Promise<void> {
  const start = performance.now();
  const result =
    subject === undefined
      ? await memory.operator.search(words, { k: top })
      : await memory.search(words, { subject, k: top });
  printHits(words, result, { ms: performance.now() - start });
}
