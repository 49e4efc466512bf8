import fc from "fast-check";
import { estimateTokenCount } from "tokenx";
import { describe, expect, it } from "vitest";
import { cutAtGrapheme } from "./graphemes.ts";
import { contentHash } from "./hash.ts";
import { estimateTokens, ROUGH_FACTOR, roughTokens } from "./tokens.ts";

describe("cutting texts", () => {
  it("F4: never splits a surrogate pair or a grapheme", () => {
    expect(cutAtGrapheme("ab👩‍👩‍👧cd", 5)).toBe("ab");
    expect(cutAtGrapheme("cafe\u0301!", 4)).toBe("caf");
    expect(cutAtGrapheme("short", 10)).toBe("short");
    fc.assert(
      fc.property(fc.string({ unit: "grapheme", maxLength: 300 }), fc.nat(300), (text, max) => {
        const cut = cutAtGrapheme(text, max);
        expect(cut.length).toBeLessThanOrEqual(max);
        expect(text.startsWith(cut)).toBe(true);
        expect(cut.isWellFormed()).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe("counting tokens", () => {
  const samples = [
    "I would like to book a table for four on Friday evening at half past seven, please.",
    "const total = items.reduce((sum, item) => sum + item.price * item.count, 0); // in cents",
    "我下周三要去北京出差，请帮我订一张机票，靠窗的座位，谢谢。",
    "来週の水曜日に東京へ出張します。新幹線の切符を予約してください。",
    "Je voudrais réserver une chambre pour deux personnes, du douze au quinze août.",
    "أود حجز طاولة لأربعة أشخاص مساء الجمعة من فضلك",
    "Мне нужно забронировать столик на четверых в пятницу вечером.",
    '{"order": 1234, "lines": [{"sku": "A-1", "count": 2}, {"sku": "B-7", "count": 1}]}',
    "Yes.",
  ];

  it.each(samples)("the rough count stays within its factor on %j", (sample) => {
    const text = `${sample} `.repeat(5);
    const ratio = roughTokens(text) / estimateTokens(text);
    expect(ratio).toBeLessThanOrEqual(ROUGH_FACTOR);
    expect(ratio).toBeGreaterThanOrEqual(1 / ROUGH_FACTOR);
  });

  it("J7: of a long text, whatever it is put together of, parts tell as much as the whole", () => {
    const emoji = ["😀", "👨‍👩‍👧‍👦", "🇩🇪", "👍🏽"].map((each) => each.repeat(60));
    const run = fc.tuple(fc.constantFrom(...samples, ...emoji), fc.integer({ min: 1, max: 200 }));
    const long = fc.array(run, { minLength: 1, maxLength: 60 }).map((runs) => {
      const text = runs.map(([sample, times]) => `${sample}\n`.repeat(times)).join("");
      return text.repeat(Math.ceil(40_000 / text.length));
    });
    fc.assert(
      fc.property(long, (text) => {
        const ratio = estimateTokens(text) / estimateTokenCount(text);
        expect(ratio).toBeGreaterThan(0.85);
        expect(ratio).toBeLessThan(1.15);
      }),
    );
    const families = "👨‍👩‍👧‍👦".repeat(5_000);
    expect(estimateTokens(families) / estimateTokenCount(families)).toBeCloseTo(1, 2);
    const plain = "some words ".repeat(3_000);
    expect(estimateTokens(plain + "字".repeat(500))).toBeGreaterThan(estimateTokens(plain + "word ".repeat(100)));
  });
});

describe("content hashes", () => {
  it("W1: are equal for equal texts and differ for others", () => {
    expect(contentHash("hello")).toBe(contentHash("hello"));
    const seen = new Set(Array.from({ length: 50_000 }, (_, index) => contentHash(`message ${index}`)));
    expect(seen.size).toBe(50_000);
    expect(contentHash("")).toMatch(/^[0-9a-z]{14}$/);
  });
});
