import type { Embedder } from "@throughline/core";

/** Length of the vectors: that of the usual small models. */
export const FAKE_DIMENSIONS = 384;

/** A number for a text. */
function hash(text: string): number {
  let value = 2166136261;
  for (let index = 0; index < text.length; index++) value = Math.imul(value ^ text.charCodeAt(index), 16777619);
  return value >>> 0;
}

/** Directions of length 1 that are the same for the same seed. */
export function direction(seed: number, dimensions = FAKE_DIMENSIONS): Float32Array {
  let state = seed || 1;
  const vector = new Float32Array(dimensions);
  for (let index = 0; index < dimensions; index++) {
    // Four draws add up to something like a bell curve.
    let sum = -2;
    for (let draw = 0; draw < 4; draw++) {
      state ^= state << 13;
      state ^= state >>> 17;
      state ^= state << 5;
      sum += (state >>> 0) / 2 ** 32;
    }
    vector[index] = sum;
  }
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

/** A function of texts to vectors that costs next to nothing: equal texts, equal vectors. Each text's is kept. */
export function fakeVectors(): (text: string) => Float32Array {
  const known = new Map<string, Float32Array>();
  return (text) => {
    const vector = known.get(text) ?? direction(hash(text));
    known.set(text, vector);
    return vector;
  };
}

/** The same as an embedder. */
export function fakeEmbedder(): Embedder {
  const vectorOf = fakeVectors();
  return { modelId: "fake@1", dimensions: FAKE_DIMENSIONS, embed: async (texts) => texts.map(vectorOf) };
}
