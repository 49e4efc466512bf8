import type { Engine } from "../memory/engine.ts";
import type { EmbeddingState, Model } from "./embedding-model.ts";

const nameOf = ({ modelId, dimensions }: Model): string => `"${modelId}" (${dimensions} numbers)`;

/**
 * Tells, once for each memory and change of the model, that turns get no vectors because those that are stored come from
 * another model. What becomes of it is the app's decision: to embed anew costs a call for everything that was said.
 */
export function tellOtherModel(
  engine: Engine,
  conversation: string,
  embedder: Model,
  { stored }: EmbeddingState,
): void {
  if (stored === undefined) return;
  const other = nameOf(stored);
  if (engine.embedding.told === other) return;
  engine.embedding.told = other;
  engine.emit({
    type: "memory.not_embedded",
    conversation,
    code: "EMBEDDING_MODEL_MISMATCH",
    reason: `The stored vectors are of ${other} and the embedder is ${nameOf(embedder)}: turns are recorded and found by their words alone. Run memory.reindex() to embed everything anew, or give the former embedder.`,
  });
}
