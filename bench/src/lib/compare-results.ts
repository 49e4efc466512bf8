import type { BenchResult } from "./result.ts";
import { formatFigure, markdownTable } from "./table.ts";

/** Two results of one bench side by side: before, after, and after as a multiple of before. */
export function compareResults(before: BenchResult, after: BenchResult): string {
  if (before.bench !== after.bench) {
    throw new RangeError(`These are results of "${before.bench}" and of "${after.bench}"; compare two of one bench.`);
  }
  const rows = after.rows.flatMap((row) => {
    const old = before.rows.find((candidate) => candidate.name === row.name);
    if (old === undefined) return [];
    return after.columns.flatMap((column) => {
      const [was, is] = [old.figures[column], row.figures[column]];
      if (was === undefined || is === undefined) return [];
      return [[`${row.name}: ${column}`, formatFigure(was), formatFigure(is), `${formatFigure(is / was)} ×`]];
    });
  });
  const lines = [`${after.bench}: ${before.date} and ${after.date}`];
  if (before.machine !== after.machine) lines.push("The machines differ: compare ratios only.");
  if (JSON.stringify(before.setup) !== JSON.stringify(after.setup)) lines.push("The setups differ.");
  return [...lines, "", markdownTable(["", "before", "after", "after / before"], rows)].join("\n");
}
