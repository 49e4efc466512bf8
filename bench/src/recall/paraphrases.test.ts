import { describe, expect, it } from "vitest";
import { PARAPHRASES } from "./paraphrases.ts";
import { plainBm25 } from "./plain-bm25.ts";
import { plantParaphrases } from "./plant-paraphrases.ts";

const { tuning, test } = PARAPHRASES;
const all = [...tuning, ...test];

describe("paraphrases", () => {
  it("no answer has a word of weight of its question", () => {
    for (const [question, answer] of all) {
      const { story } = plantParaphrases("one", [[question, answer]], { talk: [turnOf(0)], size: 2 });
      expect(plainBm25(story)(question, 1), question).toEqual([]);
    }
  });

  it("none is there twice, in one half or in both", () => {
    expect(new Set(all.flat()).size).toBe(2 * all.length);
    expect(tuning.length).toBe(test.length);
  });

  it("every other answer is planted, evenly, in a history of the wanted size", () => {
    const talk = Array.from({ length: 100 }, (_, index) => turnOf(index));
    const { story, questions } = plantParaphrases("h", tuning.slice(0, 10), { talk, size: 50 });
    const ids = story.said.flatMap(({ messages }) => messages.map(({ id }) => id));
    expect(ids).toHaveLength(50);
    expect(questions.filter(({ answer }) => answer !== undefined)).toHaveLength(5);
    const places = questions.flatMap(({ answer }) => (answer === undefined ? [] : [ids.indexOf(answer)]));
    const gaps = places.slice(1).map((place, index) => place - (places[index] ?? 0));
    expect(new Set(gaps)).toEqual(new Set([10]));
  });
});

const turnOf = (index: number) => ({
  conversation: "c",
  turn: `t${index}`,
  at: "2026-01-01T00:00:00.000Z",
  messages: [{ id: `m${index}`, role: "user" as const, content: "Zzz.", createdAt: "2026-01-01T00:00:00.000Z" }],
});
