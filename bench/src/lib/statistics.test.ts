import { describe, expect, test } from "vitest";
import { median, medianRatio, quantile } from "./statistics.ts";

describe("statistics of rounds", () => {
  test("the median is the middle value, or the mean of the two in the middle", () => {
    expect(median([3, 1, 2])).toBe(2);
    expect(median([4, 1, 3, 2])).toBe(2.5);
    expect(median([])).toBeNaN();
  });

  test("a quantile is one of the values", () => {
    const values = Array.from({ length: 200 }, (_, index) => 200 - index);
    expect(quantile(values, 0.99)).toBe(198);
    expect(quantile(values, 0)).toBe(1);
    expect(quantile(values, 1)).toBe(200);
    expect(quantile([], 0.5)).toBeNaN();
  });

  test("neither changes the list it is given", () => {
    const values = [3, 1, 2];
    median(values);
    quantile(values, 0.5);
    expect(values).toEqual([3, 1, 2]);
  });

  test("a ratio is the median of the rounds' ratios, so that one slow round does not decide it", () => {
    expect(medianRatio([20, 200, 21], [10, 20, 10])).toBe(2.1);
    expect(() => medianRatio([1, 2], [1])).toThrow(RangeError);
  });
});
