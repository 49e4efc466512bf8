import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The folder in which the benches keep what they found, and the name of their table. */
export const BENCH_RESULTS = "bench/results";

interface Gate {
  rule: string;
  row: string;
  figure: string;
  value: string;
  goal: string;
  verdict: string;
}

interface Kept {
  bench: string;
  date: string;
  commit: string;
  gates: Gate[];
}

const recordFile = /^bench\/results\/([a-z-]+)\.json$/;
const HEAD = ["rule", "bench", "found, and the goal", "reached", "measured"];

/** The goals for recall and speed with what was found last, a line for each rule and bench. */
export function benchResultsTable(
  root: string,
  files: readonly string[],
): { table: readonly (readonly string[])[]; problems: readonly string[] } {
  const problems: string[] = [];
  const lines = files
    .filter((file) => recordFile.test(file))
    .flatMap((file) => {
      const kept = readRecord(join(root, file));
      if (kept === null || `${BENCH_RESULTS}/${kept.bench}.json` !== file) {
        problems.push(`${file}: is no record of a bench; run that bench with --readme.`);
        return [];
      }
      return linesOf(kept);
    });
  return { table: [HEAD, ...lines.sort(byRule)], problems };
}

function linesOf({ bench, date, commit, gates }: Kept): string[][] {
  const rules = Map.groupBy(
    gates.filter(({ rule, verdict }) => /^[YZ]\d/.test(rule) && verdict !== "not measured"),
    ({ rule }) => rule,
  );
  return [...rules].map(([rule, own]) => {
    const found = own.map(({ row, figure, value, goal }, index) => {
      const isSameRow = own[index - 1]?.row === row;
      return `${isSameRow ? "" : `${row}: `}${figure} ${value} (${goal})`;
    });
    const reached = own.filter(({ verdict }) => verdict === "reached").length;
    return [rule, bench, found.join("; "), `${reached} of ${own.length}`, `${date}, ${commit}`];
  });
}

const numberOf = (rule = ""): number => Number(rule.slice(1)) + (rule.startsWith("Z") ? 1000 : 0);
const byRule = (a: readonly string[], b: readonly string[]): number =>
  numberOf(a[0]) - numberOf(b[0]) || ((a[1] ?? "") < (b[1] ?? "") ? -1 : 1);

function readRecord(path: string): Kept | null {
  try {
    const value: unknown = JSON.parse(readFileSync(path, "utf8"));
    return isKept(value) ? value : null;
  } catch {
    return null;
  }
}

function isKept(value: unknown): value is Kept {
  if (typeof value !== "object" || value === null || !("gates" in value) || !Array.isArray(value.gates)) return false;
  const names = ["rule", "row", "figure", "value", "goal", "verdict"];
  const hasTexts = (thing: object, keys: readonly string[]): boolean =>
    keys.every((key) => typeof Reflect.get(thing, key) === "string");
  return (
    hasTexts(value, ["bench", "date", "commit"]) &&
    value.gates.every((gate: unknown) => typeof gate === "object" && gate !== null && hasTexts(gate, names))
  );
}
