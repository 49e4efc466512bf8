import { expect, test } from "vitest";
import { checkTables } from "./check-tables.ts";
import { readResultTables } from "./result-tables.ts";
import { temporaryWorkspace } from "./temporary-workspace.ts";

const gate = (rule: string, figure: string, verdict: string) => ({
  rule,
  row: "LoCoMo",
  figure,
  value: "77.4",
  goal: "≥ 77",
  verdict,
});
const record = JSON.stringify({
  bench: "recall",
  date: "2026-11-30",
  commit: "abc1234",
  gates: [
    gate("Z1", "p50", "reached"),
    gate("Y1", "R@10", "reached"),
    gate("Y1", "NDCG@10", "not reached"),
    gate("G6", "twice", "reached"),
    gate("Y9", "kept", "not measured"),
  ],
});
const readme = (inner: string) => `# All\n\n<!-- table: bench/results -->\n${inner}<!-- /table -->\n`;
const table =
  "| rule | bench | found, and the goal | reached | measured |\n| --- | --- | --- | --- | --- |\n" +
  "| Y1 | recall | LoCoMo: R@10 77.4 (≥ 77); NDCG@10 77.4 (≥ 77) | 1 of 2 | 2026-11-30, abc1234 |\n" +
  "| Z1 | recall | LoCoMo: p50 77.4 (≥ 77) | 1 of 1 | 2026-11-30, abc1234 |\n";
const workspace = (inner: string, json = record) =>
  temporaryWorkspace({
    "packages/one/package.json": '{ "name": "one" }',
    "README.md": readme(inner),
    "bench/results/recall.json": json,
  });

test("puts what the benches kept of recall and speed into the README, a line for each rule", () => {
  const root = workspace("");
  expect(readResultTables(root).documents[0]?.wanted).toBe(readme(table));
  expect(checkTables(root).problems).toEqual(["README.md: a table is stale; run: npm run tables"]);
  expect(checkTables(workspace(table)).problems).toEqual([]);
});

test("reports a figure that was typed by hand", () => {
  expect(checkTables(workspace(table.replace("77.4", "79.4"))).problems).toHaveLength(1);
});

test.each(["{", "{}", record.replace('"recall"', '"turn"'), record.replace('"77.4"', "77.4")])(
  "reports what is no record: %s",
  (json) => {
    expect(checkTables(workspace(table, json)).problems).toContain(
      "bench/results/recall.json: is no record of a bench; run that bench with --readme.",
    );
  },
);
