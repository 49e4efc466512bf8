import { describe, expect, test } from "vitest";
import { compareResults } from "./compare-results.ts";
import { seededRandom } from "./random.ts";
import { replaceBetween } from "./readme.ts";
import type { BenchResult } from "./result.ts";
import { formatFigure, formatResult, markdownTable } from "./table.ts";

const result: BenchResult = {
  bench: "turn",
  title: "A turn",
  date: "2026-01-01",
  seed: 7,
  machine: "2 cores",
  versions: { node: "24.0.0" },
  setup: { messages: 1000 },
  columns: ["p50 µs", "× floor"],
  rows: [
    { name: "floor", figures: { "p50 µs": 60, "× floor": 1 } },
    { name: "memory", figures: { "p50 µs": 126.44, "× floor": 2.107 } },
  ],
  gates: [
    { rule: "Z1", row: "memory", figure: "× floor", most: 2.2 },
    { rule: "Z1", row: "memory", figure: "p50 µs", most: 100 },
    { rule: "Z8", row: "memory", figure: "indexing", most: 1 },
  ],
  notes: ["a note"],
};

describe("tables", () => {
  test("figures have as many digits as they are worth", () => {
    expect([0.123456, 12.34, 1234.5, 7, Number.NaN, undefined].map(formatFigure)).toEqual([
      "0.12",
      "12.3",
      "1235",
      "7",
      "–",
      "–",
    ]);
  });

  test("columns line up, numbers to the right", () => {
    expect(
      markdownTable(
        ["", "ms"],
        [
          ["short", "1"],
          ["longer name", "100"],
        ],
      ).split("\n"),
    ).toEqual(["|             |  ms |", "| ----------- | --: |", "| short       |   1 |", "| longer name | 100 |"]);
  });

  test("a result says of each gate whether it was reached, missed or not measured", () => {
    const text = formatResult(result);
    expect(text).toContain("Z1: memory, × floor 2.11 (to reach: ≤ 2.2): reached");
    expect(text).toContain("Z1: memory, p50 µs 126 (to reach: ≤ 100): not reached");
    expect(text).toContain("Z8: memory, indexing – (to reach: ≤ 1): not measured");
  });
});

describe("comparing two results", () => {
  test("gives each figure as a multiple of what it was", () => {
    const after = { ...result, rows: [{ name: "memory", figures: { "p50 µs": 63.22, "× floor": 1.05 } }] };
    expect(compareResults(result, after)).toContain("| memory: p50 µs  |    126 |  63.2 |         0.50 × |");
  });

  test("says where machines or setups differ, and refuses results of two benches", () => {
    expect(compareResults(result, { ...result, machine: "64 cores" })).toContain("machines differ");
    expect(compareResults(result, { ...result, setup: { messages: 5 } })).toContain("setups differ");
    expect(() => compareResults(result, { ...result, bench: "cold" })).toThrow(RangeError);
  });
});

test("a text between markers is replaced, and the rest kept", () => {
  const text = "before\n<!-- turn -->\nold\n<!-- /turn -->\nafter\n";
  expect(replaceBetween(text, "turn", "new")).toBe("before\n<!-- turn -->\nnew\n<!-- /turn -->\nafter\n");
  expect(() => replaceBetween(text, "cold", "new")).toThrow(RangeError);
});

test("the same seed gives the same numbers, another seed others", () => {
  const numbers = (seed: number) => Array.from({ length: 5 }, seededRandom(seed));
  expect(numbers(7)).toEqual(numbers(7));
  expect(numbers(7)).not.toEqual(numbers(8));
  expect(numbers(7).every((number) => number >= 0 && number < 1)).toBe(true);
});
