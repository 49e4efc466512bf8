import type { Embedder } from "../contract/models.ts";
import type { Engine } from "../memory/engine.ts";
import { embedTexts } from "./embed-texts.ts";

/** The vector of what is asked for. */
export async function questionVector(
  engine: Engine,
  embedder: Embedder,
  query: string,
  signal: AbortSignal | undefined,
): Promise<Float32Array> {
  // The rest of the time is for the words.
  const [vector] = await embedTexts(embedder, [query], "query", { ms: Math.max(1, engine.readTimeoutMs / 2), signal });
  // One text, one vector.
  return vector as Float32Array;
}
