import { expect, it } from "vitest";
import type { Embedder } from "../src/index.ts";
import { PROBE_TEXTS } from "../src/search/probe-texts.ts";
import { testMemory, user } from "./support.ts";

const NEAR = "the blue boat is out again, and the wind is cold and strong tonight";
const QUERY = "blue boat";

/** A model that finds {@link NEAR} near to the query; of the texts that it is measured by it knows all pairs, or none. */
function model(knows: boolean): Embedder {
  const pairs = PROBE_TEXTS.flat();
  return {
    modelId: knows ? "sure@1" : "unsure@1",
    dimensions: pairs.length + 2,
    async embed(texts) {
      return texts.map((text) => {
        const vector = new Float32Array(pairs.length + 2);
        const pair = pairs.findIndex((alike) => alike.includes(text));
        const isNear = text.includes(NEAR) || text === QUERY;
        vector[pair >= 0 && knows ? pair : pairs.length + (isNear ? 1 : 0)] = 1;
        return vector;
      });
    },
  };
}

async function firstFound(embedder: Embedder | undefined): Promise<string | undefined> {
  const { memory } = testMemory(embedder === undefined ? {} : { embedder });
  for (const [id, text] of Object.entries({ near: NEAR, words: "a blue boat", rest: "we had soup" })) {
    await memory.conversation({ id, subject: "ana" }).record({ messages: [user(text)] });
  }
  await memory.settled();
  const { hits } = await memory.search(QUERY, { subject: "ana" });
  await memory.close();
  return hits[0]?.conversation;
}

it("G8: the meaning of a model that tells no answers from the rest doesn't turn over what the words found", async () => {
  expect(await firstFound(undefined)).toBe("words");
  expect(await firstFound(model(true))).toBe("near");
  expect(await firstFound(model(false))).toBe("words");
});
