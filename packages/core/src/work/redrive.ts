import type { SweepReport } from "../contract/memory.ts";
import type { Engine } from "../memory/engine.ts";
import { listFailures } from "./failures.ts";
import { feedSinks } from "./run-sinks.ts";
import { addTo, doDueWork, emptyReport, reportSweep } from "./work-on-conversation.ts";

/** Tries everything that failed again, now: due work by its watermarks, turns for sinks one by one. */
export async function redrive(engine: Engine): Promise<SweepReport> {
  const total = emptyReport();
  const store = await engine.store();
  const conversations = new Set<string>();
  for (const failure of await listFailures(engine)) {
    const owner = { ...engine.owner, conversation: failure.conversation };
    if (failure.turn === undefined) {
      conversations.add(failure.conversation);
      continue;
    }
    const row = await store.readConversation(owner);
    const [turn] = await store.readTurns(owner, { ids: [failure.turn], limit: 1 });
    if (row && turn && !(await feedSinks(engine, row, turn))) total.failed++;
  }
  for (const conversation of conversations) {
    const report = await doDueWork(engine, { limit: 1, conversation });
    addTo(total, report);
  }
  reportSweep(engine, total);
  return total;
}
