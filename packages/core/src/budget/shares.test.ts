import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { PASS_ON_ORDER, type Shares, splitBudget } from "./shares.ts";

const SHARES: Shares = { summary: 0.1, facts: 0.15, recall: 0.15, history: 0.6 };
const all = (value: number): Shares => ({ summary: value, facts: value, recall: value, history: value });

describe("shares of the budget", () => {
  it("G11: gives each its share where all want more", () => {
    expect(splitBudget(1_000, SHARES, all(5_000))).toEqual({ summary: 100, facts: 150, recall: 150, history: 600 });
  });

  it("G11: passes on what is not used, first to the summary, then to history, facts and recalled turns", () => {
    expect(splitBudget(1_000, SHARES, { summary: 0, facts: 50, recall: 400, history: 800 })).toEqual({
      summary: 0,
      facts: 50,
      recall: 150,
      history: 800,
    });
    expect(splitBudget(1_000, SHARES, { summary: 300, facts: 0, recall: 0, history: 900 })).toEqual({
      summary: 300,
      facts: 0,
      recall: 0,
      history: 700,
    });
  });

  it("G11: scales shares down that add up to more than all", () => {
    expect(splitBudget(1_000, all(1), all(5_000))).toEqual(all(250));
  });

  it("G11: never exceeds the budget nor what is wanted, and leaves nothing unused that somebody wants", () => {
    const amount = fc.oneof(fc.nat(200_000), fc.constantFrom(0, 1, 3, Number.MAX_SAFE_INTEGER));
    const amounts = fc.record({ summary: amount, facts: amount, recall: amount, history: amount });
    const share = fc.oneof(fc.double({ min: 0, max: 1, noNaN: true }), fc.constantFrom(0, 1, 1 / 3, 0.1));
    const shares = fc.record({ summary: share, facts: share, recall: share, history: share });
    fc.assert(
      fc.property(fc.nat(2_000_000), shares, amounts, (total, parts, wanted) => {
        const allowed = splitBudget(total, parts, wanted);
        const sum = PASS_ON_ORDER.reduce((tokens, name) => tokens + allowed[name], 0);
        const scale = Math.max(1, parts.summary + parts.facts + parts.recall + parts.history);
        expect(sum).toBeLessThanOrEqual(total);
        for (const name of PASS_ON_ORDER) {
          expect(Number.isSafeInteger(allowed[name])).toBe(true);
          expect(allowed[name]).toBeLessThanOrEqual(wanted[name]);
          // Nobody gets less than the share because another wants more; the last is short by rounding at most.
          const own = Math.min(wanted[name], Math.floor((parts[name] / scale) * total));
          expect(allowed[name]).toBeGreaterThanOrEqual(own - 4);
        }
        const wantedSum = PASS_ON_ORDER.reduce((tokens, name) => tokens + wanted[name], 0);
        expect(sum).toBe(Math.min(total, wantedSum));
      }),
      { numRuns: 10_000 },
    );
  });

  it.each([Number.NaN, -1, Number.NEGATIVE_INFINITY])("G11: takes %d for nothing", (value) => {
    expect(splitBudget(value, SHARES, all(10))).toEqual(all(0));
    expect(splitBudget(100, all(value), all(10))).toEqual(all(10));
    expect(splitBudget(100, SHARES, all(value))).toEqual(all(0));
  });
});
