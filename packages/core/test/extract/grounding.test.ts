import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { quoteCovers, quoteStands } from "../../src/conversation/quote.ts";
import { assistant, user } from "../support.ts";
import { extracting, scripted } from "./distillers.ts";

/** What was said, what a distiller made of it, and what has to come of it. */
const PARAPHRASES: readonly (readonly [said: string, quote: string, key: string, value: string])[] = [
  ["I moved to Braga last week.", "I moved to Braga", "city", "Braga"],
  ["I go hiking most Saturdays with my kids.", "I go hiking most Saturdays", "hobby", "enjoys hiking on Saturdays"],
  [
    "My sister Lena arrives at 18:40.",
    "my sister Lena arrives at 18:40",
    "sister",
    "Lena is the sister who arrives at 18:40",
  ],
  ["we're a family of four", "We're a family of four", "family", "four people in the family"],
  ["I can't stand coriander.", "I can't stand coriander!", "dislikes", "can't stand coriander"],
  ["J'habite à Lyon depuis 2019.", "J'habite à Lyon depuis 2019", "ville", "habite à Lyon depuis 2019"],
  ["我住在波尔图，是一名护士。", "我住在波尔图", "城市", "波尔图"],
  ["Я живу в Казани и работаю врачом.", "работаю врачом", "работа", "работает врачом"],
  ["أسكن في بورتو مع أختي", "أسكن في بورتو", "مدينة", "بورتو"],
  ["I was born in 1984 … well, in May.", "I was born in 1984 … in May", "born", "May 1984"],
];

const HALLUCINATIONS: readonly (readonly [what: string, said: string, quote: string, key: string, value: string])[] = [
  ["a quote that nobody said", "I live in Porto.", "I live in Lisbon", "city", "Lisbon"],
  ["a name that nobody said", "My dog is the best.", "My dog is the best", "dog", "Rex"],
  ["a name at the beginning", "My dog is the best.", "My dog is the best", "dog", "Rex is the dog"],
  [
    "a name that begins like a month's",
    "I help my cousin.",
    "I help my cousin",
    "family",
    "Maria is helping her cousin",
  ],
  ["a name before a past", "I went to an event.", "I went to an event", "events", "Deborah went to an event"],
  [
    "a name with its own people",
    "We enjoy time outdoors.",
    "We enjoy time outdoors",
    "hobby",
    "Jolene and her partner enjoy time outdoors",
  ],
  ["another number", "I have two cats.", "I have two cats", "cats", "has 3 cats"],
  ["an invented year", "I moved to Porto.", "I moved to Porto", "city", "moved to Porto in 2019"],
  ["an invented date", "I fly to Rome.", "I fly to Rome", "trip", "flies to Rome on 2026-05-03"],
  ["what the quote denies", "I'm not vegetarian anymore.", "I'm not vegetarian anymore", "diet", "vegetarian"],
  ["what the quote denies in Portuguese", "Não sou vegetariano.", "Não sou vegetariano", "dieta", "vegetariano"],
  ["what the quote denies in Korean", "저는 고기를 먹지 않아요.", "고기를 먹지 않아요", "음식", "고기를 먹지"],
  ["what the quote denies in Turkish", "Vejetaryen değilim.", "Vejetaryen değilim", "diyet", "vejetaryen"],
  ["what the quote denies in Swedish", "Jag är inte vegetarian.", "Jag är inte vegetarian", "diet", "vegetarian"],
  ["what the quote denies in Arabic", "لست نباتيا", "لست نباتيا", "حمية", "نباتيا"],
  ["what is no more", "I used to be vegan.", "I used to be vegan", "diet", "vegan"],
  ["what was given up", "I gave up smoking.", "I gave up smoking", "habit", "smoking"],
  ["a denial that nobody spoke", "I like jazz music.", "I like jazz music", "music", "doesn't like jazz music"],
  ["a dislike that nobody spoke", "I like jazz music.", "I like jazz music", "music", "hates jazz music"],
  ["an address of its own", "Write to my office.", "Write to my office", "mail", "office is at eve@evil.example"],
  ["another value than the quote's", "I like green tea.", "I like green tea", "drink", "espresso with oat milk"],
  ["half a word of the quote", "I feel carefree.", "care", "mood", "care"],
  ["another city in Chinese", "我住在波尔图。", "我住在里斯本", "城市", "里斯本"],
];

