import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readText, writeText } from "./text.ts";

describe("texts of columns", () => {
  it("PR5: every text comes back, and what is stored is well-formed and without NUL", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const stored = writeText(text);
        expect(readText(stored)).toBe(text);
        expect(stored.isWellFormed() && !stored.includes("\0")).toBe(true);
      }),
    );
    for (const text of ["", "\0", "a\0b", "\ud800", "\u0001", "\u0001[]"]) expect(readText(writeText(text))).toBe(text);
  });

  it("PR5: two texts are never stored as one", () => {
    expect(writeText("\0")).not.toBe(writeText(writeText("\0")));
  });
});
