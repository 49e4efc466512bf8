import type { SweepReport } from "../contract/memory.ts";
import type { ConversationRow } from "../contract/store-rows.ts";
import { foldConversation } from "../conversation/fold.ts";
import type { Engine } from "../memory/engine.ts";
import { codeOf } from "../memory/resilience.ts";
import { indexConversation } from "../search/index-work.ts";

/** How long a worker has a conversation to itself, in milliseconds. */
const LEASE_MS = 60_000;

/** An empty report, to be added to. */
export const emptyReport = (): SweepReport => ({ conversations: 0, indexed: 0, folded: 0, failed: 0 });

/**
 * Claims conversations with work due and does it. What fails stays due: the watermark hasn't moved, so the next sweep
 * of any process finds it again.
 */
export async function doDueWork(
  engine: Engine,
  options: { limit: number; conversation?: string; signal?: AbortSignal | undefined },
): Promise<SweepReport> {
  const report = emptyReport();
  const store = await engine.store();
  const call = options.signal === undefined ? {} : { signal: options.signal };
  const claimed = await store.claimWork(
    engine.owner,
    {
      holder: engine.holder,
      now: engine.now(),
      leaseMs: LEASE_MS,
      limit: options.limit,
      ...(options.conversation === undefined ? {} : { conversation: options.conversation }),
    },
    call,
  );
  for (const row of claimed) await workOn(engine, row, report, options.signal);
  return report;
}

async function workOn(
  engine: Engine,
  row: ConversationRow,
  report: SweepReport,
  signal: AbortSignal | undefined,
): Promise<void> {
  const owner = { ...engine.owner, conversation: row.id };
  const store = await engine.store();
  let done = true;
  const attempt = async (work: string, run: () => Promise<void>): Promise<void> => {
    try {
      await run();
    } catch (error) {
      done = false;
      report.failed++;
      engine.emit({ type: "memory.work_failed", conversation: row.id, work, code: codeOf(error) });
    }
  };
  await attempt("index", async () => {
    report.indexed += await indexConversation(engine, owner, row, signal);
  });
  await attempt("fold", async () => {
    if ((await foldConversation(engine, owner, { signal })) > 0) report.folded++;
  });
  await store.settleWork(owner, {
    holder: engine.holder,
    ...(done ? { settledSeq: row.lastSeq } : {}),
  });
  report.conversations++;
}
