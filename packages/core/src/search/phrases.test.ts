import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { countHeld, phrasesIn } from "./phrases.ts";

describe("quoted phrases", () => {
  it.each([
    ['who said "blue bowl" and when?', ["blue bowl"]],
    ["who said “blue bowl”?", ["blue bowl"]],
    ["wer sagte „blaue Schale“?", ["blaue Schale"]],
    ["qui a dit « bol bleu » ?", [" bol bleu "]],
    ["wer sagte »blaue Schale«?", ["blaue Schale"]],
    ["谁说了「蓝色的碗」", ["蓝色的碗"]],
    ['"a" or "b" or "a"', ["a", "b"]],
    ["it's Ana's, isn't it", []],
    ['an open " alone', []],
    ['nothing in "?!" these ""', []],
  ])("S1: of %s", (query, phrases) => {
    expect(phrasesIn(query)).toEqual(phrases);
  });

  it.each([
    ["I made a Blue,\nBOWL.", "blue bowl", 1],
    ["I made a bowl that is blue", "blue bowl", 0],
    ["blue bowls", "blue bowl", 0],
    ["le café noir", "cafe noir", 1],
    ["我买了蓝色的碗", "蓝色的碗", 1],
    ["我买了蓝色的大碗", "蓝色的碗", 0],
    ["使用React开发", "React", 0],
    ["party 🎉🎉 tonight", "🎉", 0],
    ["to be or not to be", "or not to be", 1],
  ])("S1: %s holds %s: %d", (text, phrase, held) => {
    expect(countHeld(text, [phrase])).toBe(held);
  });

  it("S1: whatever words stand together are held, wherever they stand", () => {
    const word = fc.stringMatching(/^[a-zäéλж]{1,6}$/u);
    fc.assert(
      fc.property(fc.array(word), fc.array(word, { minLength: 1 }), fc.array(word), (before, phrase, behind) => {
        expect(countHeld([...before, ...phrase, ...behind].join(", "), [phrase.join(" ")])).toBe(1);
      }),
    );
  });
});
