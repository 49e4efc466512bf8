import { type ChildProcess, spawn } from "node:child_process";
import { join } from "node:path";
import { createMemory, type Memory, type Turn } from "@throughline/core";
import { openStore } from "./open-store.ts";
import { PROOF_AGENT, turnTexts } from "./turn-texts.ts";

/** What became of turns. */
export interface Counts {
  acknowledged: number;
  stored: number;
  lost: number;
  half: number;
  twice: number;
}

/** A process that takes turns: `name`, how many, and a conversation that it shares with others. */
export function startWriter(place: string, ...args: string[]): ChildProcess {
  const script = join(import.meta.dirname, "write-turns.ts");
  return spawn(process.execPath, [...process.execArgv, script, place, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
}

/** The whole lines a child printed: `conversation turn` each. */
export async function outputOf(child: ChildProcess, expected?: NodeJS.Signals): Promise<string[]> {
  let output = "";
  child.stdout?.setEncoding("utf8").on("data", (chunk: string) => {
    output += chunk;
  });
  const [code, signal] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve) => {
    child.on("close", (...how) => resolve(how));
  });
  if (signal !== (expected ?? null) || (expected === undefined && code !== 0)) {
    throw new Error(`A writer ended with ${signal ?? code}.`);
  }
  return output.split("\n").slice(0, -1);
}

/** What the store holds beside what was acknowledged, read through the public API. */
export async function compare(place: string, acknowledged: readonly string[]): Promise<Counts> {
  const memory = createMemory({ agent: PROOF_AGENT, store: openStore(place), env: {} });
  const counts: Counts = { acknowledged: acknowledged.length, stored: 0, lost: 0, half: 0, twice: 0 };
  const found = new Map<string, number>();
  for (const conversation of new Set(acknowledged.map((line) => line.split(" ")[0] ?? ""))) {
    for (const turn of await turnsOf(memory, conversation)) {
      counts.stored++;
      const line = `${conversation} ${turn.id}`;
      found.set(line, (found.get(line) ?? 0) + 1);
      if (!isWhole(turn)) counts.half++;
    }
  }
  await memory.close();
  counts.lost = acknowledged.filter((line) => !found.has(line)).length;
  counts.twice = [...found.values()].filter((times) => times > 1).length;
  return counts;
}

async function turnsOf(memory: Memory, conversation: string): Promise<Turn[]> {
  const handle = memory.conversation({ id: conversation, subject: "person" });
  const turns: Turn[] = [];
  for (let cursor: string | undefined; ; ) {
    const page = await handle.transcript(cursor === undefined ? {} : { cursor });
    turns.push(...page.turns);
    cursor = page.cursor;
    if (cursor === undefined) return turns;
  }
}

function isWhole(turn: Turn): boolean {
  const texts = turn.messages.map((message) =>
    message.parts.map((part) => (part.type === "text" ? part.text : "")).join(""),
  );
  return turn.status === "completed" && JSON.stringify(texts) === JSON.stringify(turnTexts(turn.id));
}
