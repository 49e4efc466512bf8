import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { relevanceOf } from "./relevance.ts";
import { WEIGHTS } from "./weights.ts";

const word = fc.record({ weight: fc.double({ min: 0.1, max: 10, noNaN: true }), isKnown: fc.boolean() });
const words = fc.array(word, { minLength: 1, maxLength: 12 });

/** BM25 sums of pieces, as parts of the most that can be. */
const pieces = (asked: readonly { weight: number }[]) => {
  const rarest = asked.map(({ weight }) => weight).sort((a, b) => b - a);
  const most = rarest.slice(0, WEIGHTS.floorWords).reduce((sum, weight) => sum + weight, 0) * (WEIGHTS.k1 + 1);
  return fc.array(
    fc.tuple(fc.double({ min: 0, max: most, noNaN: true }), fc.double({ min: 0, max: most, noNaN: true })),
    {
      minLength: 1,
      maxLength: 10,
    },
  );
};

const of = (list: readonly (readonly [number, number])[]) => ({
  around: list.map(([around]) => around),
  conversation: list.map(([, conversation]) => conversation),
});

describe("relevance of what was found", () => {
  it("G8: it is between 0 and 1, and the same in whatever order pieces and words come", () => {
    fc.assert(
      fc.property(
        words.chain((asked) => fc.tuple(fc.constant(asked), pieces(asked))),
        ([asked, list]) => {
          const relevance = relevanceOf(asked, of(list));
          expect(relevance).toBeGreaterThanOrEqual(0);
          expect(relevance).toBeLessThanOrEqual(1 + 1e-9);
          expect(relevanceOf([...asked].reverse(), of([...list].reverse()))).toBe(relevance);
        },
      ),
    );
  });

  it("G8: the more of the question stands there, and the more of it is known, the greater it is", () => {
    const asked = [
      { weight: 5, isKnown: true },
      { weight: 3, isKnown: false },
    ];
    const little = relevanceOf(asked, of([[2, 2]]));
    expect(relevanceOf(asked, of([[9, 2]]))).toBeGreaterThan(little);
    expect(relevanceOf(asked, of([[2, 9]]))).toBeGreaterThan(little);
    const known = asked.map((entry) => ({ ...entry, isKnown: true }));
    expect(relevanceOf(known, of([[2, 2]]))).toBeGreaterThan(little);
    // One that stands alone says less than one among others like it.
    const twice = [
      [2, 2],
      [2, 2],
    ] as const;
    expect(relevanceOf(asked, of(twice))).toBeCloseTo(little, 12);
    const once = [
      [2, 2],
      [0, 2],
    ] as const;
    expect(relevanceOf(asked, of(once))).toBeLessThan(little);
  });

  it("G8: of a long question its rarest words are enough; one of times alone is answered by what was said then", () => {
    const rare = Array.from({ length: WEIGHTS.floorWords }, () => ({ weight: 4, isKnown: true }));
    const long = [...rare, ...Array.from({ length: 20 }, () => ({ weight: 1, isKnown: false }))];
    expect(relevanceOf(long, of([[8, 8]]))).toBe(relevanceOf(rare, of([[8, 8]])));
    expect(relevanceOf([], of([[0, 0]]))).toBe(1);
  });
});
