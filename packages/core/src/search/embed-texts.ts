import type { Embedder } from "../contract/models.ts";
import { MemoryError } from "../errors/memory-error.ts";
import { codeOf, runWithin } from "../memory/resilience.ts";

/**
 * Vectors of texts, checked: one each, of the stated length, normalised. Throws `EMBEDDER_FAILED`, also where the embedder
 * took longer than `ms`.
 */
export async function embedTexts(
  embedder: Embedder,
  texts: string[],
  kind: "query" | "document",
  { ms, signal }: { ms: number; signal?: AbortSignal | undefined },
): Promise<Float32Array[]> {
  const what = `The embedder "${embedder.modelId}"`;
  let vectors: Float32Array[];
  try {
    vectors = await runWithin((ends) => embedder.embed(texts, { kind, signal: ends }), { ms, what, signal });
  } catch (cause) {
    const isLate = codeOf(cause) === "TIMEOUT";
    if (MemoryError.isInstance(cause) && !isLate) throw cause;
    const how = isLate ? `took longer than ${ms} ms` : "threw";
    const next = kind === "document" ? "the turns are embedded later" : "the words are searched all the same";
    throw new MemoryError("EMBEDDER_FAILED", `${what} ${how}; ${next}.`, { cause });
  }
  if (
    !Array.isArray(vectors) ||
    vectors.length !== texts.length ||
    vectors.some((vector) => vector.length !== embedder.dimensions || !vector.every(Number.isFinite))
  ) {
    throw new MemoryError(
      "EMBEDDER_FAILED",
      `The embedder "${embedder.modelId}" did not return one vector of ${embedder.dimensions} finite numbers per text.`,
    );
  }
  return vectors.map(normalised);
}

/** The vector at length 1, so that a dot product is the cosine. */
function normalised(vector: Float32Array): Float32Array {
  let square = 0;
  for (const value of vector) square += value * value;
  const length = Math.sqrt(square);
  return length > 0 && Number.isFinite(length) ? vector.map((value) => value / length) : vector;
}
