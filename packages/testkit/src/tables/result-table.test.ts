import { expect, it } from "vitest";
import { resultTable } from "./result-table.ts";

const make = () => resultTable({ corner: "run", rows: ["plain", "tools"], columns: ["run", "streamed"] });

it("gives the whole table, and none with a hole", () => {
  const table = make();
  table.record("tools", "run", "completed");
  table.record("plain", "run", "completed");
  table.record("plain", "streamed", "aborted");
  expect(() => table.json()).toThrow("tools");
  table.record("tools", "streamed", "failed");
  expect(JSON.parse(table.json())).toEqual({
    head: ["run", "run", "streamed"],
    rows: [
      ["plain", "completed", "aborted"],
      ["tools", "completed", "failed"],
    ],
  });
});

it("refuses cells that aren't in it, and one that was seen otherwise", () => {
  const table = make();
  expect(() => table.record("none", "run", "x")).toThrow(RangeError);
  expect(() => table.record("plain", "none", "x")).toThrow(RangeError);
  table.record("plain", "run", "x");
  table.record("plain", "run", "x");
  expect(() => table.record("plain", "run", "y")).toThrow(RangeError);
});
