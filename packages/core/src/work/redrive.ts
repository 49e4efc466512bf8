import type { SweepReport } from "../contract/memory.ts";
import type { CallOptions } from "../contract/memory-store.ts";
import { distill } from "../extract/distill.ts";
import { extractTurn } from "../extract/extract-turns.ts";
import type { Engine } from "../memory/engine.ts";
import { throwIfAborted } from "../memory/resilience.ts";
import { listFailures, noteFailure, noteSuccess } from "./failures.ts";
import { feedSinks } from "./run-sinks.ts";
import { addTo, doDueWork, emptyReport, reportSweep } from "./work-on-conversation.ts";

/** Tries everything that failed again, now: due work by its watermarks, turns for sinks one by one. */
export async function redrive(engine: Engine, { signal }: CallOptions = {}): Promise<SweepReport> {
  const total = emptyReport();
  const { sinks = [] } = engine.options;
  const store = await engine.store();
  const conversations = new Set<string>();
  let distills = false;
  for (const failure of await listFailures(engine)) {
    throwIfAborted(signal, "redrive");
    if (failure.work === "distill") {
      distills = true;
      continue;
    }
    const owner = { ...engine.owner, conversation: failure.conversation };
    const row = await store.readConversation(owner);
    if (row !== null && failure.turn === undefined) {
      conversations.add(failure.conversation);
      continue;
    }
    const ids = failure.turn === undefined ? [] : [failure.turn];
    const [turn] = row === null ? [] : await store.readTurns(owner, { ids, limit: 1 });
    if (row !== null && turn !== undefined && failure.work === "extract") {
      try {
        await extractTurn(engine, row, turn, signal);
        await noteSuccess(engine, failure);
        total.extracted++;
      } catch (error) {
        throwIfAborted(signal, "redrive");
        await noteFailure(engine, failure, error);
        total.failed++;
      }
      continue;
    }
    // What the work was for is gone: nothing is left to try.
    if (row === null || turn === undefined || (failure.sink ?? 0) >= sinks.length) await noteSuccess(engine, failure);
    else if (!(await feedSinks(engine, row, turn, { only: failure.sink, signal }))) total.failed++;
  }
  for (const conversation of conversations) {
    const report = await doDueWork(engine, { limit: 1, conversation, signal });
    addTo(total, report);
  }
  if (distills) total.failed += (await distill(engine, signal)).failed ?? 0;
  reportSweep(engine, total);
  return total;
}
