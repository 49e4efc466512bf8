import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Fact } from "../contract/fact.ts";
import { newerFirst } from "./newer-first.ts";
import { weekdaysIn, withDigits } from "./number-words.ts";

const fact = (place: number, value: string, score: number): Fact & { score: number } => {
  const at = new Date(Date.UTC(2026, 0, 1 + place)).toISOString();
  return {
    id: String(place),
    scope: "user",
    value,
    type: "fact",
    tags: [],
    author: "distiller",
    origin: "user",
    createdAt: at,
    updatedAt: at,
    validFrom: at,
    version: 1,
    score,
  };
};
const ordered = (facts: readonly (Fact & { score: number })[], asked: readonly string[] = []): string[] =>
  newerFirst(facts, facts, asked).map(({ id }) => id);

/** Things that have no word in common, each with a value of its own. */
const THINGS = ["rabbits hutch", "euros rent", "lessons piano", "windows attic", "miles van", "chapters novel"];
const number = fc.integer({ min: 2, max: 999 });
const scores = fc.array(fc.double({ min: 0.01, max: 9, noNaN: true }), { minLength: 6, maxLength: 6 });

describe("the newer of two statements first", () => {
  it("F6/F7: facts of different things keep their order, whenever they were said and whatever they score", () => {
    const order = fc.shuffledSubarray([0, 1, 2, 3, 4, 5], { minLength: 6 });
    fc.assert(
      fc.property(scores, order, fc.array(number, { minLength: 6, maxLength: 6 }), (given, ages, numbers) => {
        const facts = THINGS.map((thing, index) =>
          fact(ages[index] ?? 0, `${numbers[index]} ${thing}`, given[index] ?? 1),
        ).sort((a, b) => b.score - a.score);
        expect(ordered(facts)).toEqual(facts.map(({ id }) => id));
      }),
    );
  });

  it("F6/F7: only a newer value moves, to just ahead of the older one; the rest keep their order, and none is lost", () => {
    fc.assert(
      fc.property(number, number, fc.nat({ max: 4 }), fc.nat({ max: 5 }), (before, after, oldPlace, behind) => {
        fc.pre(before !== after);
        const others = THINGS.slice(1).map((thing, index) => fact(index, `${index + 2} ${thing}`, 1));
        const known = fact(10, `The hutch has ${before} rabbits`, 1);
        const later = fact(11, `The hutch has ${after} rabbits`, 1);
        const facts = [...others.slice(0, oldPlace), known, ...others.slice(oldPlace)];
        const place = Math.min(facts.length, oldPlace + 1 + behind);
        facts.splice(place, 0, later);
        const result = ordered(facts);
        expect(result.indexOf("11")).toBe(result.indexOf("10") - 1);
        const rest = facts.filter((each) => each !== later).map(({ id }) => id);
        expect(result.filter((id) => id !== "11")).toEqual(rest);
      }),
    );
  });

  it("F6: what is the same, denied, older, or no text stays where it is", () => {
    const known = fact(3, "The hutch has 3 rabbits", 2);
    for (const value of ["Three rabbits live in the hutch", "The hutch doesn't have 4 rabbits", "4 rabbits"]) {
      expect(ordered([known, fact(4, value, 1)])).toEqual(["3", "4"]);
    }
    expect(ordered([known, fact(2, "The hutch has 4 rabbits", 1)])).toEqual(["3", "2"]);
    expect(ordered([known, { ...fact(4, "", 1), value: { rabbits: 4 } }])).toEqual(["3", "4"]);
  });

  it("F6: a question for what only the older one names leaves it first", () => {
    const facts = [fact(1, "Ran 5 km in the park on Monday", 2), fact(2, "Ran 8 km in the park on Friday", 1)];
    expect(ordered(facts, ["park"])).toEqual(["2", "1"]);
    expect(ordered(facts, ["park", "mondai"])).toEqual(["1", "2"]);
  });
});

it("F7: numbers in words are numbers, and days have their names in many languages", () => {
  expect(withDigits("Twenty-five hens, drei Katzen, a four-legged friend, once")).toBe(
    "25 hens, 3 Katzen, a four-legged friend, once",
  );
  expect(weekdaysIn("From Tuesday to vendredi, el miércoles e na quinta-feira, sun")).toEqual([2, 5, 3, 4]);
});
