import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Embedder } from "../contract/models.ts";
import { createMemory, inMemoryStore } from "../index.ts";
import { calibrateFloor, type Floors, floorsOf } from "./calibrate-floor.ts";
import { embedTexts } from "./embed-texts.ts";
import { PROBE_TEXTS } from "./probe-texts.ts";

/** A model whose vectors are of texts by their place among the probes: near its own pair, on a scale of its own. */
function model({
  scale,
  knows,
}: {
  scale: (cosine: number) => number;
  knows: (language: number) => boolean;
}): Embedder {
  const pairs = PROBE_TEXTS.flatMap((language, index) => language.map((pair) => ({ pair, index })));
  const dimensions = 2 * pairs.length + 1;
  return {
    modelId: "scaled",
    dimensions,
    async embed(texts) {
      return texts.map((text) => {
        const at = pairs.findIndex(({ pair }) => pair.includes(text));
        const vector = new Float32Array(dimensions);
        const isQuestion = pairs[at]?.pair[0] === text;
        // An answer shares 0.6 with its question; in an unknown language nothing tells it from others.
        const shared = knows(pairs[at]?.index ?? 0) ? Math.sqrt(0.6) : 0;
        // What all texts share lifts every cosine to where the scale begins.
        const base = scale(0);
        vector[2 * pairs.length] = Math.sqrt(base);
        vector[2 * at] = shared * Math.sqrt(1 - base);
        vector[2 * at + 1] = isQuestion ? Math.sqrt(1 - base) * Math.sqrt(1 - shared ** 2) : 0;
        return vector;
      });
    },
  };
}

const floorsBy = (embedder: Embedder): Promise<Floors | null> =>
  calibrateFloor((texts, kind) => embedTexts(embedder, texts, kind, { ms: 1_000 }));

