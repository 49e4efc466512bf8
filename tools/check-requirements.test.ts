import { expect, test } from "vitest";
import { checkRequirements, type NotYet, type Rules } from "./check-requirements.ts";
import { temporaryWorkspace } from "./temporary-workspace.ts";

const rules: Rules = {
  W1: { decidedBy: "core" },
  W2: { decidedBy: "core" },
  J1: { decidedBy: "store" },
  C1: { decidedBy: "core" },
};
const later: NotYet = [{ reason: "carry-over isn't built", ids: ["C1"] }];
const suites = "packages/testkit/src/store/suites/turns-suite.ts";
const good = {
  "packages/core/src/window.test.ts": 'describe("W9: windows", () => it("W1/W2: keeps", () => {}));',
  [suites]: 'export const suite = { cases: [{ rules: ["J1"], title: "keeps", run() {} }] };',
};

const check = (files: Record<string, string>, notYet = later) =>
  checkRequirements(temporaryWorkspace(files), rules, notYet).problems;

test("passes where each rule is cited, or is not yet", () => {
  expect(check(good)).toEqual([]);
});

test("reports a rule that no test cites", () => {
  expect(check({ ...good, "packages/core/src/window.test.ts": 'it("W2: keeps", () => {});' })).toEqual([
    expect.stringMatching(/^W1: no test cites it/),
  ]);
});

test("reports an id that is no rule, with its place", () => {
  expect(check({ ...good, "examples/a/test/b.test.ts": '\nit("W1/W7: keeps", () => {});' })).toEqual([
    "examples/a/test/b.test.ts:2: cites W7, which is no rule.",
  ]);
});

test("reports what is not yet and cited after all", () => {
  expect(check({ ...good, "packages/core/test/c.test.ts": 'it("C1: carries over", () => {});' })).toEqual([
    `packages/core/test/c.test.ts:1: cites C1; take it off the list "not yet" (carry-over isn't built).`,
  ]);
});

test("reports a rule that is not yet and no rule", () => {
  expect(check(good, [...later, { reason: "gone", ids: ["C9"] }])).toEqual([
    expect.stringContaining('"not yet" names C9'),
  ]);
});

test("takes a case of a store suite for a proof of what stores decide, and of nothing else", () => {
  const suite = 'export const suite = { cases: [{ rules: ["J1", "W1", "C1"], title: "keeps", run() {} }] };';
  const files = { [suites]: suite, "packages/core/src/a.test.ts": 'it("W2: keeps", () => {});' };
  expect(check(files)).toEqual([expect.stringMatching(/^W1: no test cites it/)]);
});

test("reports a file that can't be parsed", () => {
  expect(check({ ...good, "packages/core/src/b.test.ts": 'it("W1: keeps", ' })).toEqual([
    expect.stringContaining("packages/core/src/b.test.ts"),
  ]);
});

test("looks at nothing where there are no tests, and reports that there are no rules", () => {
  expect(checkRequirements(temporaryWorkspace({ "a.ts": 'it("W1: x", () => {});' }), rules, later).looked).toBe(0);
  expect(checkRequirements(temporaryWorkspace(good), {}, []).problems).toContain("there is no rule to compare with.");
});

test("counts tests, cases and rules", () => {
  expect(checkRequirements(temporaryWorkspace(good), rules, later)).toEqual({
    problems: [],
    looked: 2,
    unit: "tests and cases; 3 of 4 rules cited, 1 not yet",
  });
});
