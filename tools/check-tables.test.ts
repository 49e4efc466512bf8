import { expect, test } from "vitest";
import { checkTables } from "./check-tables.ts";
import { readResultTables } from "./result-tables.ts";
import { temporaryWorkspace } from "./temporary-workspace.ts";

const json = '{ "head": ["run", "plain"], "rows": [["abort", "aborted"]] }';
const table = "| run | plain |\n| --- | --- |\n| abort | aborted |\n";
const readme = (inner: string, file = "test/runs.table.json") =>
  `# One\n\n<!-- table: ${file} -->\n${inner}<!-- /table -->\n\nMore.\n`;

const workspace = (files: Record<string, string>) =>
  temporaryWorkspace({ "packages/one/package.json": '{ "name": "one" }', ...files });

test("passes a table that is what the tests saw", () => {
  const root = workspace({ "packages/one/README.md": readme(table), "packages/one/test/runs.table.json": json });
  expect(checkTables(root)).toEqual({ problems: [], looked: 1, unit: "documents" });
});

test("reports a stale table, and tells what should stand there", () => {
  const root = workspace({
    "packages/one/README.md": readme("| run | plain |\n| --- | --- |\n| abort | failed |\n"),
    "packages/one/test/runs.table.json": json,
  });
  expect(checkTables(root).problems).toEqual(["packages/one/README.md: a table is stale; run: npm run tables"]);
  expect(readResultTables(root).documents[0]?.wanted).toBe(readme(table));
});

test("reports a table that no document shows, and one that no test writes", () => {
  const shown = workspace({ "packages/one/README.md": "# One\n", "packages/one/test/runs.table.json": json });
  expect(checkTables(shown).problems).toHaveLength(1);
  const written = workspace({ "packages/one/README.md": readme(table) });
  expect(checkTables(written).problems).toHaveLength(1);
});

test("finds the tables of pages in docs/, which name them from the root", () => {
  const file = "packages/one/test/runs.table.json";
  const page = (inner: string) => workspace({ "docs/reference/one.md": readme(inner, file), [file]: json });
  expect(checkTables(page(table))).toEqual({ problems: [], looked: 1, unit: "documents" });
  expect(checkTables(page("")).problems).toEqual(["docs/reference/one.md: a table is stale; run: npm run tables"]);
  const fromPackage = workspace({ "docs/one.md": readme(table), [file]: json });
  expect(checkTables(fromPackage).problems).toHaveLength(2);
});

test.each(["no json", "[]", '{ "head": ["a"], "rows": [[1]] }'])("reports what is no table: %s", (text) => {
  const root = workspace({ "packages/one/README.md": readme(table), "packages/one/test/runs.table.json": text });
  expect(checkTables(root).problems).toEqual(["packages/one/test/runs.table.json: is no table of the testkit."]);
});

test("shows tables of e2e in the repository's README", () => {
  const files = { "e2e/package.json": '{ "name": "e2e" }', "e2e/test/runs.table.json": json };
  expect(checkTables(workspace({ ...files, "README.md": "# All\n" })).problems).toHaveLength(1);
  const shown = workspace({ ...files, "README.md": readme("", "e2e/test/runs.table.json") });
  expect(checkTables(shown).problems).toEqual(["README.md: a table is stale; run: npm run tables"]);
  expect(readResultTables(shown).documents[0]?.wanted).toBe(readme(table, "e2e/test/runs.table.json"));
});
