import { describe, expect, it } from "vitest";
import type { Embedder } from "../src/index.ts";
import { PROBE_TEXTS } from "../src/search/probe-texts.ts";
import { WEIGHTS } from "../src/search/weights.ts";
import { testMemory, user } from "./support.ts";

const LONG = 2 * WEIGHTS.floorFrom;

const PROBES = PROBE_TEXTS.flat();
const DIMENSIONS = PROBES.length + 3;

/**
 * A message is as near to any question as the number behind its "near" says. Of the library's own texts an answer is 0.6 near its
 * question and not at all near others, so that the floor is 0.3 and what answers something else is at 0.
 */
const embedder: Embedder = {
  modelId: "numbers@1",
  dimensions: DIMENSIONS,
  embed: async (texts) =>
    texts.map((text) => {
      const vector = new Float32Array(DIMENSIONS);
      const probe = PROBES.findIndex((pair) => pair.includes(text));
      const cosine = Number(/near (0\.\d+)/.exec(text)?.[1] ?? 1);
      const isAnswer = probe >= 0 && PROBES[probe]?.[1] === text;
      if (probe < 0) vector.set([cosine, Math.sqrt(1 - cosine ** 2)]);
      else vector.set([isAnswer ? 0.8 : 0], 2);
      if (probe >= 0) vector[probe + 3] = isAnswer ? 0.6 : 1;
      return vector;
    }),
};

/** A text in the place of one of the library's own. */
const unknown = (text: string): string => (PROBES.some((pair) => pair.includes(text)) ? "near 0.5" : text);

/** A memory of other talk, all as near as `ordinary`, and what else was said in the midst of it. */
async function longMemory(ordinary: number, said: readonly string[], model = embedder) {
  const { memory } = testMemory({ embedder: model });
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
    const said = ["They give me four thousand a month, near 0.65", "My cousin visits the dentist, near 0.35"];
    const { search, turns } = await longMemory(0.4, said);
    const question = "Which yearly net salary has my cousin at the dentist?";
    const few = await search(question);
    expect(few.hits[0]).toMatchObject({ turn: "said-0", matched: "semantic" });
    // The words were enough to answer, but not by much.
    expect(few.hits.map(({ turn }) => turn)).toContain("said-1");
    // Where most of it was said, words lead.
    expect((await turns("Does my cousin visit the dentist?"))[0]).toBe("said-1");
    // A model that tells none of the library's answers from others says little.
    const blind: Embedder = { ...embedder, embed: (texts, options) => embedder.embed(texts.map(unknown), options) };
    expect((await (await longMemory(0.4, said, blind)).turns(question))[0]).toBe("said-1");
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
