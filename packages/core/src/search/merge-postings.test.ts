import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Greatest } from "./greatest.ts";
import { mergeDocuments } from "./merge-postings.ts";
import { atOnce, Slicer } from "./slices.ts";

const documents = fc.uniqueArray(fc.integer({ min: 0, max: 60 }), { maxLength: 40 });

describe("the documents of several terms", () => {
  it("S1: are there once each, and each term knows its own, whether they ascend or not", () => {
    fc.assert(
      fc.property(fc.array(documents, { maxLength: 6 }), fc.boolean(), (given, ascend) => {
        const lists = ascend ? given.map((list) => list.toSorted((left, right) => left - right)) : given;
        const merged = atOnce(mergeDocuments(lists, new Slicer()));
        expect(new Set(merged.documents)).toEqual(new Set(lists.flat()));
        expect(merged.documents).toHaveLength(merged.size);
        expect(merged.size).toBe(new Set(lists.flat()).size);
        const own = merged.unitsOf.map((units) => Array.from(units, (unit) => merged.documents[unit]));
        expect(own).toEqual(lists);
      }),
    );
  });
});

describe("the greatest of many numbers", () => {
  it("S1: end with the one that sorting finds", () => {
    const numbers = fc.array(fc.double({ min: 0, max: 9, noNaN: true }), { maxLength: 60 });
    fc.assert(
      fc.property(numbers, fc.integer({ min: 1, max: 20 }), (values, wanted) => {
        const greatest = new Greatest(wanted);
        for (const value of values) greatest.add(value);
        const sorted = values.toSorted((left, right) => right - left);
        expect(greatest.least).toBeCloseTo(sorted[Math.min(wanted, sorted.length) - 1] ?? 0, 12);
      }),
    );
  });
});
