import { isRuleId, REQUIREMENTS } from "@throughline/testkit";
import { describe, expect, it } from "vitest";
import { STORE_SUITES } from "../src/store/store-suites.ts";

/** How many rules there are under each letter. */
const COUNTS = {
  T: 9,
  W: 16,
  C: 4,
  F: 13,
  S: 6,
  X: 9,
  I: 5,
  A: 4,
  O: 3,
  E: 5,
  G: 15,
  B: 9,
  L: 8,
  V: 5,
  OA: 5,
  R: 4,
  MCP: 1,
  H: 5,
  N: 6,
  K: 2,
  U: 3,
  D: 2,
  Q: 3,
  J: 15,
  Z: 12,
  Y: 9,
  PR: 8,
};

describe("the rules as data", () => {
  it("J1: hold every rule, numbered without a gap", () => {
    const expected = Object.entries(COUNTS).flatMap(([letters, count]) =>
      Array.from({ length: count }, (_, index) => `${letters}${index + 1}`),
    );
    expect(Object.keys(REQUIREMENTS).toSorted()).toEqual(expected.toSorted());
  });

  it("J1: say each rule in one sentence of their own", () => {
    const sentences = Object.values(REQUIREMENTS).map((requirement) => requirement.rule);
    for (const sentence of sentences) expect(sentence).toMatch(/^[A-Z`].{10,}[^.]\.$/);
    expect(new Set(sentences).size).toBe(sentences.length);
  });

  it("J1: are what the cases of the store suites cite", () => {
    const cited = STORE_SUITES.flatMap((suite) => suite.cases.map((storeCase) => storeCase.rules));
    expect(cited.length).toBeGreaterThan(100);
    for (const rules of cited) {
      expect(rules.length).toBeGreaterThan(0);
      for (const rule of rules) expect(isRuleId(rule)).toBe(true);
    }
  });
});
