import fc from "fast-check";
import { stemmer } from "stemmer";
import { expect, it } from "vitest";
import { questionTerms } from "./message-terms.ts";
import { formerStem, stem } from "./stem.ts";

it.each([
  ["buy", "buys", "buying", "bought"],
  ["swim", "swam", "swum", "swimming"],
  ["child", "children"],
  ["knife", "knives"],
  ["bus", "buses"],
  ["die", "died", "dying"],
  ["live", "lives", "lived"],
  ["leave", "leaves", "left"],
  ["favorite", "favourite", "favourites"],
  ["organize", "organise", "organised", "organizing"],
  ["travel", "travelled", "traveling"],
  ["center", "centre", "centres"],
])("S5: all forms and spellings of %s have one stem", (word, ...forms) => {
  for (const form of forms) expect(stem(form), form).toBe(stem(word));
});

it("S5: what is another word in most texts keeps its own stem", () => {
  for (const [form, word] of [
    ["rose", "rise"],
    ["ground", "grind"],
    ["lives", "life"],
    ["leaves", "leaf"],
  ] as const) {
    expect(stem(form), form).not.toBe(stem(word));
  }
});

it("S5: a question by an irregular form finds what was indexed under that form, too, and does not count it", () => {
  const { terms, spellings } = questionTerms("Which tent was bought?");
  expect(terms).toEqual(["tent", stem("buy")]);
  expect(spellings).toEqual(["bought"]);
  expect(questionTerms("Which tents do I buy?").spellings).toEqual([]);
  expect(questionTerms("Which coloured tents?").spellings).toEqual(["colour"]);
  expect(questionTerms("Which colored tents?").spellings).toEqual([]);
});

it("S5: a word without irregular forms has the stem of its ending alone, as has a word of any other script", () => {
  fc.assert(
    fc.property(fc.stringMatching(/^z[aeiou][lmnr][aeiou]z(ing|ed|s)?$/), fc.string(), (word, any) => {
      expect(stem(word)).toBe(stemmer(word));
      expect(formerStem(word, stem(word))).toBeUndefined();
      if (!/^[a-z]+$/.test(any)) expect(stem(any)).toBe(any);
    }),
  );
});
