import { createHash } from "node:crypto";
import type { Embedder } from "@throughline/core";

const DIMENSIONS = 256;

/** A weak embedder without a model: words and their threes of letters, hashed into numbers. Repeatable everywhere. */
export const hashedEmbedder = (): Embedder => {
  const places = new Map<string, number>();
  const placeOf = (part: string): number => {
    const known = places.get(part) ?? createHash("sha256").update(part).digest().readUInt16LE(0) % DIMENSIONS;
    places.set(part, known);
    return known;
  };
  return {
    modelId: "hashed-256",
    dimensions: DIMENSIONS,
    embed: (texts) =>
      Promise.resolve(
        texts.map((text) => {
          const vector = new Float32Array(DIMENSIONS);
          for (const word of text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []) {
            const parts = [
              word,
              ...Array.from({ length: Math.max(0, word.length - 2) }, (_, at) => word.slice(at, at + 3)),
            ];
            for (const part of parts) vector[placeOf(part)] = (vector[placeOf(part)] ?? 0) + 1;
          }
          return vector;
        }),
      ),
  };
};
