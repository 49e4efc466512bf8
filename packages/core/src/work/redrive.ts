import type { SweepReport } from "../contract/memory.ts";
import type { CallOptions } from "../contract/memory-store.ts";
import type { Engine } from "../memory/engine.ts";
import { throwIfAborted } from "../memory/resilience.ts";
import { listFailures, noteSuccess } from "./failures.ts";
import { feedSinks } from "./run-sinks.ts";
import { addTo, doDueWork, emptyReport, reportSweep } from "./work-on-conversation.ts";

/** Tries everything that failed again, now: due work by its watermarks, turns for sinks one by one. */
export async function redrive(engine: Engine, { signal }: CallOptions = {}): Promise<SweepReport> {
  const total = emptyReport();
  const { sinks = [] } = engine.options;
  const store = await engine.store();
  const conversations = new Set<string>();
  for (const failure of await listFailures(engine)) {
    throwIfAborted(signal, "redrive");
    const owner = { ...engine.owner, conversation: failure.conversation };
    const row = await store.readConversation(owner);
    if (row !== null && failure.turn === undefined) {
      conversations.add(failure.conversation);
      continue;
    }
    const ids = failure.turn === undefined ? [] : [failure.turn];
    const [turn] = row === null ? [] : await store.readTurns(owner, { ids, limit: 1 });
    // What the work was for is gone: nothing is left to try.
    if (row === null || turn === undefined || (failure.sink ?? 0) >= sinks.length) await noteSuccess(engine, failure);
    else if (!(await feedSinks(engine, row, turn, { only: failure.sink, signal }))) total.failed++;
  }
  for (const conversation of conversations) {
    const report = await doDueWork(engine, { limit: 1, conversation, signal });
    addTo(total, report);
  }
  reportSweep(engine, total);
  return total;
}
