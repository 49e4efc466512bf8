import type { Manifest } from "../contract/memory.ts";
import type { Engine } from "../memory/engine.ts";
import { withDeadline } from "../memory/resilience.ts";
import { DEFAULT_FLOOR, embeddingState } from "./embedding-model.ts";

/** How vectors are searched, for the manifest. A store that doesn't answer in time is no reason to have none. */
export async function describeVectors(engine: Engine): Promise<string> {
  const { vectors } = await engine.store();
  if (vectors === undefined) return "exact fallback";
  try {
    return await withDeadline(vectors.describe(), engine.readTimeoutMs, "describing the store's vectors");
  } catch {
    return "unknown: the store does not answer";
  }
}

/** The embedder and its floor, for the manifest. */
export async function describeEmbedding(engine: Engine): Promise<Manifest["embedding"]> {
  const { embedder, semanticFloor } = engine.options;
  if (embedder === undefined) return null;
  const { modelId, dimensions } = embedder;
  const floorOf = (measured?: number): number => semanticFloor ?? measured ?? DEFAULT_FLOOR;
  try {
    const { floors, stored } = await withDeadline(
      embeddingState(engine, embedder),
      engine.readTimeoutMs,
      "reading the model's floor",
    );
    return { modelId, dimensions, floor: floorOf(floors?.floor), ...(stored === undefined ? {} : { stored }) };
  } catch {
    // It counts where it can be read.
    return { modelId, dimensions, floor: floorOf() };
  }
}
