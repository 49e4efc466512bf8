import { describe, expect, it } from "vitest";
import { MemoryError } from "../errors/memory-error.ts";
import { durationMs, isoTime, timeAfter } from "./duration.ts";
import { checkId } from "./ids.ts";
import { canonicalJson, checkJson } from "./json.ts";

const codeOf = (run: () => unknown): string | undefined => {
  try {
    run();
  } catch (error) {
    return MemoryError.isInstance(error) ? error.code : `not a MemoryError: ${String(error)}`;
  }
  return undefined;
};

describe("ids", () => {
  it.each([
    ["empty", ""],
    ["NUL", "a\0b"],
    ["a lone high surrogate", "a\ud800"],
    ["a lone low surrogate", "\udc00a"],
    ["513 bytes", "x".repeat(513)],
    ["257 two-byte letters", "é".repeat(257)],
    ["null", null],
    ["a number", 7],
    ["undefined", undefined],
  ])("J3/PR5: refuses %s", (_, id) => {
    expect(codeOf(() => checkId(id, "subject id"))).toBe("INVALID_ID");
  });

  it.each([
    "o'brien@example.org",
    "100%",
    "a:b/c",
    "用户",
    "👩‍👩‍👧",
    "x".repeat(512),
    "é".repeat(256),
    "; drop table turn; --",
  ])("J3/PR5: accepts %j", (id) => {
    expect(codeOf(() => checkId(id, "subject id"))).toBeUndefined();
  });
});

describe("JSON", () => {
  const cyclic: Record<string, unknown> = {};
  cyclic.self = cyclic;
  it.each([
    ["undefined inside", { a: { b: undefined } }, "value.a.b"],
    ["a function", { f: () => 1 }, "value.f"],
    ["NaN", [1, Number.NaN], "value[1]"],
    ["Infinity", Number.POSITIVE_INFINITY, "value"],
    ["a big integer", { n: 1n }, "value.n"],
    ["a date", { at: new Date() }, "value.at"],
    ["a map", new Map(), "value"],
    ["a symbol", [Symbol("s")], "value[0]"],
  ])("names the path of %s", (_, value, path) => {
    try {
      checkJson(value, "value");
      expect.unreachable();
    } catch (error) {
      expect(MemoryError.isInstance(error) && error.code).toBe("INVALID_JSON");
      expect((error as MemoryError).details.path).toBe(path);
    }
  });

  it("refuses a value that holds itself", () => {
    expect(codeOf(() => checkJson(cyclic, "value"))).toBe("INVALID_JSON");
  });

  it("accepts plain values, null prototypes and lone surrogates inside texts", () => {
    const bare: Record<string, unknown> = Object.create(null);
    bare.a = [1, "two", null, true, { b: "\ud800" }];
    expect(codeOf(() => checkJson(bare, "value"))).toBeUndefined();
  });

  it("writes equal values as equal texts, whatever the order of their keys", () => {
    expect(canonicalJson({ b: [1, { d: 1, c: 2 }], a: null })).toBe(canonicalJson({ a: null, b: [1, { c: 2, d: 1 }] }));
    expect(canonicalJson([1, 2])).not.toBe(canonicalJson([2, 1]));
  });
});

describe("durations and times", () => {
  it.each([
    ["90d", 90 * 86_400_000],
    ["30m", 1_800_000],
    ["1.5h", 5_400_000],
    ["250ms", 250],
    [42, 42],
  ])("reads %s", (text, ms) => {
    expect(durationMs(text, "ttl")).toBe(ms);
  });

  it.each(["", "soon", "-1d", 0, -5, Number.NaN, "5 years"])("refuses %j", (value) => {
    expect(codeOf(() => durationMs(value, "ttl"))).toBe("INVALID_ARGUMENT");
  });

  it("writes every time in UTC, so that times compare as text", () => {
    expect(isoTime("2026-03-01T10:00:00+02:00", "from")).toBe("2026-03-01T08:00:00.000Z");
    expect(isoTime("2026-03-01T08:00:00.000Z", "from")).toBe("2026-03-01T08:00:00.000Z");
    expect(timeAfter("2026-03-01T08:00:00.000Z", 1_000)).toBe("2026-03-01T08:00:01.000Z");
    for (const wrong of ["yesterday", "2026-13-01T00:00:00.000Z", "2026-01-45T99:00:00.000Z", new Date(Number.NaN)]) {
      expect(
        codeOf(() => isoTime(wrong, "from")),
        String(wrong),
      ).toBe("INVALID_ARGUMENT");
    }
    // As texts they don't compare with others.
    for (const far of ["+275760-09-13T00:00:00.000Z", "-000001-01-01T00:00:00.000Z"]) {
      expect(
        codeOf(() => isoTime(far, "from")),
        far,
      ).toBe("INVALID_ARGUMENT");
    }
    expect(isoTime("2026-12-31T23:59:59.999Z", "from")).toBe("2026-12-31T23:59:59.999Z");
  });

  it("PR5: refuses days that don't exist, in any form, and takes those that do", () => {
    const wrong = [
      "2026-02-30T00:00:00.000Z",
      "2026-02-29",
      "1900-02-29T01:00:00+02:00",
      "2026-04-31 09:00",
      "2026/2/30",
    ];
    for (const day of wrong) {
      expect(
        codeOf(() => isoTime(day, "from")),
        day,
      ).toBe("INVALID_ARGUMENT");
    }
    expect(isoTime("2024-02-29", "from")).toBe("2024-02-29T00:00:00.000Z");
    expect(isoTime("0000-02-29T00:00:00Z", "from")).toBe("0000-02-29T00:00:00.000Z");
    expect(isoTime("2026-01-31T23:00:00-02:00", "from")).toBe("2026-02-01T01:00:00.000Z");
  });
});
