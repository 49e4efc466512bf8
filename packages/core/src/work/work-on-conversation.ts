import type { SweepReport } from "../contract/memory.ts";
import type { ConversationRow } from "../contract/store-rows.ts";
import { foldConversation } from "../conversation/fold.ts";
import { callOf } from "../memory/call-options.ts";
import type { Engine } from "../memory/engine.ts";
import { embedConversation } from "../search/embed-conversation.ts";
import { indexConversation } from "../search/index-work.ts";
import { noteFailure, noteSuccess } from "./failures.ts";
import { runSinks } from "./run-sinks.ts";

/** How long a worker has a conversation to itself, in milliseconds. */
const LEASE_MS = 120_000;

/** An empty report, to be added to. */
export const emptyReport = (): SweepReport => ({ conversations: 0, indexed: 0, embedded: 0, folded: 0, failed: 0 });

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
  const claimed = await store.claimWork(
    engine.owner,
    {
      holder: engine.holder,
      now: engine.now(),
      leaseMs: LEASE_MS,
      limit: options.limit,
      ...(options.conversation === undefined ? {} : { conversation: options.conversation }),
    },
    callOf(options.signal),
  );
  for (const row of claimed) {
    // A lease keeps other processes away; in this one another sweep may be at it already.
    const running = engine.inWork.get(row.id);
    if (running) {
      await running;
      continue;
    }
    const work = workOn(engine, row, report, options.signal);
    engine.inWork.set(
      row.id,
      work.catch(() => undefined),
    );
    try {
      await work;
    } finally {
      engine.inWork.delete(row.id);
    }
  }
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
  const kinds: [work: string, run: () => Promise<unknown>][] = [
    ["index", async () => (report.indexed += await indexConversation(engine, owner, row, signal))],
    ["embed", async () => (report.embedded += await embedConversation(engine, owner, row, signal))],
    ["fold", async () => (report.folded += (await foldConversation(engine, owner, { signal })) > 0 ? 1 : 0)],
    ["sinks", () => runSinks(engine, row)],
  ];
  let done = true;
  for (const [work, run] of kinds) {
    try {
      await run();
    } catch (error) {
      done = false;
      report.failed++;
      await noteFailure(engine, { work, conversation: row.id }, error);
      continue;
    }
    // A note can only be there where something failed before; a first pass has nothing to look up.
    if (row.settledSeq > 0 || engine.background.failedLately(row.id)) {
      await noteSuccess(engine, { work, conversation: row.id });
    }
  }
  await store.settleWork(owner, {
    holder: engine.holder,
    ...(done ? { settledSeq: row.lastSeq } : {}),
  });
  report.conversations++;
}