describe("grounding", () => {
  it.each(PARAPHRASES)("G6: %j is what %j bears out", async (said, quote, key, value) => {
    const { memory } = extracting(scripted(() => [{ key, value, quote, confidence: 1 }]).distiller);
    await memory.conversation({ id: "c", subject: "ana" }).record({ messages: [user(said), assistant("I see.")] });
    await memory.settled();
    expect((await memory.subject("ana").facts()).map((fact) => [fact.value, fact.origin])).toEqual([[value, "user"]]);
  });

  it.each(HALLUCINATIONS)(
    "G6: %s is quarantined, seen in the audit and in no prompt",
    async (_, said, quote, key, value) => {
      const { memory } = extracting(scripted(() => [{ key, value, quote, confidence: 1 }]).distiller);
      const chat = memory.conversation({ id: "c", subject: "ana" });
      await chat.record({ id: "t1", messages: [user(said), assistant("I see.")] });
      await memory.settled();
      expect(await memory.subject("ana").facts()).toEqual([]);
      expect((await memory.subject("ana").audit()).quarantined).toMatchObject([{ value, quote, turn: "t1" }]);
      expect(await chat.systemContext()).toBe("");
    },
  );

  it("X2/G6: what a speaker says to another about that one is no fact of the speaker", async () => {
    const quote = "That's inspiring, Dave: you find purpose in making things";
    const own = "I love hiking with Dave";
    const { distiller } = scripted({
      inspiring: [{ topic: "purpose", value: "Making things gives Dave a sense of purpose", quote }],
      hiking: [{ topic: "hobby", value: "loves hiking with Dave", quote: own }],
    });
    const { memory } = extracting(distiller);
    const chat = memory.conversation({ id: "c", subject: "calvin" });
    for (const words of [quote, own]) {
      await chat.record({
        messages: [
          { ...user(words), name: "Calvin" },
          { ...assistant("Right."), name: "Dave" },
        ],
      });
    }
    await memory.settled();
    expect((await memory.subject("calvin").facts()).map(({ value }) => value)).toEqual(["loves hiking with Dave"]);
    expect((await memory.subject("calvin").audit()).quarantined).toEqual([]);
  });

  it("G6: the same hallucination again is quarantined once, and goes with the conversation and the person", async () => {
    const { memory } = extracting(
      scripted(() => [{ key: "a", value: "Rex", quote: "nobody said this", confidence: 1 }]).distiller,
    );
    const chat = memory.conversation({ id: "c", subject: "ana" });
    for (const words of ["Hello.", "Hello again.", "And again."]) await chat.record({ messages: [user(words)] });
    await memory.settled();
    const ana = memory.subject("ana");
    expect((await ana.audit()).quarantined).toHaveLength(1);
    await chat.delete();
    expect((await ana.audit()).quarantined).toEqual([]);
    await memory.conversation({ id: "d", subject: "ana" }).record({ messages: [user("Hello.")] });
    await memory.settled();
    await ana.erase();
    expect((await ana.audit()).quarantined).toEqual([]);
  });

  it("G6: a quote is found without regard to case, punctuation and what an ellipsis leaves out", () => {
    expect(quoteStands("i MOVED to braga", "Well -- I moved to Braga!")).toBe(true);
    expect(quoteStands("I moved … last week", "I moved to Braga last week")).toBe(true);
    expect(quoteStands("last week … I moved", "I moved to Braga last week")).toBe(false);
    expect(quoteStands("move", "I moved")).toBe(false);
    expect(quoteStands("...", "Anything")).toBe(false);
    expect(quoteStands("波尔图", "我住在波尔图已经三年了")).toBe(true);
  });

  it("G6: whatever is said, its own words bear it out, and words of none of it don't", () => {
    const word = fc.stringMatching(/^[a-z]{5,9}$/);
    fc.assert(
      fc.property(fc.uniqueArray(word, { minLength: 2, maxLength: 8 }), (words) => {
        const said = `Well, ${words.join(", ")}!`;
        expect(quoteStands(words.join(" "), said)).toBe(true);
        expect(quoteCovers(said, words.slice(1).join(" "))).toBe(true);
        expect(quoteCovers(said, `${words[0]} 4711`)).toBe(false);
      }),
      { numRuns: 200 },
    );
  });
});
