import { describe, expect, it } from "vitest";
import { escapeLine, escapeStored } from "./escape.ts";

describe("a stored text in the block", () => {
  it("I2: is one line, with a mark where lines were", () => {
    expect(escapeLine("a \n\n  b\r\nc")).toBe("a ⏎ b ⏎ c");
    expect(escapeLine(" \n a\n ")).toBe(" ⏎ a ⏎ ");
    expect(escapeLine("one  line ")).toBe("one  line ");
  });

  it("I2: is escaped in a moment, whatever it holds", () => {
    // An expression that looks for space before a line break takes minutes for this.
    expect(escapeLine(`\nx${" ".repeat(1_000_000)}x`)).toHaveLength(1_000_005);
    for (const unit of ["\n", "\r", "&", "\ud800", "\u2028"]) escapeStored(unit.repeat(1_000_000));
  });
});
