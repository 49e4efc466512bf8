import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { piecesOf } from "./pieces.ts";
import { WEIGHTS } from "./weights.ts";

describe("pieces of long messages", () => {
  it("S1: are the text when put together again, none much longer than the others", () => {
    const texts = fc.oneof(
      fc.string({ unit: "grapheme", maxLength: 4_000 }),
      fc
        .array(
          fc.constantFrom("One short sentence. ", "And why not? ", "这是一句话。", "word ", "x".repeat(700), "\n"),
          { maxLength: 200 },
        )
        .map((list) => list.join("")),
    );
    fc.assert(
      fc.property(texts, (text) => {
        const pieces = piecesOf(text);
        expect(pieces.join("")).toBe(text);
        const wanted = Math.max(WEIGHTS.pieceChars, Math.ceil(text.length / 48));
        for (const piece of pieces) expect(piece.length).toBeLessThanOrEqual(3 * wanted);
        if (text !== "") expect(pieces.every((piece) => piece !== "")).toBe(true);
      }),
    );
  });

  it("S1: end behind sentences, and a short text is one", () => {
    const sentence = "The invoice was paid on Monday, before noon, by Ann. ";
    expect(piecesOf(sentence)).toEqual([sentence]);
    const pieces = piecesOf(sentence.repeat(20));
    expect(pieces.length).toBeGreaterThan(2);
    for (const piece of pieces) expect(piece.trimEnd().endsWith(".")).toBe(true);
  });

  it("S1: split no emoji and no word where there is a space", () => {
    const family = "👩‍👩‍👧";
    for (const piece of piecesOf(family.repeat(300))) expect(piece.replaceAll(family, "")).toBe("");
    for (const piece of piecesOf("wordy ".repeat(300))) expect(piece.replaceAll("wordy ", "")).toBe("");
  });
});
