import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { editText } from "./edit-text.ts";

const text = "one\ntwo\nthree\ntwo again";

describe("editing text", () => {
  it("W9: replaces a text that is there once, and whole lines", () => {
    expect(editText(text, [{ find: "three", replace: "3" }])).toEqual({ ok: true, text: "one\ntwo\n3\ntwo again" });
    expect(editText(text, [{ lines: [2, 3], replace: "2" }])).toEqual({ ok: true, text: "one\n2\ntwo again" });
    expect(editText(text, [{ lines: [4, 4], replace: "4" }])).toEqual({ ok: true, text: "one\ntwo\nthree\n4" });
    expect(editText(text, [{ lines: [1, 1], replace: "" }])).toEqual({ ok: true, text: "two\nthree\ntwo again" });
    expect(editText("a\n", [{ lines: [1, 1], replace: "b" }])).toEqual({ ok: true, text: "b\n" });
  });

  it("W9: finds all edits in the text as it was, in any order", () => {
    const edits = [
      { find: "again", replace: "one" },
      { lines: [1, 1] as const, replace: "again" },
    ];
    expect(editText(text, edits)).toEqual({ ok: true, text: "again\ntwo\nthree\ntwo one" });
  });

  it.each([
    [{ find: "four", replace: "" }, "text-not-found"],
    [{ find: "", replace: "x" }, "text-not-found"],
    [{ find: "two", replace: "" }, "ambiguous"],
    [{ lines: [0, 1] as const, replace: "" }, "no-such-lines"],
    [{ lines: [3, 2] as const, replace: "" }, "no-such-lines"],
    [{ lines: [4, 5] as const, replace: "" }, "no-such-lines"],
  ])("W9: refuses %j as %s and says which edit it was", (edit, refusal) => {
    const good = { find: "one", replace: "1" };
    expect(editText(text, [good, edit])).toMatchObject({ ok: false, refusal, edit: 1 });
  });

  it("W9: counts texts that overlap themselves as more than one, and refuses edits of the same place", () => {
    expect(editText("aaa", [{ find: "aa", replace: "" }])).toMatchObject({ refusal: "ambiguous" });
    const edits = [
      { find: "three", replace: "" },
      { lines: [3, 3] as const, replace: "" },
    ];
    expect(editText(text, edits)).toMatchObject({ refusal: "overlapping" });
    expect(editText("", [{ lines: [1, 1], replace: "x" }])).toMatchObject({ refusal: "no-such-lines" });
  });

  it("W9: changes nothing but what the edit names", () => {
    fc.assert(
      fc.property(fc.string({ maxLength: 60 }), fc.string({ maxLength: 60 }), fc.string(), (before, after, put) => {
        const whole = `${before}<<mark>>${after}`;
        fc.pre(!before.includes("<") && !after.includes("<"));
        expect(editText(whole, [{ find: "<<mark>>", replace: put }])).toEqual({ ok: true, text: before + put + after });
      }),
      { numRuns: 2_000 },
    );
  });
});
