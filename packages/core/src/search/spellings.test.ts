import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { messageTerms, questionTerms } from "./message-terms.ts";
import { otherSpellings } from "./spellings.ts";

/** Spellings of one word or number: each finds each. */
const ALIKE: readonly (readonly string[])[] = [
  ["Müller", "Mueller", "MÜLLER", "Muller"],
  ["Göteborg", "Goeteborg"],
  ["Århus", "Aarhus"],
  ["Søren", "Soren"],
  ["Łódź", "Lodz"],
  ["ışık", "isik"],
  ["IŞIK", "isik"],
  ["٢٠٢٣", "2023", "２０２３"],
  ["२०२३", "2023"],
  ["1,000", "1000", "1’000"],
  ["1,00,000", "100000", "100,000"],
  ["١,٠٠٠", "1000"],
  ["২০২৩", "2023", "௨௦௨௩", "၂၀၂၃", "២០២៣"],
  ["১,০০০", "1000"],
];

/** Whether a question of one spelling asks for something that a message of the other is found by. */
function finds(asked: string, said: string): boolean {
  const { terms, spellings } = questionTerms(asked);
  const known = messageTerms(`so ${said} then`).terms;
  return [...terms, ...spellings].some((term) => known.has(term));
}

describe("other spellings", () => {
  it.each(ALIKE)("S5: %s is found as %s, and the other way round", (plain, ...others) => {
    for (const other of others) {
      expect(finds(plain, other), `${plain} by ${other}`).toBe(true);
      expect(finds(other, plain), `${other} by ${plain}`).toBe(true);
    }
  });

  it("S5: what is written plainly has no other spelling, and parts of numbers are no numbers", () => {
    for (const text of ["blue does value", "at 3,5 km", "10.000", "1,2,3", "12,34", "1,0000", "x1,000", "don't 9'11"]) {
      expect(otherSpellings(text), text).toEqual([]);
    }
    expect(otherSpellings("$1,000.50 and 2,500,000")).toEqual(["1000", "2500000"]);
  });

  it("S5: of any text they are few, plain and of bounded length", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary", maxLength: 200 }), (text) => {
        const others = otherSpellings(text);
        expect(new Set(others).size).toBe(others.length);
        expect(others.length).toBeLessThanOrEqual(4 * text.length);
        for (const other of others) expect(other.length).toBeLessThanOrEqual(64);
      }),
    );
  });

  it("S5: none is empty, whatever script its digits are of", () => {
    const digits = Array.from({ length: 0x11_0000 }, (_, code) => code)
      .filter((code) => code < 0xd800 || code > 0xdfff)
      .map((code) => String.fromCodePoint(code))
      .filter((letter) => /\p{Nd}/u.test(letter));
    expect(digits.length).toBeGreaterThan(600);
    for (const digit of digits) {
      expect(otherSpellings(`${digit},${digit}${digit}${digit}`)).not.toContain("");
    }
  });
});
