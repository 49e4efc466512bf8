import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { queryTerms } from "./index-terms.ts";
import { isLanguageTerm } from "./language-terms.ts";
import { messageTerms, questionTerms } from "./message-terms.ts";

const plain = (text: string): string[] => [...messageTerms(text).terms.keys()].filter((term) => !isLanguageTerm(term));

const otherForms = (question: string): string[] => questionTerms(question).forms;

describe("other forms of words", () => {
  it("S5: stems come beside the words: whatever language was told, a word finds itself", () => {
    const word = fc.oneof(
      fc.constantFrom("ich", "die", "le", "el", "het", "och", "ve", "я", "και", "Häuser", "canções", "книги", "كتاب"),
      fc.stringMatching(/^\p{L}{1,8}$/u),
    );
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 12 }), (words) => {
        const held = new Set(plain(words.join(" ")));
        for (const each of words) for (const term of queryTerms(each)) expect(held, each).toContain(term);
        expect(messageTerms(words.join(" ")).length).toBeLessThanOrEqual(plain(words.join(" ")).length * 12);
      }),
    );
  });

  it("S5: English has no terms beside its stems, and a text that may be English counts as English", () => {
    for (const text of ["I went to the old house", "me too", "zorbik flumtrag", "12 × 14", "ok"]) {
      expect([...messageTerms(text).terms.keys()].filter(isLanguageTerm), text).toEqual([]);
    }
    expect(otherForms("Where is the old house?")).toEqual([]);
    for (const identifier of ["needle12n", "12needle", "order_id4"]) expect(otherForms(identifier)).toEqual([]);
  });

  it("S5: a question of few words is asked in all languages, and finds the one that it is of", () => {
    const said = messageTerms("Wir haben die Häuser verkauft").terms;
    expect(otherForms("ein Haus").filter((term) => said.has(term))).toHaveLength(1);
    expect(otherForms("Hauses, haben").filter((term) => said.has(term))).toHaveLength(1);
    expect(otherForms("Hauses").some((term) => messageTerms("ich mag casa und maison").terms.has(term))).toBe(false);
  });

  it("S5: no word of any script throws or has a term without end, nor is one found by its ending alone", () => {
    const letters = fc.oneof(
      fc.string({ unit: "binary", maxLength: 200 }),
      fc.string({ unit: fc.constantFrom(..."aeiouäößçéıİğяйἈάςكتابअािं\u0301\ud800"), maxLength: 200 }),
    );
    fc.assert(
      fc.property(letters, fc.constantFrom("", "der die das ", "le les ", "ve bir ", "och den "), (word, small) => {
        for (const term of [...messageTerms(small + word).terms.keys(), ...otherForms(word)].filter(isLanguageTerm)) {
          expect(term.length).toBeGreaterThan("\u0002de".length);
          expect(term.length).toBeLessThanOrEqual(64 + "\u0002de".length);
          expect(term.isWellFormed()).toBe(true);
        }
      }),
      {
        examples: [
          ["ᾅἓἻ", ""],
          ["𝕰".repeat(70), "och den "],
        ],
      },
    );
    // Some stemmers take the square of a word's length: 100,000 letters would take seconds.
    const [long, cut] = ["ö".repeat(100_000), "ö".repeat(64)];
    expect(otherForms(long)).toEqual(otherForms(cut));
    expect([...messageTerms(`der die das ${long}`).terms.keys()]).toEqual([
      ...messageTerms(`der die das ${cut}`).terms.keys(),
    ]);
  });
});
