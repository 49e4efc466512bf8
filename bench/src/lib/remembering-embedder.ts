import type { Embedder } from "@throughline/core";

/**
 * An embedder that keeps what it was asked, so that every contender gets the same vectors and none pays for them. Of a model that
 * takes questions and documents alike: peers don't say which they embed.
 */
export interface SharedEmbedder extends Embedder {
  vectorOf(text: string): Promise<number[]>;
}

export function rememberingEmbedder(embedder: Embedder): SharedEmbedder {
  const known = new Map<string, Promise<Float32Array>>();
  const embed = (text: string): Promise<Float32Array> => {
    const made =
      known.get(text) ??
      embedder.embed([text], { kind: "document" }).then(([vector]) => {
        if (vector === undefined) throw new Error("The embedder answered no vector.");
        return vector;
      });
    known.set(text, made);
    return made;
  };
  return {
    modelId: embedder.modelId,
    dimensions: embedder.dimensions,
    embed: (texts) => Promise.all(texts.map(embed)),
    vectorOf: async (text) => Array.from(await embed(text)),
  };
}
