import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus } from "node:os";
import { dirname, resolve } from "node:path";

/** One line of a result: a thing that was measured, and its figures by column. */
export interface ResultRow {
  name: string;
  figures: Record<string, number>;
}

/** A gate: the figure of a row, and what it must not exceed, or must reach. */
export interface Gate {
  /** Id of the rule, for example `"Z1"`. */
  rule: string;
  row: string;
  figure: string;
  most?: number;
  least?: number;
}

/** What one run of a bench found. */
export interface BenchResult {
  bench: string;
  title: string;
  date: string;
  seed: number;
  machine: string;
  versions: Record<string, string>;
  /** What was run: sizes, rounds, options. */
  setup: Record<string, string | number | boolean>;
  columns: readonly string[];
  rows: readonly ResultRow[];
  gates: readonly Gate[];
  notes: readonly string[];
}

/** The machine in neutral terms. */
export function describeMachine(): string {
  const model = cpus()[0]?.model.replace(/\s+/g, " ").trim() ?? "unknown CPU";
  return `${availableParallelism()} cores, ${model}, ${process.platform} ${process.arch}`;
}

/** Today, as `2026-11-29`. */
export const today = (): string => new Date().toISOString().slice(0, 10);

export function writeResult(path: string, result: BenchResult): void {
  // Scripts of this package may be started from anywhere: the path is the caller's.
  const file = resolve(process.env.INIT_CWD ?? process.cwd(), path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, `${JSON.stringify(result, null, 2)}\n`);
}

/** A result that {@link writeResult} wrote. */
export const readResult = (path: string): BenchResult =>
  JSON.parse(readFileSync(resolve(process.env.INIT_CWD ?? process.cwd(), path), "utf8")) as BenchResult;
