import { describe, expect, it } from "vitest";
import type { Embedder } from "../src/index.ts";
import { WEIGHTS } from "../src/search/weights.ts";
import { testMemory, user } from "./support.ts";

const LONG = 2 * WEIGHTS.floorFrom;

/** Near is what has a number in common, as near as the number behind it says; the probes of the library are far from all. */
const embedder: Embedder = {
  modelId: "numbers@1",
  dimensions: 2,
  embed: async (texts) =>
    texts.map((text) => {
      const cosine = Number(/near (0\.\d+)/.exec(text)?.[1] ?? (text.endsWith("?") ? 1 : 0));
      return Float32Array.of(cosine, Math.sqrt(1 - cosine ** 2));
    }),
};

/** A memory of other talk, all as near as `ordinary`, and what else was said in the midst of it. */
async function longMemory(ordinary: number, said: readonly string[]) {
  const { memory } = testMemory({ embedder });
  const chat = memory.conversation({ id: "c", subject: "ana" });
  for (let at = 0; at < LONG; at++) {
    if (at === LONG / 2) {
      for (const [index, text] of said.entries()) await chat.record({ id: `said-${index}`, messages: [user(text)] });
    }
    await chat.record({ messages: [user(`The weather was fine on walk number ${at}, near ${ordinary}`)] });
  }
  await memory.settled();
  const search = (query: string) => memory.search(query, { subject: "ana" });
  return { search, turns: async (query: string) => (await search(query)).hits.map(({ turn }) => turn) };
}

describe("search by meaning in a long memory", () => {
  it("S1/G8: what stands out is found though none of the question's words was said, and says how surely", async () => {
    const { search } = await longMemory(0.4, ["Our holidays in Spain were lovely, near 0.65"]);
    const { hits, relevance, reason } = await search("Where did we go on vacation?");
    expect(hits[0]).toMatchObject({ turn: "said-0", matched: "semantic", score: 0.65 });
    expect(relevance).toBeGreaterThan(WEIGHTS.floor);
    expect(reason).toBeUndefined();
  });

  it("G8: what is merely nearest answers nothing, however near all of it is", async () => {
    for (const [ordinary, nearest] of [
      [0.4, 0.5],
      [0.7, 0.8],
    ] as const) {
      const { search } = await longMemory(ordinary, [`Our holidays in Spain were lovely, near ${nearest}`]);
      const { hits, relevance, reason } = await search("Where did we go on vacation?");
      expect(hits).toEqual([]);
      expect(relevance).toBeGreaterThan(0);
      expect(relevance).toBeLessThan(WEIGHTS.floor);
      expect(reason).toContain("none is near enough");
    }
  });

  it("S1: what was said more than once stands out, too", async () => {
    const often = Array.from({ length: 3 }, (_, index) => `Spain again, holiday ${index}, near 0.7`);
    const { turns } = await longMemory(0.4, often);
    expect((await turns("Where did we go on vacation?")).slice(0, 3).sort()).toEqual(["said-0", "said-1", "said-2"]);
  });

  it("S1: where few of the question's words were said, what stands out comes before what holds them", async () => {
    const junk = "My cousin will pay the dentist, near 0.35";
    const { search, turns } = await longMemory(0.4, ["They give me four thousand a month, near 0.65", junk]);
    const few = await search("Which yearly net salary does my cousin pay?");
    expect(few.hits[0]).toMatchObject({ turn: "said-0", matched: "semantic" });
    // The words were enough to answer, but not by much.
    expect(few.hits.map(({ turn }) => turn)).toContain("said-1");
    // Where most of it was said, words lead.
    expect((await turns("Will my cousin pay the dentist?"))[0]).toBe("said-1");
  });

  it("G8: a floor that the app gives is the only one", async () => {
    const { memory } = testMemory({ embedder, semanticFloor: 0.45 });
    const chat = memory.conversation({ id: "c", subject: "ana" });
    for (let at = 0; at < LONG; at++) await chat.record({ messages: [user(`A walk, number ${at}, near 0.44`)] });
    await chat.record({ id: "spain", messages: [user("Our holidays in Spain, near 0.5")] });
    await memory.settled();
    const { hits } = await chat.search("Where did we go on vacation?");
    expect(hits.map(({ turn }) => turn)).toEqual(["spain"]);
  });
});
