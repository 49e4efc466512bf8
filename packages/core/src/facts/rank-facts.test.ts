import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Fact } from "../contract/fact.ts";
import { messageTerms } from "../search/message-terms.ts";
import { atOnce, type Slices } from "../search/slices.ts";
import { countTerms } from "../search/terms.ts";
import { meaningOf } from "../text/words.ts";
import { rankFacts } from "./rank-facts.ts";
import { countInParts, meaningInParts } from "./terms-in-parts.ts";

const fact = (place: number, value: string): Fact => {
  const at = new Date(Date.UTC(2026, 0, 1, 0, place)).toISOString();
  const said = { author: "user", origin: "user", createdAt: at, updatedAt: at, validFrom: at } as const;
  return { id: String(place), scope: "user", value, type: "fact", tags: [], version: 1, ...said };
};

function slicesOf(work: Slices<unknown>): number {
  for (let slices = 0; ; slices++) if (work.next().done === true) return slices;
}

describe("ranking facts in slices", () => {
  it("J7: no slice is larger than a fact, or a part of a long one", () => {
    const facts = Array.from({ length: 1_000 }, (_, place) =>
      fact(place, `The ${place} boats of harbour ${place % 7}.`),
    );
    expect(slicesOf(rankFacts(facts, "How many boats are in the harbour?"))).toBeGreaterThan(2 * facts.length);
    const long = fact(0, "boat harbour ".repeat(50_000));
    // 650,000 characters in parts of 8,192.
    expect(slicesOf(rankFacts([long], "boats"))).toBeGreaterThanOrEqual(80);
  });

  it("J7: the words of the facts are counted in slices where two of them are compared", () => {
    const filler = Array.from({ length: 500 }, (_, place) => fact(place, `Filler ${place}`));
    const pair = [fact(900, "The hutch has 3 rabbits"), fact(901, "The hutch has now 5 rabbits")];
    const compared = slicesOf(rankFacts([...filler, ...pair], "How many rabbits has the hutch?"));
    const alone = slicesOf(rankFacts([...filler, pair[0] as Fact], "How many rabbits has the hutch?"));
    expect(compared - alone).toBeGreaterThanOrEqual(filler.length);
  });

  it("F6: a long fact has the words of all its parts, cut between words", () => {
    // None of them is a small word: which of those count is told by the language of a whole text.
    const word = fc.stringMatching(/^[bdfg]{6,12}$/);
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 40 }), fc.integer({ min: 1, max: 400 }), (words, times) => {
        const text = `${words.join(" ")} `.repeat(times);
        expect(atOnce(countInParts(text, messageTerms))).toEqual(messageTerms(text));
        expect([...atOnce(meaningInParts(text))]).toEqual(meaningOf(text));
      }),
      { numRuns: 50 },
    );
    expect(atOnce(countInParts("", messageTerms))).toEqual(messageTerms(""));
    const long = "Ships sail on the seas. ".repeat(10_000);
    expect(atOnce(countInParts(long, countTerms))).toEqual(countTerms(long));
    expect(slicesOf(countInParts(long, countTerms))).toBeGreaterThan(20);
    const unspaced = "猫".repeat(20_000);
    expect(atOnce(countInParts(unspaced, messageTerms)).terms.get("猫")).toBe(20_000);
  });
});
