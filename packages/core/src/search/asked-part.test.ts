import fc from "fast-check";
import { expect, it } from "vitest";
import { askedPart, MOST_ASKED } from "./asked-part.ts";
import { phrasesIn } from "./phrases.ts";

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

it.each(["\n", " ", "\t", "\u200b", "\u00a0"])("S1: a question between thousands of %j is asked", (blank) => {
  const question = "Where does Ana live?";
  expect(askedPart(`${blank.repeat(9_000)}${question}${blank.repeat(9_000)}`).trim()).toBe(question);
});

it.each([
  ['"', '"'],
  ["“", "”"],
  ["„", "“"],
  ["„", '"'],
  ["«", "»"],
  ["「", "」"],
])("S1: a quotation %s…%s that is cut leaves those of the question as they are", (open, close) => {
  const cited = (text: string) => `${open}${text}${close}`;
  const long = cited("sed eiusmod tempor ".repeat(200));
  const [before, between] = ["Minutes. ".repeat(400), "Lorem dolor sit. ".repeat(600)];
  const asked = `${cited("a blue boat")} or ${cited("a red tent")}?`;
  for (const text of [before + long + between + asked, before + between + long + asked, before + between + asked]) {
    expect(text.length).toBeGreaterThan(MOST_ASKED);
    expect(phrasesIn(askedPart(text))).toEqual(expect.arrayContaining(["a blue boat", "a red tent"]));
  }
  const inches = `${between}Find "a red tent" for a 27" screen`;
  expect(phrasesIn(askedPart(inches))).toEqual(["a red tent"]);
});
