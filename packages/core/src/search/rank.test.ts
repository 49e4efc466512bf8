import { describe, expect, it } from "vitest";
import { postingsOf, rankInSlices } from "./rank.ts";
import { atOnce } from "./slices.ts";
import { countTerms, extractTerms } from "./terms.ts";

const rank = (texts: readonly string[], query: string) =>
  atOnce(rankInSlices(atOnce(postingsOf([...new Set(extractTerms(query))], texts.map(countTerms)))));

describe("ranking", () => {
  it("S1: puts the text with the rarer word first", () => {
    const texts = ["the train to Lisbon", "the train is late", "the train is full"];
    expect(rank(texts, "train Lisbon").map((hit) => hit.document)[0]).toBe(0);
  });

  it("S1: computes BM25 as published", () => {
    // Two documents of two terms each, one of which holds the word once:
    // idf = ln(1 + (2 - 1 + 0.5) / (1 + 0.5)), tf part = 1 * 2.2 / (1 + 1.2 * (0.25 + 0.75)).
    const [hit] = rank(["red car", "blue car"], "red");
    expect(hit?.score).toBeCloseTo(Math.log(2) * (2.2 / 2.2), 10);
  });

  it("S1: prefers the shorter of two texts that say the same", () => {
    const texts = [
      "my dentist is Dr. Ho and there is much more to say about many other things",
      "my dentist is Dr. Ho",
    ];
    expect(rank(texts, "dentist").map((hit) => hit.document)).toEqual([1, 0]);
  });

  it("breaks ties for the newer text", () => {
    expect(rank(["same words", "same words"], "same").map((hit) => hit.document)).toEqual([1, 0]);
  });

  it("leaves out what shares no word", () => {
    expect(rank(["a cat", "a dog"], "dog").map((hit) => hit.document)).toEqual([1]);
    expect(rank(["a cat"], "bird")).toEqual([]);
    expect(rank([], "bird")).toEqual([]);
  });
});
