import { expect, test } from "vitest";
import { findCitations } from "./find-citations.ts";

const cited = (source: string) => findCitations("a.test.ts", source).citations.map(({ id }) => id);

test.each([
  ['it("W1: keeps", () => {})', ["W1"]],
  ['test("W1/PR4: keeps", () => {})', ["W1", "PR4"]],
  ["it(`B8: keeps $" + "{what}`, () => {})", ["B8"]],
  ['test.each([1, 2])("OA1: takes %d", () => {})', ["OA1"]],
  ['it.each<A>([["x: y"]] as const)("F1: takes %s", () => {})', ["F1"]],
  ['it.each`a | b`("F2: takes $a", () => {})', ["F2"]],
  ['it.skipIf(isWindows)("J6: opens", () => {})', ["J6"]],
  ['it.concurrent.for([1])("E3: runs", () => {})', ["E3"]],
  ['it("remembers (G15)", () => {})', ["G15"]],
  ['it("remembers (Q1, W4)", { timeout: 9 }, () => {})', ["Q1", "W4"]],
  ['const suite = { cases: [{ rules: ["J1", "J2"], title: "keeps", run() {} }] };', ["J1", "J2"]],
])("finds what %s cites", (source, ids) => {
  expect(cited(source)).toEqual(ids);
});

test.each([
  'describe("W1: turns", () => {})',
  'it.skip("W1: keeps", () => {})',
  'it.todo("W1: keeps")',
  'it("W1: keeps", { skip: true }, () => {})',
  'it("keeps W1: whatever", () => {})',
  'it("computes BM25 as published", () => {})',
  'fit("W1: keeps", () => {})',
  "const text = 'it(\"W1: keeps\", () => {})';",
  '// it("W1: keeps", () => {})',
  'const config = { rules: ["W1"] };',
])("finds nothing in %s", (source) => {
  expect(cited(source)).toEqual([]);
});

test("counts tests that cite nothing, and tells the line", () => {
  const source = 'it("a", () => {});\n\nit("W1: b", () => {});\nit.skip("c", () => {});\n';
  expect(findCitations("a.test.ts", source)).toEqual({ tests: 2, citations: [{ id: "W1", line: 3 }] });
});
