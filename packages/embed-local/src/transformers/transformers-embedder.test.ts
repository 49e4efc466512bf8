import { describe, expect, test } from "vitest";
import { type FeatureTensor, type TransformersModule, transformersEmbedder } from "./transformers-embedder.ts";

const document = { kind: "document" } as const;

/** The library's own form: a pipeline is a function, and what it answers a tensor of one row for each text. */
function library(dimensions = 384, tensor?: (texts: string[]) => FeatureTensor) {
  const calls: { task: string; model: string; options: object }[] = [];
  const batches: { texts: string[]; options: object }[] = [];
  const module: TransformersModule = {
    async pipeline(task, model, options) {
      calls.push({ task, model, options });
      return async (texts, given) => {
        batches.push({ texts, options: given });
        if (tensor !== undefined) return tensor(texts);
        const data = new Float32Array(texts.length * dimensions);
        for (const [row, text] of texts.entries()) data[row * dimensions + (text.length % dimensions)] = 1;
        return { dims: [texts.length, dimensions], data };
      };
    },
  };
  return { calls, batches, load: async () => module };
}

describe("transformersEmbedder", () => {
  test("S1: e5 is asked as it was trained: with its prefixes, the mean of the tokens, at length 1", async () => {
    const { calls, batches, load } = library();
    const embedder = transformersEmbedder({ load });
    expect([embedder.modelId, embedder.dimensions]).toEqual(["Xenova/e5-small-v2@q8", 384]);
    expect(calls).toEqual([]);
    const [vector] = await embedder.embed(["a puppy"], document);
    await embedder.embed(["which pet?"], { kind: "query" });
    expect(vector?.indexOf(1)).toBe("passage: a puppy".length);
    expect(calls).toEqual([{ task: "feature-extraction", model: "Xenova/e5-small-v2", options: { dtype: "q8" } }]);
    expect(batches).toEqual([
      { texts: ["passage: a puppy"], options: { pooling: "mean", normalize: true } },
      { texts: ["query: which pet?"], options: { pooling: "mean", normalize: true } },
    ]);
  });

  test("S1: other models get their length, weights and place, and no prefix but those given", async () => {
    const { calls, batches, load } = library(8);
    const options = { model: "./models/mine", dimensions: 8, dtype: "fp32", pooling: "cls", load } as const;
    const embedder = transformersEmbedder({ ...options, localOnly: true, device: "cpu", batchSize: 2 });
    const vectors = await embedder.embed(["a", "bb", "ccc"], document);
    expect(vectors.map((vector) => vector.indexOf(1))).toEqual([1, 2, 3]);
    expect(batches.map(({ texts }) => texts)).toEqual([["a", "bb"], ["ccc"]]);
    expect(calls[0]?.options).toEqual({ dtype: "fp32", device: "cpu", local_files_only: true });
    await transformersEmbedder({ ...options, queryPrefix: "ask: " }).embed(["a"], { kind: "query" });
    expect(batches.at(-1)).toEqual({ texts: ["ask: a"], options: { pooling: "cls", normalize: true } });
  });

  test("E1: without the library the error names it, and a library without pipelines says which versions have them", async () => {
    await expect(transformersEmbedder().embed(["a"], document)).rejects.toMatchObject({
      code: "EMBEDDER_FAILED",
      retryable: false,
      message: expect.stringContaining("@huggingface/transformers"),
    });
    // What another version may be.
    const other = async () => ({}) as unknown as TransformersModule;
    await expect(transformersEmbedder({ load: other }).embed(["a"], document)).rejects.toMatchObject({
      code: "EMBEDDER_FAILED",
      message: expect.stringContaining("versions 3 and 4"),
    });
  });

  test("S6: a model that can't be loaded is tried again by the next call", async () => {
    const { load } = library();
    const { pipeline } = await load();
    let tries = 0;
    const flaky: TransformersModule = {
      async pipeline(...given) {
        tries += 1;
        if (tries === 1) throw new Error("no such file");
        return pipeline(...given);
      },
    };
    const embedder = transformersEmbedder({ load: async () => flaky });
    await expect(embedder.embed(["a"], document)).rejects.toMatchObject({ code: "EMBEDDER_FAILED", retryable: true });
    expect(await embedder.embed(["a"], document)).toHaveLength(1);
  });

  test("S6: tensors that are not one vector for each text are EMBEDDER_FAILED", async () => {
    const tensors: FeatureTensor[] = [
      { dims: [1, 3, 384], data: new Float32Array(3 * 384) },
      { dims: [2, 384], data: new Float32Array(2 * 384) },
      { dims: [1, 100], data: new Float32Array(100) },
      { dims: [1, 384], data: new Float32Array(384).fill(Number.NaN) },
      { dims: [], data: [] },
    ];
    for (const tensor of tensors) {
      const { load } = library(384, () => tensor);
      const embedder = transformersEmbedder({ load });
      await expect(embedder.embed(["a"], document)).rejects.toMatchObject({ code: "EMBEDDER_FAILED" });
    }
  });

  test("E1/E5: wrong options are refused, and a signal that is over ends it", async () => {
    // What JavaScript may pass.
    const wrong = [{ model: "other" }, { dimensions: 0 }, { batchSize: 0 }, { quantized: true }] as {
      model?: string;
    }[];
    for (const options of wrong) {
      expect(() => transformersEmbedder(options)).toThrow(expect.objectContaining({ code: "INVALID_ARGUMENT" }));
    }
    const { load, batches } = library();
    const signal = AbortSignal.abort();
    await expect(transformersEmbedder({ load }).embed(["a"], { kind: "query", signal })).rejects.toMatchObject({
      code: "ABORTED",
    });
    expect(batches).toEqual([]);
  });
});
