/** What the tests of one file saw, cell by cell, for a table in a README. */
export interface ResultTable {
  /** Keeps what one test saw. The same cell once more must be the same. */
  record(row: string, column: string, cell: string): void;
  /** The whole table as JSON, to be compared with the file beside the tests. Throws while a cell is missing. */
  json(): string;
}

/**
 * Gathers a table from tests. Let the file's last test compare it with a file `<name>.table.json` beside it:
 *
 * @example
 * test("the table in the README is what these tests saw", () =>
 *   expect(table.json()).toMatchFileSnapshot("runs.table.json"));
 *
 * `vitest run -u` writes that file, `npm run tables` puts it between `<!-- table: test/runs.table.json -->` and
 * `<!-- /table -->` of the package's README, or of a page of `docs/` that names the file from the root, and
 * `npm run check -- tables` tells when they differ.
 */
export function resultTable(options: {
  /** What the rows are, over their names. */
  corner: string;
  rows: readonly string[];
  columns: readonly string[];
}): ResultTable {
  const { corner, rows, columns } = options;
  const cells = new Map<string, string>();
  const keyOf = (row: string, column: string) => JSON.stringify([row, column]);
  return {
    record(row, column, cell) {
      if (!rows.includes(row) || !columns.includes(column))
        throw new RangeError(`There is no cell ${row} × ${column}.`);
      const before = cells.get(keyOf(row, column));
      if (before !== undefined && before !== cell) {
        throw new RangeError(`${row} × ${column} was "${before}" and is "${cell}".`);
      }
      cells.set(keyOf(row, column), cell);
    },
    json() {
      const missing = rows.flatMap((row) => columns.filter((column) => !cells.has(keyOf(row, column))).map(() => row));
      if (missing.length > 0) {
        throw new RangeError(`Cells of these rows are missing: ${missing.join(", ")}. Run all tests of the file.`);
      }
      const lines = rows.map((row) => [row, ...columns.map((column) => cells.get(keyOf(row, column)))]);
      // As the formatter writes it, so that nobody rewrites it.
      const list = (cells: readonly unknown[]) => `[${cells.map((cell) => JSON.stringify(cell)).join(", ")}]`;
      const body = lines.map((line) => `    ${list(line)}`).join(",\n");
      return `{\n  "head": ${list([corner, ...columns])},\n  "rows": [\n${body}\n  ]\n}\n`;
    },
  };
}
