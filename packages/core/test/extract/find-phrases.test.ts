import fc from "fast-check";
import { expect, it } from "vitest";
import { PhraseFinder } from "../../src/extract/find-phrases.ts";
import { PHRASES_OF } from "../../src/extract/language-phrases.ts";
import { openPhrases } from "../../src/extract/open-phrases.ts";
import { relativePhrases } from "../../src/extract/relative-phrases.ts";

const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u;
const HANGUL = /\p{Script=Hangul}/u;

/** The same by one expression of all phrases. */
function expressionOf(phrases: readonly string[]): RegExp {
  const escaped = phrases.map((phrase) =>
    phrase
      .replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
      .replaceAll(" ", "\\s*")
      .replaceAll("'", "['’]"),
  );
  const body = `(?:${escaped.join("|")})`;
  const isUnspaced = phrases.some((phrase) => UNSPACED.test(phrase));
  const end = phrases.some((phrase) => HANGUL.test(phrase)) ? "" : "(?![\\p{L}\\p{N}])";
  return new RegExp(isUnspaced ? body : `(?<![\\p{L}\\p{N}])${body}${end}`, "giu");
}

it.each([...Object.keys(PHRASES_OF), "th"])(
  "X7: phrases of %s are found as by one expression of them all",
  (language) => {
    for (const phrases of [relativePhrases(language), openPhrases(language)]) {
      if (phrases.size === 0) continue;
      const finder = new PhraseFinder(new Map([...phrases.keys()].map((phrase) => [phrase, phrase])));
      const expression = expressionOf([...phrases.keys()]);
      const phrase = fc.constantFrom(...phrases.keys());
      const piece = fc.oneof(
        { weight: 4, arbitrary: phrase },
        phrase.map((text) => text.toUpperCase()),
        phrase.map((text) => text.replaceAll("'", "’")),
        phrase.map((text) => text.slice(0, -1)),
        fc.constantFrom("the", "x", "3", "日", "한", "ß", "İ", "𝟓", "𐐀", "é", "-", ".", "'", "ΣΑΣ", "ı"),
      );
      const gap = fc.constantFrom("", " ", "  ", "\n", "\u00a0");
      const text = fc.array(fc.tuple(piece, gap), { maxLength: 8 }).map((pieces) => pieces.flat().join(""));
      fc.assert(
        fc.property(text, (said) => {
          const found = finder.find(said).map(({ index, length }) => [index, length]);
          expect(found).toEqual([...said.matchAll(expression)].map(({ 0: match, index }) => [index, match.length]));
        }),
        { numRuns: 200 },
      );
    }
  },
);

it("X7: of several phrases in one place the first counts, and one that a word goes on behind doesn't", () => {
  const finder = new PhraseFinder(
    new Map([
      ["last week", 1],
      ["last", 2],
      ["week", 3],
    ]),
  );
  const meanings = (text: string) => finder.find(text).map(({ meaning }) => meaning);
  expect(meanings("Last  week")).toEqual([1]);
  expect(meanings("last weekend week")).toEqual([2, 3]);
  expect(meanings("blast weeks")).toEqual([]);
});
