import { createHash } from "node:crypto";
import { setImmediate } from "node:timers/promises";
import type { KeywordDocument } from "@throughline/core";
import fc from "fast-check";
import { expect, it } from "vitest";
import { hash64, termArrays } from "./hashes.ts";

const document = (terms: readonly string[]): KeywordDocument => ({
  turn: "t",
  seq: 1,
  position: 0,
  message: "m",
  role: "user",
  group: "said",
  createdAt: "2026-11-30T00:00:00.000Z",
  place: 0,
  length: terms.length,
  terms: terms.map((term) => [term, 1]),
});

it("S5: a term's number is that of its UTF-16 code units, whatever they are", () => {
  const number = (term: string): string =>
    createHash("sha256").update(term, "utf16le").digest().readBigInt64LE(0).toString();
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (term) => {
      expect(hash64(term)).toBe(number(term));
    }),
  );
  expect(hash64("\ud800")).toBe(number("\ud800"));
});

it("J7: a message of a great many words lets others have their turn while they are hashed", async () => {
  const words = Array.from({ length: 21_000 }, (_, index) => `word${index}`);
  let turns = 0;
  let isOver = false;
  const others = (async () => {
    for (; !isOver; turns++) await setImmediate();
  })();
  const [array, short] = await termArrays([document(words), document(["tea"])]);
  isOver = true;
  await others;
  expect(turns).toBeGreaterThanOrEqual(10);
  expect(array).toBe(`{${words.map(hash64).join(",")}}`);
  expect(short).toBe(`{${hash64("tea")}}`);
});
