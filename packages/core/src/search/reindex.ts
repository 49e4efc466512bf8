import type { ReindexReport } from "../contract/memory.ts";
import { MemoryError } from "../errors/memory-error.ts";
import type { Engine } from "../memory/engine.ts";
import { throwIfAborted } from "../memory/resilience.ts";
import { dueTurns } from "../work/begin-work.ts";
import { dropVectors } from "./drop-vectors.ts";
import { embedConversation } from "./embed-conversation.ts";
import { embeddingState, setEmbeddingModel } from "./embedding-model.ts";
import { measureFloors } from "./measure-floors.ts";
import { conversationsIn } from "./scope-conversations.ts";

/**
 * Embeds all turns with the current embedder, removes the vectors of others, and measures anew what is near by this one: a
 * service may answer otherwise under the same name. Interrupted, it goes on where its watermarks are. Throws
 * `INVALID_ARGUMENT` without an embedder.
 */
export async function reindex(
  engine: Engine,
  options: { onProgress?: (progress: ReindexReport) => void; signal?: AbortSignal } = {},
): Promise<ReindexReport> {
  const { embedder } = engine.options;
  if (embedder === undefined) {
    throw new MemoryError("INVALID_ARGUMENT", "reindex needs an embedder; pass one to createMemory.");
  }
  await setEmbeddingModel(engine, embedder);
  engine.embedding.told = null;
  const { floors } = await embeddingState(engine, embedder);
  const report: ReindexReport = { conversations: 0, embedded: 0 };
  for await (const row of conversationsIn(engine, { kind: "agent" }, options.signal)) {
    throwIfAborted(options.signal, "reindex");
    const owner = { ...engine.owner, conversation: row.id };
    report.embedded += await embedConversation(engine, owner, row, {
      due: dueTurns(engine, owner, { row }),
      signal: options.signal,
    });
    const { modelId, dimensions } = embedder;
    await dropVectors(engine, owner, { otherThan: { modelId, dimensions } });
    report.conversations++;
    options.onProgress?.({ ...report });
  }
  // Where it wasn't measured before it mostly was just now.
  const isDue = floors !== undefined || (await embeddingState(engine, embedder)).floors === undefined;
  if (isDue && report.conversations > 0 && engine.policy.search.enabled) {
    await measureFloors(engine, embedder, { signal: options.signal, now: true });
  }
  engine.emit({ type: "memory.reindexed", ...report });
  return report;
}
