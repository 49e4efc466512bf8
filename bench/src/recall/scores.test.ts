import { describe, expect, test } from "vitest";
import { seededRandom } from "../lib/random.ts";
import { auroc, bootstrapInterval, evidenceWithin, scoreRanking } from "./scores.ts";

describe("scores of rankings", () => {
  test("recall is the share of the evidence that was found, and an early hit gains more", () => {
    expect(scoreRanking(["a", "b", "c"], new Set(["a", "x"]))).toMatchObject({ recall: 0.5 });
    expect(scoreRanking(["a", "b"], new Set(["a"])).ndcg).toBe(1);
    expect(scoreRanking(["b", "a"], new Set(["a"])).ndcg).toBeCloseTo(1 / Math.log2(3), 10);
    expect(scoreRanking([], new Set(["a"]))).toEqual({ recall: 0, ndcg: 0 });
    expect(scoreRanking(["b", "b2", "a"], new Set(["a"]), 2).recall).toBe(0);
  });

  test("what comes behind the budget doesn't count", () => {
    const ranked = [
      { id: "a", text: "x".repeat(400) },
      { id: "b", text: "x".repeat(400) },
    ];
    expect(evidenceWithin(ranked, new Set(["a", "b"]), 100)).toBe(0.5);
    expect(evidenceWithin(ranked, new Set(["a", "b"]), 200)).toBe(1);
  });

  test("an interval holds the mean, and is as wide as groups differ", () => {
    const interval = (clusters: number[][]) => bootstrapInterval(clusters, seededRandom(1));
    const alike = interval(Array.from({ length: 8 }, () => [0, 1, 0, 1]));
    expect(alike).toEqual({ mean: 0.5, low: 0.5, high: 0.5 });
    const apart = interval(Array.from({ length: 8 }, (_, index) => (index < 4 ? [0, 0, 0] : [1, 1, 1])));
    expect(apart.mean).toBe(0.5);
    expect(apart.low).toBeLessThan(0.4);
    expect(apart.high).toBeGreaterThan(0.6);
  });

  test("a score that tells everything apart has an area of 1, one that tells nothing of 0.5", () => {
    expect(auroc([3, 4], [1, 2])).toBe(1);
    expect(auroc([1, 2], [3, 4])).toBe(0);
    expect(auroc([1, 1], [1, 1])).toBe(0.5);
  });
});
