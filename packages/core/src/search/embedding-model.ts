import * as z from "zod";
import type { Embedder } from "../contract/models.ts";
import type { Engine } from "../memory/engine.ts";

const NAMESPACE = ["\u0001throughline", "embedding"] as const;
const KEY = "model";
const schema = z.lazy(() => z.object({ modelId: z.string(), dimensions: z.int() }));

/** The model whose vectors the agent's memory holds; `null` before the first. */
export async function embeddingModel(engine: Engine): Promise<{ modelId: string; dimensions: number } | null> {
  const store = await engine.store();
  const query = { now: engine.now(), namespace: NAMESPACE, keys: [KEY], limit: 1 };
  const [row] = await store.readRecords(engine.owner, query);
  const parsed = schema.safeParse(row?.value);
  return parsed.success ? parsed.data : null;
}

/** Names the model whose vectors count from here on. */
export async function setEmbeddingModel(engine: Engine, { modelId, dimensions }: Embedder): Promise<void> {
  const store = await engine.store();
  const commit = { namespace: NAMESPACE, key: KEY, value: { modelId, dimensions } };
  await store.commitRecords(engine.owner, [commit], { now: engine.now() });
}

/**
 * How the stored vectors relate to an embedder: `none` yet, its own (`current`), or another model's (`other`). With
 * `claim`, an embedder that finds none makes them its own.
 */
export async function embeddingState(
  engine: Engine,
  embedder: Embedder,
  options: { claim?: boolean } = {},
): Promise<"none" | "current" | "other"> {
  const model = await embeddingModel(engine);
  if (model === null) {
    if (!options.claim) return "none";
    await setEmbeddingModel(engine, embedder);
    // Turns that were settled before there was an embedder are due again.
    const store = await engine.store();
    await store.reopenWork(engine.owner);
    return "current";
  }
  return model.modelId === embedder.modelId && model.dimensions === embedder.dimensions ? "current" : "other";
}
