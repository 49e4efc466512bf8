import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { BenchResult } from "./result.ts";
import { formatFigure, gatedFigure } from "./table.ts";

/** What is kept in the repository of a run: its gates with what was found, for the table of the repository's README. */
export interface BenchRecord {
  bench: string;
  title: string;
  date: string;
  /** The commit that was measured. */
  commit: string;
  versions: Record<string, string>;
  setup: Record<string, string | number | boolean>;
  gates: readonly { rule: string; row: string; figure: string; value: string; goal: string; verdict: string }[];
}

/** A result as it is kept. */
export function recordOf(result: BenchResult, commit: string): BenchRecord {
  const { bench, title, date, versions, setup } = result;
  const gates = result.gates.map((gate) => {
    const { rule, row, figure, most = Number.POSITIVE_INFINITY, least = Number.NEGATIVE_INFINITY } = gate;
    const value = gatedFigure(result, gate);
    const isReached = value !== undefined && value <= most && value >= least;
    return {
      rule,
      row,
      figure,
      value: formatFigure(value),
      goal: gate.least === undefined ? `≤ ${gate.most}` : `≥ ${gate.least}`,
      verdict: value === undefined ? "not measured" : isReached ? "reached" : "not reached",
    };
  });
  return { bench, title, date, commit, versions, setup, gates };
}

/** Keeps a result in `bench/results/<bench>.json`; `npm run tables` puts it into bench/README.md. */
export function keepRecord(result: BenchResult): void {
  const folder = join(import.meta.dirname, "../../results");
  const commit = execFileSync("git", ["rev-parse", "--short", "HEAD"], { cwd: folder, encoding: "utf8" }).trim();
  writeFileSync(join(folder, `${result.bench}.json`), `${JSON.stringify(recordOf(result, commit), null, 2)}\n`);
}
