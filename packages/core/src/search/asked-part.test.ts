import fc from "fast-check";
import { expect, it } from "vitest";
import { askedPart, MOST_ASKED } from "./asked-part.ts";

it("J7: a question is asked whole, and of a very long one the beginning and the end are", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme", maxLength: 40 }), fc.nat({ max: 3_000 }), (piece, times) => {
      const question = piece.repeat(times);
      const asked = askedPart(question);
      if (question.length <= MOST_ASKED) expect(asked).toBe(question);
      else {
        expect(asked.length).toBeLessThanOrEqual(MOST_ASKED);
        if (question.isWellFormed()) expect(asked.isWellFormed()).toBe(true);
      }
    }),
  );
  const pasted = `What is this about? ${"lorem ipsum ".repeat(100_000)}Where does Ana live?`;
  expect(askedPart(pasted)).toMatch(
    /^What is this about\? lorem [\s\S]*(?:lorem|ipsum)\n(?:lorem|ipsum) [\s\S]* Where does Ana live\?$/,
  );
});
