import fc from "fast-check";
import { expect, it } from "vitest";
import type { Fact } from "../contract/fact.ts";
import { messageTerms } from "../search/message-terms.ts";
import { atOnce } from "../search/slices.ts";
import { meaningOf } from "../text/words.ts";
import { type FactWords, factMeaningOf, factTermsOf } from "./fact-words.ts";
import { rankFacts } from "./rank-facts.ts";

const fact = (place: number, value: string): Fact => {
  const at = new Date(Date.UTC(2026, 0, 1, 0, place)).toISOString();
  const said = { author: "user", origin: "user", createdAt: at, updatedAt: at, validFrom: at } as const;
  return { id: String(place), scope: "user", value, type: "fact", tags: [], version: 1, ...said };
};
const words = fc
  .array(fc.constantFrom("boat", "boats", "3", "5", "now", "harbour", "Ann", "der", "Hafen", "猫", "встречу"), {
    minLength: 1,
    maxLength: 8,
  })
  .map((list) => list.join(" "));

it("F6: facts are ranked alike whether their words were known or not", () => {
  const known: FactWords = new Map();
  fc.assert(
    fc.property(fc.array(words, { maxLength: 20 }), words, (values, question) => {
      const facts = values.map((value, place) => fact(place, value));
      expect(atOnce(rankFacts(facts, question, known))).toEqual(atOnce(rankFacts(facts, question)));
    }),
  );
  expect(known.size).toBeGreaterThan(0);
});

it("F6: what is kept of a text is what it holds, and is taken apart once", () => {
  const known: FactWords = new Map();
  const text = "Ann keeps three boats in the harbour.";
  const first = atOnce(factTermsOf(known, text));
  expect(first).toEqual(messageTerms(text));
  expect(atOnce(factTermsOf(known, text))).toBe(first);
  expect([...atOnce(factMeaningOf(known, text))]).toEqual(meaningOf(text));
});

it("J3: no more is kept than so many texts, and no long one", () => {
  const known: FactWords = new Map();
  atOnce(factTermsOf(known, "boat ".repeat(1_000)));
  expect(known.size).toBe(0);
  for (let place = 0; place < 2_100; place++) atOnce(factTermsOf(known, `boat ${place}`));
  expect(known.size).toBe(2_000);
  expect(known.has("boat 99")).toBe(false);
  expect(known.has("boat 100")).toBe(true);
});