describe("the floor of an embedding model", () => {
  it.each([
    ["from 0 on", 0],
    ["all above 0.7", 0.7],
    ["all above 0.9", 0.9],
  ])("G8: lies between what answers and what doesn't, for cosines %s", async (_, base) => {
    const floors = await floorsBy(model({ scale: () => base, knows: () => true }));
    expect(floors?.floor).toBeGreaterThan(base);
    expect(floors?.floor).toBeLessThan(1);
    expect(floors?.far).toBeGreaterThanOrEqual(base);
    expect(floors?.far).toBeLessThan(floors?.floor ?? 0);
  });

  it("G8: languages that the model doesn't know say nothing; one that knows none has no floor", async () => {
    const some = await floorsBy(model({ scale: () => 0.5, knows: (language) => language === 0 }));
    const all = await floorsBy(model({ scale: () => 0.5, knows: () => true }));
    expect(some).toEqual(all);
    expect(all).not.toBeNull();
    expect(await floorsBy(model({ scale: () => 0.5, knows: () => false }))).toBeNull();
  });

  it("G8: takes no more texts in one call than the turns that are embedded at once have", async () => {
    const sizes: number[] = [];
    const whole = model({ scale: () => 0.5, knows: () => true });
    const embed: Embedder["embed"] = (texts, options) => {
      sizes.push(texts.length);
      return whole.embed(texts, options);
    };
    expect(await floorsBy({ ...whole, embed })).toEqual(await floorsBy(whole));
    expect(Math.max(...sizes)).toBeLessThanOrEqual(32);
  });

  it("S6/G8: an abort while it is measured is told and marks no floor, nor does an embedder that throws; a later turn measures", async () => {
    const whole = model({ scale: () => 0.5, knows: () => true });
    const probe = PROBE_TEXTS[0]?.[0]?.[0] ?? "";
    let onProbe = (): void => {};
    const embedder: Embedder = {
      ...whole,
      async embed(texts, options) {
        if (texts.includes(probe)) onProbe();
        const isProbe = texts.every((text) => PROBE_TEXTS.flat(2).includes(text));
        return isProbe ? whole.embed(texts, options) : texts.map(() => new Float32Array(whole.dimensions).fill(1));
      },
    };
    const store = inMemoryStore();
    let now = Date.parse("2026-01-01T00:00:00.000Z");
    const options = { agent: "helper", env: {}, store, clock: () => new Date(now) };
    const before = createMemory(options);
    const say = async (memory = before) => {
      await memory.conversation({ id: "c" }).record({ messages: [{ role: "user", content: "hello there" }] });
      await memory.settled();
    };
    await say();
    const memory = createMemory({ ...options, embedder });
    const floor = async () => (await memory.manifest()).embedding?.floor;
    const controller = new AbortController();
    onProbe = () => controller.abort();
    await expect(memory.reindex({ signal: controller.signal })).rejects.toMatchObject({ code: "ABORTED" });
    expect(controller.signal.aborted).toBe(true);
    expect(await floor()).toBe(0.35);
    onProbe = () => {
      throw new Error("no");
    };
    await say(memory);
    expect(await floor()).toBe(0.35);
    // It isn't asked again with every turn.
    let asked = 0;
    onProbe = () => {
      asked += 1;
    };
    now += 59_000;
    await say(memory);
    expect([asked, await floor()]).toEqual([0, 0.35]);
    now += 1_000;
    await say(memory);
    expect([asked, await floor()]).toEqual([1, (await floorsBy(whole))?.floor]);
  });

  it("G8: a model that told nothing is measured again by reindex, one that did as well", async () => {
    const [blind, seeing] = [false, true].map((sees) => model({ scale: () => 0.5, knows: () => sees }));
    let current = blind;
    const embed: Embedder["embed"] = async (texts, options) => (await current?.embed(texts, options)) ?? [];
    const embedder = { modelId: "scaled", dimensions: blind?.dimensions ?? 0, embed };
    const memory = createMemory({ agent: "helper", env: {}, store: inMemoryStore(), embedder });
    const say = async () => {
      const [[question = ""] = []] = PROBE_TEXTS[0] ?? [];
      await memory.conversation({ id: "c" }).record({ messages: [{ role: "user", content: question }] });
      await memory.settled();
    };
    const floor = async () => (await memory.manifest()).embedding?.floor;
    await say();
    expect(await floor()).toBe(0.35);
    current = seeing;
    await say();
    expect(await floor()).toBe(0.35);
    await memory.reindex();
    expect(await floor()).toBe((await floorsBy(seeing ?? expect.fail()))?.floor);
    current = blind;
    await memory.reindex();
    expect(await floor()).toBe(0.35);
  });

  it("G8: whatever a scale does to cosines it does to the floor", () => {
    const cosine = fc.integer({ min: -100, max: 100 });
    const lists = fc.record({
      answers: fc.array(cosine, { minLength: 3, maxLength: 8 }),
      others: fc.array(cosine, { minLength: 6, maxLength: 30 }),
    });
    fc.assert(
      fc.property(lists, ({ answers, others }) => {
        const at = (scale: (value: number) => number) =>
          floorsOf([{ answers: answers.map(scale), others: others.map(scale) }]);
        const [plain, lifted] = [at((value) => value / 128), at((value) => 0.75 + value / 512)];
        if (plain === null) expect(lifted).toBeNull();
        else {
          expect(lifted?.floor).toBeCloseTo(0.75 + plain.floor / 4, 3);
          expect(lifted?.far).toBeCloseTo(0.75 + plain.far / 4, 3);
        }
      }),
    );
  });

  it("G8: every question of the probes has an answer of its own, in seven languages", () => {
    const texts = PROBE_TEXTS.flat(2);
    expect(new Set(texts).size).toBe(texts.length);
    expect(PROBE_TEXTS).toHaveLength(7);
    for (const language of PROBE_TEXTS) expect(language.length).toBeGreaterThanOrEqual(6);
  });
});
