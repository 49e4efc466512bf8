import type { BenchResult, Gate } from "./result.ts";

/** A figure in three digits or so; absent where it is no number. */
export function formatFigure(value: number | undefined): string {
  if (value === undefined || Number.isNaN(value)) return "–";
  const size = Math.abs(value);
  if (Number.isInteger(value)) return String(value);
  return value.toFixed(size >= 100 ? 0 : size >= 10 ? 1 : 2);
}

/** A Markdown table whose columns line up; all but the first are set to the right. */
export function markdownTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = header.map((title, column) =>
    Math.max(3, title.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (cells: readonly string[]) =>
    `| ${widths.map((width, column) => pad(cells[column] ?? "", width, column)).join(" | ")} |`;
  const rule = `| ${widths.map((width, column) => (column === 0 ? "-".repeat(width) : `${"-".repeat(width - 1)}:`)).join(" | ")} |`;
  return [line(header), rule, ...rows.map(line)].join("\n");
}

const pad = (cell: string, width: number, column: number): string =>
  column === 0 ? cell.padEnd(width) : cell.padStart(width);

/** The figure a gate is about; `undefined` where it wasn't measured. */
export const gatedFigure = (result: BenchResult, gate: Gate): number | undefined =>
  result.rows.find((row) => row.name === gate.row)?.figures[gate.figure];

function gateLine(result: BenchResult, gate: Gate): string {
  const value = gatedFigure(result, gate);
  const { most = Number.POSITIVE_INFINITY, least = Number.NEGATIVE_INFINITY } = gate;
  const isReached = value !== undefined && value <= most && value >= least;
  const verdict = value === undefined ? "not measured" : isReached ? "reached" : "not reached";
  const goal = gate.least === undefined ? `≤ ${gate.most}` : `≥ ${gate.least}`;
  return `- ${gate.rule}: ${gate.row}, ${gate.figure} ${formatFigure(value)} (to reach: ${goal}): ${verdict}`;
}

/** A whole result as Markdown. */
export function formatResult(result: BenchResult): string {
  const versions = Object.entries(result.versions).map(([name, version]) => `${name} ${version}`);
  const setup = Object.entries(result.setup).map(([name, value]) => `${name} ${value}`);
  const rows = result.rows.map((row) => [
    row.name,
    ...result.columns.map((column) => formatFigure(row.figures[column])),
  ]);
  return [
    `${result.title}. ${result.date}; seed ${result.seed}; ${result.machine}; ${versions.join(", ")}.`,
    `Setup: ${setup.join(", ")}.`,
    "",
    markdownTable(["", ...result.columns], rows),
    ...(result.gates.length > 0 ? ["", ...result.gates.map((gate) => gateLine(result, gate))] : []),
    ...(result.notes.length > 0 ? ["", ...result.notes.map((note) => `- ${note}`)] : []),
  ].join("\n");
}
