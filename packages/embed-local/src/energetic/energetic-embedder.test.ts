import { describe, expect, test } from "vitest";
import { energeticEmbedder } from "./energetic-embedder.ts";
import { piecesOf } from "./pieces.ts";

const document = { kind: "document" } as const;

describe("energeticEmbedder", () => {
  test("S1: the real model finds what means the same nearer", async () => {
    const embedder = energeticEmbedder();
    const vectors = await embedder.embed(["We adopted a puppy", "a new dog", "The invoice is due on Friday"], document);
    const [said, same, other] = vectors;
    const cosine = (left?: Float32Array, right?: Float32Array): number =>
      left?.reduce((sum, value, index) => sum + value * (right?.[index] ?? 0), 0) ?? 0;
    expect(vectors.every((vector) => vector.length === embedder.dimensions)).toBe(true);
    expect(cosine(said, said)).toBeCloseTo(1, 5);
    expect(cosine(said, same)).toBeGreaterThan(cosine(said, other) + 0.3);
    const [blank, again] = await embedder.embed(["  ", "We adopted a puppy"], { kind: "query" });
    expect(blank?.every((value) => value === 0)).toBe(true);
    expect(cosine(said, again)).toBeCloseTo(1, 5);
  });

  test("G8: a text in another script has no vector: to the model all of those are one", async () => {
    const isBlank = (vector: Float32Array) => vector.every((value) => value === 0);
    const texts = ["我的狗叫豆豆", "Где я живу?", "?!", "🙂", "My dog is called 豆豆", "Wo wohne ich?", "4471"];
    const vectors = await energeticEmbedder().embed(texts, document);
    expect(vectors.map(isBlank)).toEqual([true, true, true, true, false, false, false]);
    const model = { embed: async (given: string[]) => given.map(() => Array.from({ length: 512 }, () => 1)) };
    const own = await energeticEmbedder({ model, modelId: "mine" }).embed(["我的狗叫豆豆"], document);
    expect(own.map(isBlank)).toEqual([false]);
  });

  test("J7: long texts go to the model in pieces, few at a time, and come back as one vector each", async () => {
    const sizes: number[] = [];
    const model = {
      async embed(texts: string[]) {
        sizes.push(texts.length);
        expect(Math.max(...texts.map((text) => text.length))).toBeLessThanOrEqual(600);
        return texts.map((text) =>
          Array.from({ length: 512 }, (_, index) => (index === (text.startsWith("a") ? 0 : 1) ? 1 : 0)),
        );
      },
    };
    const texts = ["a ".repeat(900), "b", ...Array.from({ length: 20 }, () => "a")];
    const vectors = await energeticEmbedder({ model, modelId: "mine" }).embed(texts, document);
    expect(sizes).toEqual([16, 8]);
    expect(vectors.map((vector) => vector.indexOf(1))).toEqual([0, 1, ...Array.from({ length: 20 }, () => 0)]);
  });

  test("S1: pieces hold the whole of a text up to their number, and halve no character", () => {
    expect(piecesOf("  ")).toEqual([]);
    expect(piecesOf("one two")).toEqual(["one two"]);
    const words = Array.from({ length: 300 }, (_, index) => `word${index}`).join(" ");
    expect(piecesOf(words).join(" ")).toBe(words);
    const emoji = piecesOf("🎉".repeat(700));
    expect(emoji.join("")).toBe("🎉".repeat(700));
    expect(emoji.every((piece) => piece.isWellFormed())).toBe(true);
    expect(piecesOf("x".repeat(9_000)).length).toBe(8);
  });

  test("S6: a model that answers with something else is EMBEDDER_FAILED, a signal that is over ABORTED", async () => {
    const answers = [[], [[1, 2]], [Array.from({ length: 512 }, () => Number.NaN)]];
    for (const answer of answers) {
      const embedder = energeticEmbedder({ model: { embed: async () => answer } });
      await expect(embedder.embed(["a"], document)).rejects.toMatchObject({ code: "EMBEDDER_FAILED" });
    }
    const signal = AbortSignal.abort();
    await expect(energeticEmbedder().embed(["a"], { kind: "query", signal })).rejects.toMatchObject({
      code: "ABORTED",
    });
    // What JavaScript may pass.
    const wrong = { model: {} } as unknown as { modelId: string };
    expect(() => energeticEmbedder(wrong)).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
  });
});
