import type { SweepReport } from "../contract/memory.ts";
import type { ConversationRow } from "../contract/store-rows.ts";
import type { SpanAttributes } from "../contract/tracer.ts";
import { foldConversation } from "../conversation/fold.ts";
import { callOf } from "../memory/call-options.ts";
import type { Engine } from "../memory/engine.ts";
import { throwIfAborted } from "../memory/resilience.ts";
import { embedConversation } from "../search/embed-conversation.ts";
import { indexConversation } from "../search/index-work.ts";
import { traced } from "../telemetry/with-spans.ts";
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
  const claim = (limit: number, conversation: string | undefined) =>
    store.claimWork(
      engine.owner,
      {
        holder: engine.holder,
        now: engine.now(),
        leaseMs: LEASE_MS,
        limit,
        ...(conversation === undefined ? {} : { conversation }),
      },
      callOf(options.signal),
    );
  const claimed = await claim(options.limit, options.conversation);
  for (const [place, given] of claimed.entries()) {
    // While the ones before were worked on, another sweep may have done this one, or taken it once the lease was over.
    const [row] = place === 0 || options.signal?.aborted ? [given] : await claim(1, given.id);
    if (row === undefined) continue;
    // A lease keeps other processes away; in this one another sweep may be at it already.
    const running = engine.inWork.get(row.id);
    if (running) {
      // What was recorded while that one ran is still nobody's.
      if ((await running) < row.lastSeq) addTo(report, await doDueWork(engine, { ...options, conversation: row.id }));
      continue;
    }
    if (options.signal?.aborted) {
      await store.settleWork({ ...engine.owner, conversation: row.id }, { holder: engine.holder });
      continue;
    }
    const work = workOn(engine, row, report, options.signal);
    engine.inWork.set(
      row.id,
      work.then(
        () => row.lastSeq,
        () => row.lastSeq,
      ),
    );
    try {
      await work;
    } finally {
      engine.inWork.delete(row.id);
    }
  }
  throwIfAborted(options.signal, "sweep");
  if (options.conversation === undefined) reportSweep(engine, report);
  return report;
}

/** Reports a sweep that had something to do. */
export function reportSweep(engine: Engine, report: SweepReport): void {
  if (Object.values(report).some((count) => count > 0)) engine.emit({ type: "memory.swept", ...report });
}

/** Adds one report up to another. */
export function addTo(total: SweepReport, report: SweepReport): void {
  for (const key of Object.keys(total) as (keyof SweepReport)[]) total[key] += report[key];
}

async function workOn(
  engine: Engine,
  row: ConversationRow,
  report: SweepReport,
  signal: AbortSignal | undefined,
): Promise<void> {
  const owner = { ...engine.owner, conversation: row.id };
  const store = await engine.store();
  const { embedder, sinks = [] } = engine.options;
  const counts = { index: 0, embed: 0, fold: 0, sinks: 0 };
  // Each answers how many turns it dealt with. What this memory has nothing for is done at once, and has no span.
  const kinds: { work: keyof typeof counts; wanted: boolean; run: () => Promise<number> }[] = [
    { work: "index", wanted: store.keyword !== undefined, run: () => indexConversation(engine, owner, row, signal) },
    { work: "embed", wanted: embedder !== undefined, run: () => embedConversation(engine, owner, row, signal) },
    {
      work: "fold",
      wanted: engine.summarizer !== undefined,
      run: () => foldConversation(engine, owner, { signal }),
    },
    { work: "sinks", wanted: sinks.length > 0, run: () => runSinks(engine, row) },
  ];
  const ids: SpanAttributes = engine.tracing?.ids ? { "gen_ai.conversation.id": row.id } : {};
  let done = true;
  for (const { work, wanted, run } of kinds) {
    try {
      const tracing = wanted ? engine.tracing : undefined;
      counts[work] = await traced(tracing, `memory.${work}`, run, (turns) => ({ "memory.turns": turns }), ids);
    } catch (error) {
      done = false;
      // Whoever ended the sweep knows that it didn't come to its end; nothing failed.
      if (signal?.aborted) break;
      report.failed++;
      await noteFailure(engine, { work, conversation: row.id }, error);
      continue;
    }
    // A note can only be there where something failed before; a first pass has nothing to look up.
    if (row.settledSeq > 0 || engine.background.failedLately(row.id)) {
      await noteSuccess(engine, { work, conversation: row.id });
    }
  }
  report.indexed += counts.index;
  report.embedded += counts.embed;
  report.folded += counts.fold > 0 ? 1 : 0;
  await store.settleWork(owner, {
    holder: engine.holder,
    ...(done ? { settledSeq: row.lastSeq } : {}),
  });
  report.conversations++;
}
