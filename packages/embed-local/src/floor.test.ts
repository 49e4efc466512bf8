import { createMemory, type Embedder, inMemoryStore } from "@throughline/core";
import { expect, it } from "vitest";
import { localEmbedder } from "./local-embedder.ts";

/** The same model with all its cosines lifted above `base`, as some models have them. */
function lifted(embedder: Embedder, base: number): Embedder {
  return {
    modelId: `${embedder.modelId} above ${base}`,
    dimensions: embedder.dimensions + 1,
    async embed(texts, options) {
      const vectors = await embedder.embed(texts, options);
      return vectors.map((vector) => {
        const length = Math.hypot(...vector);
        // What the model knows nothing of is near nothing.
        if (length === 0) return new Float32Array(embedder.dimensions + 1);
        const scaled = vector.map((value) => (value / length) * Math.sqrt(1 - base));
        return Float32Array.of(Math.sqrt(base), ...scaled);
      });
    },
  };
}

it("G8: what is near is measured for each model, so that other scales find and decline the same", async () => {
  const floors: number[] = [];
  for (const base of [0, 0.7]) {
    const embedder = base === 0 ? localEmbedder() : lifted(localEmbedder(), base);
    const memory = createMemory({ agent: "helper", env: {}, store: inMemoryStore(), embedder });
    expect((await memory.manifest()).embedding?.floor).toBe(0.35);
    const chat = memory.conversation({ id: "chat", subject: "ann" });
    for (const content of ["We adopted a puppy last week.", "The rent went up again.", "My son plays the violin."]) {
      await chat.record({ messages: [{ role: "user", content }] });
    }
    await memory.settled();
    floors.push((await memory.manifest()).embedding?.floor ?? 0);
    const found = async (query: string) =>
      (await chat.search(query, { mode: "semantic" })).hits.map(({ turn }) => turn);
    const turns = (await chat.transcript()).turns.map(({ id }) => id);
    expect((await found("new dog"))[0], `above ${base}`).toBe(turns[0]);
    expect(await found("zorbik flumtrag quendle"), `above ${base}`).toEqual([]);
    expect(await found("parliament passed the budget bill"), `above ${base}`).toEqual([]);
    await memory.close();
  }
  const [plain = 0, above = 0] = floors;
  expect(plain).toBeGreaterThan(0.2);
  expect(plain).toBeLessThan(0.5);
  expect(above).toBeCloseTo(0.7 + 0.3 * plain, 2);
});

it("G8: in a long history meaning alone answers by what stands out, not by what is merely nearest", async () => {
  const embedder = localEmbedder();
  const memory = createMemory({ agent: "helper", env: {}, store: inMemoryStore(), embedder });
  const chat = memory.conversation({ id: "chat", subject: "ann" });
  const things = ["garden", "kitchen", "office", "train", "river", "library", "market", "school", "beach", "theatre"];
  const doings = [
    "painted",
    "visited",
    "photographed",
    "cleaned",
    "described",
    "left",
    "admired",
    "mentioned",
    "drew",
    "found",
  ];
  const said = doings.flatMap((doing) => things.map((thing) => `Yesterday I ${doing} the ${thing} with Tom.`));
  for (const content of [...said, "We adopted a puppy, a small brown terrier."]) {
    await chat.record({ messages: [{ role: "user", content }] });
  }
  await memory.settled();
  const found = async (query: string, mode: "hybrid" | "semantic") => (await chat.search(query, { mode })).hits;
  const unsaid = "concert tickets";
  expect(await found(unsaid, "semantic"), "something is near").not.toEqual([]);
  expect(await found(unsaid, "hybrid")).toEqual([]);
  for (const said of ["dog breeds", "Which pet do I have?"]) {
    const [dog] = await found(said, "hybrid");
    expect(dog?.matched, said).toBe("semantic");
    expect(dog?.message.parts).toMatchObject([{ text: expect.stringContaining("puppy") }]);
  }
  await memory.close();
});
