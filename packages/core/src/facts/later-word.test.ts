import { describe, expect, it } from "vitest";
import type { Fact } from "../contract/fact.ts";
import { atOnce } from "../search/slices.ts";
import { decideClaim } from "./decide-claim.ts";
import { measuresIn } from "./measures.ts";
import { rankFacts } from "./rank-facts.ts";

const fact = (id: string, value: string, more: Partial<Fact> = {}): Fact => ({
  id,
  scope: "user",
  value,
  type: "fact",
  tags: [],
  author: "distiller",
  origin: "user",
  createdAt: `2026-01-0${id}T00:00:00.000Z`,
  updatedAt: `2026-01-0${id}T00:00:00.000Z`,
  validFrom: `2026-01-0${id}T00:00:00.000Z`,
  version: 1,
  ...more,
});
const claim = (value: string, more: Partial<Fact> = {}) => ({
  fact: fact("9", value, more),
  saidAt: "2026-01-09T00:00:00.000Z",
});
const after = (live: readonly Fact[], value: string, more: Partial<Fact> = {}) => decideClaim(live, claim(value, more));

describe("a fact said anew with another quantity", () => {
  it.each([
    ["Rent is 800 euros a month", "Rent is now 850 euros a month"],
    ["The call with Ana is on April 21 at 3 PM", "The call with Ana was moved to April 22 at 11 AM"],
    ["Test coverage of the parser is 65%", "Test coverage of the parser has improved to 78%"],
    ["Rent is now 800 euros a month", "Rent is now 850 euros a month"],
    ["Die Miete beträgt 800 Euro", "Die Miete beträgt jetzt 850 Euro"],
    ["La reunión con Ana es el 3 de mayo", "La reunión con Ana es ahora el 5 de mayo"],
  ])("F7/X7: without a key the old value is history: %s", (before, now) => {
    const known = fact("1", before);
    const { put, outcome } = after([known, fact("2", "Has 2 dogs")], now);
    expect(outcome).toEqual({ status: "superseded", id: "9" });
    expect(put).toContainEqual(expect.objectContaining({ id: "1", supersededBy: "9" }));
    expect(put).toContainEqual(expect.objectContaining({ id: "9", value: now }));
  });

  it.each([
    ["another thing", "The grocery budget is $500 a month", "The gift budget is now $450 a month"],
    ["another person", "Tom is 12 years old", "Ida is now 9 years old"],
    ["another event", "Ran 5 km in the park", "Ran 8 km in the park"],
    ["another kind of quantity", "The course takes 20 hours", "The course now costs $20"],
    ["another thing with nearly the same words", "My train ticket cost 19 euros", "My bus ticket now costs 4 euros"],
    ["the same quantity", "Rent is 800 euros a month", "Rent is now due, 800 euros a month"],
    ["another person who is told by the first", "Tom is 12 years old", "Tom's sister is now 9 years old"],
    ["a part of it", "Rent is 800 euros a month", "Rent of the garage is now 90 euros a month"],
    ["a place whose name says new", "Ran 5 km in a New York park", "Ran 8 km in a New York park"],
    ["a new one beside it", "Bought a bike for 300 euros", "Bought a new bike for 500 euros"],
    ["a change that was known", "Ran 5 km in replaced shoes", "Ran 8 km in replaced shoes"],
    ["an hour, which is a word of change elsewhere", "Il corso costa 10 euro l'ora", "Il corso costa 12 euro l'ora"],
    ["a denial", "Pays 800 euros rent", "No longer pays 850 euros rent"],
    ["no quantity", "Likes the red car", "Likes the blue car now"],
  ])("X7/G12: %s leaves it valid", (_, before, now) => {
    expect(after([fact("1", before)], now).put).not.toContainEqual(expect.objectContaining({ supersededBy: "9" }));
  });

  it("G12: what could be meant of several facts takes the place of none", () => {
    const live = [fact("1", "Rent is 800 euros a month"), fact("2", "Rent is 820 euros a month")];
    expect(after(live, "Rent is now 850 euros a month").outcome.status).toBe("stored");
  });

  it("F7/G12: one of higher origin, or with a key or another topic, stays", () => {
    const now = "Rent is now 850 euros a month";
    for (const more of [{ key: "rent" }, { topic: "home" }] satisfies Partial<Fact>[]) {
      const { put } = after([fact("1", "Rent is 800 euros a month", more)], now, { topic: "money" });
      expect(put.map(({ id }) => id)).toEqual(["9"]);
    }
    const { put } = after([fact("1", "Rent is 800 euros a month")], now, { origin: "document" });
    expect(put.map(({ id }) => id)).toEqual(["9"]);
  });

  it("F6/F7: recall has the newer of two statements first, however well the older one fits, and nothing else moves", () => {
    const old = fact("1", "The repository of the budget tracker has 150 commits merged");
    const facts = [old, fact("2", "The number of commits merged has grown to 165"), fact("3", "Likes the repository")];
    const ids = atOnce(rankFacts(facts, "How many commits merged has the repository of the tracker?")).map(
      ({ id }) => id,
    );
    expect(ids).toEqual(["2", "1", "3"]);
    const other = [old, fact("2", "The library of the school has 165 books merged")];
    expect(atOnce(rankFacts(other, "How many commits merged has the repository?")).map(({ id }) => id)).toEqual([
      "1",
      "2",
    ]);
  });
});

it("F7: a quantity has its kind: money, percent, a time, a date, or what is counted", () => {
  const kinds = (text: string) => measuresIn(text).map(({ kinds, amount }) => [kinds[0], amount]);
  expect(kinds("$1,200, 65%, at 4:30 PM on April 5, with 24 cupcakes from v1.0.0")).toEqual([
    ["money", "1200"],
    ["percent", "65"],
    ["clock", "4:30pm"],
    ["date", "apr 5"],
    ["cupcakes", "24"],
  ]);
});
