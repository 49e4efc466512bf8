import { mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { cacheFolder } from "../lib/folders.ts";
import { seededRandom } from "../lib/random.ts";
import { type BenchResult, describeMachine, today } from "../lib/result.ts";
import { type Counts, compare, outputOf, startWriter } from "./writers.ts";

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
