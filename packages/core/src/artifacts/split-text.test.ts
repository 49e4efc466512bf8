import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isGraphemeBoundary, MAX_GRAPHEME } from "./grapheme-boundary.ts";
import { resplit, splitText } from "./split-text.ts";

const graphemes = (text: string): number[] =>
  [...new Intl.Segmenter(undefined, { granularity: "grapheme" }).segment(text)].map(({ index }) => index);

const piece = fc.oneof(
  fc.string({ unit: "grapheme", maxLength: 12 }),
  fc.string({ unit: "binary", maxLength: 12 }),
  fc.constantFrom(
    "🇩🇪",
    "🇫🇷🇯🇵",
    "👩‍👩‍👧‍👦",
    "é",
    "e\u0301",
    "\u0301",
    "\u200d",
    "\r\n",
    "\n",
    "กำ",
    "क्षि",
    "각",
    "각",
    "漢字",
    "ab",
    " ",
    "🏳️‍🌈",
  ),
);
const text = fc.array(piece, { maxLength: 30 }).map((pieces) => pieces.join(""));

function expectWhole(pieces: readonly string[], whole: string): void {
  expect(pieces.join("")).toBe(whole);
  const boundaries = new Set(graphemes(whole));
  let at = 0;
  for (const part of pieces) {
    expect(part).not.toBe("");
    expect(boundaries.has(at), `cut at ${at} of ${JSON.stringify(whole)}`).toBe(true);
    at += part.length;
  }
}

describe("splitting text", () => {
  it("W9: pages together are the text exactly, and no grapheme is split", () => {
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 40 }), (whole, size) => {
        const pieces = splitText(whole, size);
        expectWhole(pieces, whole);
        // A piece is larger than asked for only where it is one grapheme.
        for (const part of pieces) if (part.length > size) expect(graphemes(part)).toHaveLength(1);
      }),
      { numRuns: 10_000 },
    );
  });

  it("W9: tells every boundary as the whole text has it", () => {
    fc.assert(
      fc.property(text, (whole) => {
        const boundaries = new Set([...graphemes(whole), whole.length]);
        for (let at = 0; at <= whole.length; at++) {
          expect(isGraphemeBoundary(whole, at), `at ${at} of ${JSON.stringify(whole)}`).toBe(
            boundaries.has(at) || whole === "",
          );
        }
      }),
      { numRuns: 3_000 },
    );
  });

  it("W9: a change splits anew only what it changed, whatever the change joins", () => {
    fc.assert(
      fc.property(
        text,
        fc.nat(),
        fc.nat(20),
        piece,
        fc.integer({ min: 1, max: 30 }),
        (whole, place, cut, put, size) => {
          const at = whole === "" ? 0 : place % (whole.length + 1);
          const changed = whole.slice(0, at) + put + whole.slice(at + cut);
          const old = splitText(whole, size);
          const { before, after, pieces } = resplit(old, changed, size);
          expect(before + after).toBeLessThanOrEqual(old.length);
          const joined = [...old.slice(0, before), ...pieces, ...old.slice(old.length - after)];
          expectWhole(joined, changed);
        },
      ),
      { numRuns: 10_000 },
    );
  });

  it("W9: keeps the pieces before and behind a small change", () => {
    const whole = "All work and no play. ".repeat(1_000);
    const old = splitText(whole, 1_000);
    const at = 11_500;
    const result = resplit(old, `${whole.slice(0, at)}changed ${whole.slice(at)}`, 1_000);
    expect(result.before).toBe(11);
    expect(result.after).toBe(old.length - 12);
    expect(result.pieces.length).toBeLessThanOrEqual(2);
  });

  it("W9: gives up on what is no character of any language, and still parts no code point", () => {
    const pieces = splitText(`a${"\u{1E8D0}".repeat(5_000)}`, 100);
    expect(pieces.join("")).toHaveLength(10_001);
    for (const part of pieces) {
      expect(part.length).toBeLessThanOrEqual(MAX_GRAPHEME + 2);
      expect(part.isWellFormed()).toBe(true);
    }
  });

  it("W9: splits a large text of any script in a moment", () => {
    for (const unit of ["plain words ", "漢字仮名交じり文", "กินข้าวหรือยัง", "🇩🇪", "👩‍👩‍👧‍👦", "नमस्ते दुनिया "]) {
      const whole = unit.repeat(Math.ceil(400_000 / unit.length));
      const started = performance.now();
      expect(splitText(whole, 20_000).join("")).toBe(whole);
      expect(performance.now() - started).toBeLessThan(5_000);
    }
  });
});
