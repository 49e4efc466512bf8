import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { createMemory, type Memory, type Turn } from "@throughline/core";
import { sqliteStore } from "@throughline/store-sqlite";
import { cacheFolder } from "../lib/folders.ts";
import { seededRandom } from "../lib/random.ts";
import { type BenchResult, describeMachine, today } from "../lib/result.ts";
import { PROOF_AGENT, turnTexts } from "./turn-texts.ts";

const WRITERS = 2;
const TURNS = 500;
const KILLS = 50;

/** Two processes on one file lose no turn; `kill -9` in a write loop loses no acknowledged turn and leaves none half. */
export async function runProof({ seed }: { seed: number }): Promise<BenchResult> {
  const folder = mkdtempSync(join(cacheFolder(), "proof-"));
  try {
    const together = await twoWriters(join(folder, "together.db"));
    const killed = await killedWriters(join(folder, "killed.db"), seededRandom(seed));
    const gate = (row: string, figure: string) => ({ rule: row === TOGETHER ? "PR2" : "PR1", row, figure, most: 0 });
    return {
      bench: "proof",
      title: "Turns through the public API: two processes on one file, and processes that are killed",
      date: today(),
      seed,
      machine: describeMachine(),
      versions: { node: process.versions.node, sqlite: process.versions.sqlite ?? "unknown" },
      setup: { writers: WRITERS, "turns each": TURNS, kills: KILLS },
      columns: ["acknowledged", "stored", "lost", "half", "twice"],
      rows: [
        { name: TOGETHER, figures: { ...together } },
        { name: KILLED, figures: { ...killed } },
      ],
      gates: [TOGETHER, KILLED].flatMap((row) => ["lost", "half", "twice"].map((figure) => gate(row, figure))),
      notes: [
        "More can be stored than was acknowledged: the last turn of a killed process was durable before it could say so.",
      ],
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const TOGETHER = "two processes, half of the turns in one conversation";
const KILLED = "kill -9 at a random moment of a write loop";

interface Counts {
  acknowledged: number;
  stored: number;
  lost: number;
  half: number;
  twice: number;
}

async function twoWriters(path: string): Promise<Counts> {
  await outputOf(startWriter(path, "first", "1"));
  const names = Array.from({ length: WRITERS }, (_, index) => `writer-${index}`);
  const outputs = await Promise.all(names.map((name) => outputOf(startWriter(path, name, String(TURNS), "shared"))));
  const counts = await compare(path, outputs.flat());
  // A writer that ended early would otherwise look as if it had lost nothing.
  counts.lost += WRITERS * TURNS - counts.acknowledged;
  return counts;
}

async function killedWriters(path: string, random: () => number): Promise<Counts> {
  await outputOf(startWriter(path, "first", "1"));
  const acknowledged: string[] = [];
  for (let kill = 0; kill < KILLS; kill++) {
    const child = startWriter(path, `killed-${kill}`, "Infinity");
    // The clock starts with the first turn, so that it strikes anywhere in the loop.
    child.stdout?.once("data", () => setTimeout(() => child.kill("SIGKILL"), random() * 200));
    acknowledged.push(...(await outputOf(child, "SIGKILL")));
  }
  return compare(path, acknowledged);
}

function startWriter(path: string, ...args: string[]): ChildProcess {
  const script = join(import.meta.dirname, "write-turns.ts");
  return spawn(process.execPath, [...process.execArgv, script, path, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
}

/** The whole lines a child printed: `conversation turn` each. */
async function outputOf(child: ChildProcess, expected?: NodeJS.Signals): Promise<string[]> {
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

/** What the file holds beside what was acknowledged, read through the public API. */
async function compare(path: string, acknowledged: readonly string[]): Promise<Counts> {
  const memory = createMemory({ agent: PROOF_AGENT, store: sqliteStore({ path }), env: {} });
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
