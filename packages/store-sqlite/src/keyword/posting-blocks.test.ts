import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { encodePostings, type PostingColumns, readPostingsInto, withoutDocuments } from "./posting-blocks.ts";

const posting = fc.record({
  document: fc.maxSafeNat(),
  frequency: fc.integer({ min: 1, max: 1_000_000 }),
  role: fc.nat({ max: 3 }),
  length: fc.integer({ min: 1, max: 10_000_000 }),
  conversation: fc.maxSafeNat(),
  place: fc.maxSafeNat(),
});
const postings = fc.uniqueArray(posting, { selector: ({ document }) => document, maxLength: 40 });
const empty = (): PostingColumns => ({
  documents: [],
  frequencies: [],
  lengths: [],
  conversations: [],
  places: [],
});

describe("posting blocks", () => {
  it("S1: give every number back exactly", () => {
    fc.assert(
      fc.property(postings, (written) => {
        const columns = empty();
        const roles: number[] = [];
        const counts = readPostingsInto(columns, encodePostings(written), {
          only: null,
          pending: null,
          passes: (_, role) => roles.push(role) > 0,
        });
        expect(counts).toBe(written.length);
        expect(columns.documents).toEqual(written.map(({ document }) => document));
        expect(columns.frequencies).toEqual(written.map(({ frequency }) => frequency));
        expect(columns.lengths).toEqual(written.map(({ length }) => length));
        expect(columns.conversations).toEqual(written.map(({ conversation }) => conversation));
        expect(columns.places).toEqual(written.map(({ place }) => place));
        expect(roles).toEqual(written.map(({ role }) => role));
      }),
    );
  });

  it("S2: count the scope before the filter", () => {
    const place = { length: 5, conversation: 1, place: 1 };
    const written = [1, 2, 3, 4].map((document) => ({ document, frequency: 1, role: document % 2, ...place }));
    const columns = empty();
    const counts = readPostingsInto(columns, encodePostings(written), {
      only: new Set([1, 2, 3]),
      pending: new Set([3]),
      passes: (_, role) => role === 1,
    });
    expect(counts).toBe(2);
    expect(columns.documents).toEqual([1]);
  });

  it("A3: lose exactly the documents that are taken out", () => {
    fc.assert(
      fc.property(postings, fc.nat({ max: 40 }), (written, count) => {
        const gone = new Set(written.slice(0, count).map(({ document }) => document));
        const kept = written.filter(({ document }) => !gone.has(document));
        expect(withoutDocuments(encodePostings(written), gone)).toEqual(encodePostings(kept));
      }),
    );
  });
});
