import fc from "fast-check";
import { expect, it } from "vitest";
import { encodeRecent, RecentReader } from "./recent-terms.ts";

const number = fc.maxSafeNat();
const document = fc.record({
  ref: number,
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

it("S1: recent documents and their terms are read as they were written, also where terms are passed over", () => {
  const written = fc.array(fc.record({ document, terms, passesOver: fc.boolean() }), { maxLength: 6 });
  fc.assert(
    fc.property(written, (documents) => {
      const parts = documents.map((one) => encodeRecent({ ...one.document, bucket: 1 }, one.terms));
      const bytes = Uint8Array.from(Buffer.concat(parts));
      const reader = new RecentReader(bytes);
      for (const [index, one] of documents.entries()) {
        expect(reader.next()).toBe(true);
        const { ref, ordinal, tool, role, length, conversation, place } = reader;
        expect({ ref, ordinal, tool, role, length, conversation, place }).toEqual(one.document);
        expect(bytes.slice(reader.start, reader.end)).toEqual(parts[index]);
        if (one.passesOver) continue;
        const read: [number, number][] = [];
        while (reader.nextTerm()) read.push([reader.term, reader.frequency]);
        expect(read).toEqual(one.terms);
      }
      expect(reader.next()).toBe(false);
      expect(reader.start).toBe(bytes.length);
    }),
  );
});
