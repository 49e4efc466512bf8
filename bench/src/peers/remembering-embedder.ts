import type { Embedder } from "@throughline/core";

/** An embedder that keeps what it was asked, so that every contender gets the same vectors and none pays for them. */
export interface SharedEmbedder extends Embedder {
  vectorOf(text: string): Promise<number[]>;
}

export function rememberingEmbedder(embedder: Embedder): SharedEmbedder {
  const known = new Map<string, Promise<Float32Array>>();
  const embed = (text: string, kind: "query" | "document"): Promise<Float32Array> => {
    const key = `${kind}\n${text}`;
    const made =
      known.get(key) ??
      embedder.embed([text], { kind }).then(([vector]) => {
        if (vector === undefined) throw new Error("The embedder answered no vector.");
        return vector;
      });
    known.set(key, made);
    return made;
  };
  return {
    modelId: embedder.modelId,
    dimensions: embedder.dimensions,
    embed: (texts, { kind }) => Promise.all(texts.map((text) => embed(text, kind))),
    vectorOf: async (text) => Array.from(await embed(text, "document")),
  };
}
