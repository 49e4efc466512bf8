import fc from "fast-check";
import { expect, it } from "vitest";
import { encodeTerms, readTerms } from "./document-terms.ts";

const number = fc.maxSafeNat();
const document = fc.record({
  ordinal: fc.nat(),
  tool: fc.nat({ max: 1 }),
  role: fc.nat({ max: 3 }),
  length: fc.nat(),
  conversation: number,
  place: number,
});
const terms = fc.array(fc.tuple(fc.nat({ max: 2 ** 47 - 1 }), fc.integer({ min: 1, max: 1_000_000 })), {
  maxLength: 40,
});

it("S1/Z8: the terms of a recent document give every number back exactly, and none where it isn't wanted", () => {
  fc.assert(
    fc.property(document, terms, (written, listed) => {
      const bytes = encodeTerms({ ...written, ref: 1, bucket: 2 }, listed);
      const read: [number, number][] = [];
      const visit = (term: number, frequency: number) => read.push([term, frequency]);
      readTerms(
        bytes,
        (found) => {
          expect(found).toEqual(written);
          return true;
        },
        visit,
      );
      expect(read).toEqual(listed);
      readTerms(bytes, () => false, visit);
      expect(read).toHaveLength(listed.length);
    }),
  );
});
