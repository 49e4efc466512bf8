import { expect, it } from "vitest";
import { inMemoryStore, type TurnPlace } from "../src/index.ts";
import { testMemory, user } from "./support.ts";

const EQUALS = 1_000;

/** A memory of one sentence, said over and over, and the places that its store was asked for, call by call. */
async function setUp() {
  const asked: (readonly TurnPlace[])[] = [];
  const base = inMemoryStore();
  const store = {
    ...base,
    findTurns: (...given: Parameters<NonNullable<typeof base.findTurns>>) => {
      asked.push(given[1]);
      return base.findTurns?.(...given) ?? Promise.resolve([]);
    },
  };
  const { memory } = testMemory({ store });
  // Not in the order of time: the newest is the one in the middle.
  for (let n = 0; n < EQUALS; n++) {
    const createdAt = new Date(Date.UTC(2026, 0, 1, 0, (n + EQUALS / 2) % EQUALS)).toISOString();
    const chat = memory.conversation({ id: "c", subject: "ana" });
    await chat.record({ id: `t${n}`, messages: [{ ...user("I like tea"), createdAt }] });
  }
  asked.length = 0;
  return { memory, asked };
}

it("S1/J7: of a thousand messages that score alike the newest come first, and they are looked up in parts", async () => {
  const { memory, asked } = await setUp();
  const { hits } = await memory.subject("ana").search("tea", { k: 5 });
  expect(hits.map(({ turn }) => turn)).toEqual(["t499", "t498", "t497", "t496", "t495"]);
  // Those at its ends have fewer beside them.
  expect(asked.flat().length).toBeGreaterThan(0.9 * EQUALS);
  expect(Math.max(...asked.map(({ length }) => length))).toBeLessThanOrEqual(256);
  // However many are wanted, they are the same from the top.
  const { hits: more } = await memory.subject("ana").search("tea", { k: 100 });
  expect(more.map(({ turn }) => turn)).toEqual(Array.from({ length: 100 }, (_, n) => `t${499 - n}`));
});
