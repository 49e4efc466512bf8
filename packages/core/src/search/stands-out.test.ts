import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { besideFewWords, standingOut } from "./stands-out.ts";
import { WEIGHTS } from "./weights.ts";

const FLOORS = { floor: 0.3, far: 0.1 };
const { behind, times } = WEIGHTS.alone;
const near = (scores: readonly number[]) =>
  [...scores]
    .sort((left, right) => right - left)
    .map((score, at) => ({
      place: {
        conversation: "c",
        turn: `t${at}`,
        seq: at + 1,
        position: 0,
        message: `m${at}`,
        role: "user" as const,
        createdAt: "2026-01-01T00:00:00.000Z",
      },
      score,
    }));
const nearest = (scores: readonly number[], floors = FLOORS): number =>
  standingOut(near(scores), floors)(Math.max(...scores));

describe("what stands out among near messages", () => {
  it("G8: counts from what answers something else on, beside those behind the nearest", () => {
    const others = Array.from({ length: behind }, () => 0.5);
    const enough = 0.1 + times * 0.4;
    expect(nearest([...others, enough])).toBeCloseTo(1, 9);
    expect(nearest([...others, enough + 0.01])).toBeGreaterThan(1);
    expect(nearest([...others, 0.5])).toBeCloseTo(0, 9);
    // The same nearness among fewer that are near.
    expect(nearest([...others.slice(3), enough])).toBeGreaterThan(1);
    expect(nearest([...others, ...others, enough])).toBeCloseTo(1, 9);
  });

  it("G8: where fewer are near, the rest counts as just at the floor", () => {
    expect(nearest([0.1 + times * 0.2])).toBeCloseTo(1, 9);
    expect(nearest([0.3])).toBeCloseTo(0, 9);
    expect(standingOut([], FLOORS)(0.3)).toBeCloseTo(0, 9);
  });

  it("G8: whatever a scale does to cosines, what stands out does", () => {
    const cosine = fc.integer({ min: 40, max: 100 });
    fc.assert(
      fc.property(fc.array(cosine, { minLength: 1, maxLength: 30 }), (cosines) => {
        const at = (scale: (value: number) => number) =>
          nearest(cosines.map(scale), { floor: scale(40), far: scale(10) });
        expect(at((value) => 0.75 + value / 512)).toBeCloseTo(
          at((value) => value / 128),
          9,
        );
      }),
    );
  });

  it("G8: where a model's scale has no room, nothing stands out", () => {
    expect(nearest([0.9], { floor: 0.3, far: 0.3 })).toBe(0);
  });
});

describe("meaning beside few words", () => {
  const { below, most } = WEIGHTS.fewWords;

  it("S1: counts most where words have just what they need, and nothing where they have much of it", () => {
    expect(besideFewWords(1, 1)).toBe(most);
    expect(besideFewWords(0, 1)).toBe(most);
    expect(besideFewWords(below, 5)).toBe(0);
    expect(besideFewWords(Number.POSITIVE_INFINITY, 5)).toBe(0);
    expect(besideFewWords(1, 0)).toBe(0);
  });

  it("S1: more nearness counts more, more words count against it", () => {
    const value = fc.double({ min: 0, max: 4, noNaN: true });
    fc.assert(
      fc.property(value, value, value, (words, one, other) => {
        const [less, more] = [Math.min(one, other), Math.max(one, other)];
        expect(besideFewWords(words, less)).toBeLessThanOrEqual(besideFewWords(words, more));
        expect(besideFewWords(more, words)).toBeLessThanOrEqual(besideFewWords(less, words));
      }),
    );
  });
});
