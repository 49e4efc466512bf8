import * as z from "zod";
import type { Embedder } from "../contract/models.ts";
import type { Engine } from "../memory/engine.ts";
import type { Floors } from "./calibrate-floor.ts";

/** Cosine below which a message is not near, where it was not measured for the model. */
export const DEFAULT_FLOOR = 0.35;
/** Cosine of what answers something else, where it was not measured. */
export const DEFAULT_FAR = 0;

const NAMESPACE = ["\u0001throughline", "embedding"] as const;
const KEY = "model";
const schema = z.lazy(() => z.object({ modelId: z.string(), dimensions: z.int() }));
const floorSchema = z.lazy(() => z.object({ floors: z.object({ floor: z.number(), far: z.number() }).nullable() }));

/** An embedding model, by what vectors of it can be compared. */
export type Model = Pick<Embedder, "modelId" | "dimensions">;

/** Where a model's floors are kept: beside the model's name, which another process may change meanwhile. */
const floorKey = ({ modelId, dimensions }: Model): string => `floor ${dimensions} ${modelId}`;

/** The model whose vectors the agent's memory holds, `null` before the first; and the floors measured for `embedder`. */
async function readModel(engine: Engine, embedder: Model): Promise<{ model: Model | null; floors?: Floors | null }> {
  const store = await engine.store();
  const records = embeddingRecords(embedder);
  return toModel(embedder, await store.readRecords(engine.owner, { now: engine.now(), ...records, limit: 2 }));
}

/** Which records say how the stored vectors relate to an embedder. */
export const embeddingRecords = (embedder: Model) => ({ namespace: NAMESPACE, keys: [KEY, floorKey(embedder)] });

function toModel(
  embedder: Model,
  rows: readonly { key: string; value: unknown }[],
): { model: Model | null; floors?: Floors | null } {
  const valueAt = (wanted: string): unknown => rows.find(({ key }) => key === wanted)?.value;
  const model = schema.safeParse(valueAt(KEY));
  const measured = floorSchema.safeParse(valueAt(floorKey(embedder)));
  return { model: model.success ? model.data : null, ...(measured.success ? { floors: measured.data.floors } : {}) };
}

/** Keeps the floors measured for a model; `null`: none could be told. */
export async function setFloors(engine: Engine, embedder: Model, floors: Floors | null): Promise<void> {
  const store = await engine.store();
  const commit = { namespace: NAMESPACE, key: floorKey(embedder), value: { floors: floors && { ...floors } } };
  await store.commitRecords(engine.owner, [commit], { now: engine.now() });
}

/** Names the model whose vectors count from here on. */
export async function setEmbeddingModel(engine: Engine, { modelId, dimensions }: Embedder): Promise<void> {
  const store = await engine.store();
  const commit = { namespace: NAMESPACE, key: KEY, value: { modelId, dimensions } };
  await store.commitRecords(engine.owner, [commit], { now: engine.now() });
}

/** How the stored vectors relate to an embedder. */
export interface EmbeddingState {
  /** `none` yet, its own (`current`), or another model's (`other`). */
  vectors: "none" | "current" | "other";
  /** Whose they are, where they are another model's. */
  stored?: Model;
  /** Cosines that mean something; `null`: the model didn't tell; absent: not measured yet. */
  floors?: Floors | null;
}

/** With `claim`, an embedder that finds no vectors makes those to come its own. */
export async function embeddingState(
  engine: Engine,
  embedder: Embedder,
  options: { claim?: boolean } = {},
): Promise<EmbeddingState> {
  const found = await readModel(engine, embedder);
  if (found.model === null && options.claim) {
    const { model: _none, ...measured } = found;
    await setEmbeddingModel(engine, embedder);
    // Turns that were settled before there was an embedder are due again.
    const store = await engine.store();
    await store.reopenWork(engine.owner);
    return { vectors: "current", ...measured };
  }
  return toState(embedder, found);
}

/** The same of {@link embeddingRecords} that were read. */
export const embeddingStateOf = (embedder: Model, rows: readonly { key: string; value: unknown }[]): EmbeddingState =>
  toState(embedder, toModel(embedder, rows));

function toState(embedder: Model, { model, ...measured }: ReturnType<typeof toModel>): EmbeddingState {
  if (model === null) return { vectors: "none", ...measured };
  const isOwn = model.modelId === embedder.modelId && model.dimensions === embedder.dimensions;
  return isOwn ? { vectors: "current", ...measured } : { vectors: "other", stored: model, ...measured };
}
