import type { CallOptions, MemoryStore } from "../contract/memory-store.ts";
import type { ConversationOwner } from "../contract/owner.ts";
import type { SummaryRow } from "../contract/store-rows.ts";
import { MemoryError } from "../errors/memory-error.ts";
import type { Engine } from "../memory/engine.ts";
import { retryingWrite } from "../memory/resilience.ts";

/** How often a removal is tried against folds that commit at the same time. */
const TRIES = 6;

/**
 * Deletes a summary that is derived from what no longer counts; the next fold writes a fresh one. It is stale where it
 * reaches to `from` or behind (the first turn that was erased or rewritten), where the turn that it ends with is hidden,
 * gone or cleared, and where it leaves no visible turn to stand verbatim. Retried by itself: the change has happened.
 */
export function dropStaleSummary(
  engine: Engine,
  owner: ConversationOwner,
  change: { from?: number | undefined } = {},
  options: CallOptions = {},
): Promise<void> {
  return retryingWrite(engine, "summary", async () => {
    const store = await engine.store();
    for (let attempt = 0; attempt < TRIES; attempt++) {
      const [summary] = await store.readSummaries(owner, { limit: 1 }, options);
      if (summary === undefined || summary.deletedAt !== undefined) return;
      const reached = change.from !== undefined && summary.through >= change.from;
      if (!reached && !(await isStale(store, owner, summary, options))) return;
      const removal = { expectedVersion: summary.version, summary: null, now: engine.now() };
      if ((await store.commitSummary(owner, removal, options)).status === "committed") return;
    }
    throw new MemoryError("STORE_BUSY", "The summary is being written by others at the same time; try again.");
  });
}

async function isStale(
  store: MemoryStore,
  owner: ConversationOwner,
  summary: SummaryRow,
  options: CallOptions,
): Promise<boolean> {
  const [last] = await store.readTurns(owner, { ids: [summary.throughTurn], limit: 1 }, options);
  if (last?.seq !== summary.through) return true;
  const [newest] = await store.readTurns(owner, { order: "newest", limit: 1 }, options);
  if (newest === undefined || newest.seq <= summary.through) return true;
  const row = await store.readConversation(owner, options);
  return row === null || row.clearedThrough >= summary.through;
}
