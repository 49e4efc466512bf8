import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Fact } from "../contract/fact.ts";
import { atOnce } from "../search/slices.ts";
import { asksEarlier } from "./change-words.ts";
import { newerFirst } from "./newer-first.ts";
import { weekdaysIn, withDigits } from "./number-words.ts";
import { rankFacts } from "./rank-facts.ts";
import { saidIn } from "./said.ts";

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
const ordered = (
  facts: readonly (Fact & { score: number })[],
  asked: readonly string[] = [],
  isEarlier = false,
): string[] =>
  atOnce(newerFirst(facts, facts, { terms: new Map(asked.map((term) => [term, 2])), isEarlier })).map(({ id }) => id);

/** Things that have no word in common, each with a value of its own. */
const THINGS = ["rabbits hutch", "euros rent", "lessons piano", "windows attic", "miles van", "chapters novel"];
const number = fc.integer({ min: 2, max: 999 });
const scores = fc.array(fc.double({ min: 0.01, max: 9, noNaN: true }), { minLength: 6, maxLength: 6 });

describe("the newer of two statements first", () => {
  it("Z6: a text that is long is no statement to be compared, nor is each of a list's many quantities", () => {
    expect(saidIn({ value: "so ".repeat(333) }, [])).not.toBeNull();
    expect(saidIn({ value: "so ".repeat(334) }, [])).toBeNull();
    const list = Array.from({ length: 200 }, (_, index) => index).join(", ");
    const { values = [] } = saidIn({ value: `The counts were ${list}` }, []) ?? {};
    expect(values).toHaveLength(16);
    const [known, later] = [
      fact(0, `The hutch has 3 rabbits. ${"so ".repeat(400)}`, 2),
      fact(1, "The hutch has now 5 rabbits", 1),
    ];
    expect(ordered([known, later], ["hutch", "rabbit"])).toEqual(["0", "1"]);
  });

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

  it("F6: what is the same, another thing, older, or no text stays where it is", () => {
    const known = fact(3, "The hutch has 3 rabbits", 2);
    for (const value of ["Three rabbits live in the hutch", "The yard has 4 hens", "4 rabbits"]) {
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

describe("which of two is asked for", () => {
  const found = (before: string, after: string, question: string): string[] => {
    const filler = ["The yard has hens", "Ida likes tea", "The train leaves from Ghent"].map((each, at) =>
      fact(at, each, 1),
    );
    return atOnce(rankFacts([fact(5, before, 1), fact(6, after, 1), ...filler], question)).map(({ id }) => id);
  };

  it.each([
    ["We paint the hallway grey", "Changed our mind, we paint the hallway green", "How do we paint the hallway?"],
    ["Our building inspector is Mr. Okafor", "Our building inspector is Ms. Lind, not Okafor", "Who is the inspector?"],
    ["Our class has six lessons", "The class won't have more than nine lessons", "How many lessons has our class?"],
    ["동아리 회원은 12명입니다", "동아리 회원이 18명으로 늘었어요", "동아리 회원은 몇 명입니까?"],
    ["每周跑步3次", "最近我每周跑步5次,感觉很好", "我每周跑步几次?"],
    ["The yearly fee is 300 euros", "The yearly fee comes to €450 with lessons", "How high is the yearly fee?"],
    [
      "Der Weg zum Verein dauert 40 Minuten mit dem Bus",
      "Mit dem Rad brauche ich für den Weg zum Verein bloß 25 Minuten",
      "Wie lange dauert der Weg zum Verein?",
    ],
    [
      "The plumber needs three days for the pipes upstairs",
      "Pipes upstairs turned out to be more work, the plumber talks of a whole week",
      "How long does the plumber need for the pipes upstairs?",
    ],
    ["Practice tests: 60% right", "75 percent of the practice tests were right", "How many practice tests were right?"],
  ])("F6/F7: the newer one of two about one thing, in other words too: %s", (before, after, question) => {
    expect(found(before, after, question).slice(0, 2)).toEqual(["6", "5"]);
  });

  it.each([
    [
      "The warranty of the boiler is 5 years",
      "The warranty of the heat pump was raised to 10 years",
      "boiler warranty?",
    ],
    ["My sister runs 12 km a week", "I now run 20 km a week", "How far does my sister run a week?"],
    [
      "Mein Vater trinkt 3 Tassen Kaffee",
      "Ich trinke jetzt 2 Tassen Kaffee",
      "Wie viele Tassen Kaffee trinkt mein Vater?",
    ],
    ["哥哥今年32岁", "妹妹今年27岁", "哥哥今年几岁?"],
    ["La boda de Carla es el 6 de mayo", "La boda de Inés se cambió al 17 de junio", "¿Cuándo es la boda de Carla?"],
  ])("F6/F7: the one that is named: %s", (before, after, question) => {
    expect(found(before, after, question)[0]).toBe("5");
  });

  it.each([
    ["The skip costs 90 dollars", "The skip now costs 110 dollars", "What did the skip cost originally?"],
    ["Die Miete beträgt 780 Euro", "Die Miete beträgt jetzt 820 Euro", "Wie hoch war die Miete früher?"],
    ["Le loyer est de 650 €", "Le loyer est maintenant de 700 €", "Quel était le loyer au début ?"],
    ["El alquiler cuesta 600 euros", "El alquiler cuesta ahora 650 euros", "¿Cuánto costaba antes el alquiler?"],
  ])("F6: the older one, where it is asked how it was before: %s", (before, after, question) => {
    expect(found(before, after, question).slice(0, 2)).toEqual(["5", "6"]);
  });

  it("F6: a word that only says what comes after it asks for no earlier value", () => {
    for (const question of [
      "What do I do before bed?",
      "When does the first sprint end?",
      "¿Qué hago antes de dormir?",
    ]) {
      expect(asksEarlier(question)).toBe(false);
    }
    expect(asksEarlier("How many were there before?")).toBe(true);
    expect(asksEarlier("Is it now more than previously?")).toBe(false);
  });
});

it("F7: numbers in words are numbers, and days have their names in many languages", () => {
  expect(withDigits("Twenty-five hens, drei Katzen, a four-legged friend, once")).toBe(
    "25 hens, 3 Katzen, a four-legged friend, once",
  );
  expect(weekdaysIn("From Tuesday to vendredi, el miércoles e na quinta-feira, sun")).toEqual([2, 5, 3, 4]);
});
