import { isCarried } from "../carry-over/is-carried.ts";
import type { SweepReport } from "../contract/memory.ts";
import type { ConversationOwner } from "../contract/owner.ts";
import type { ConversationRow } from "../contract/store-rows.ts";
import type { SpanAttributes } from "../contract/tracer.ts";
import { callOf } from "../memory/call-options.ts";
import type { Engine } from "../memory/engine.ts";
import { later } from "../memory/later.ts";
import { throwIfAborted } from "../memory/resilience.ts";
import { indexConversation } from "../search/index-work.ts";
import { traced } from "../telemetry/with-spans.ts";
import { noteFailure, noteSuccesses, type WorkRef } from "./failures.ts";

const carryTurns = later(async () => (await import("../carry-over/carry-turns.ts")).carryTurns);
const extractTurns = later(async () => (await import("../extract/extract-turns.ts")).extractTurns);
const embedConversation = later(async () => (await import("../search/embed-conversation.ts")).embedConversation);
const foldConversation = later(async () => (await import("../conversation/fold.ts")).foldConversation);
const runSinks = later(async () => (await import("./run-sinks.ts")).runSinks);

/** How long a worker has a conversation to itself, in milliseconds. */
const LEASE_MS = 120_000;
/** After which part of it the lease is renewed between two pieces of work. */
const RENEW_MS = LEASE_MS / 4;

/** Leases up to `limit` conversations with work due. */
const claimWork = async (
  engine: Engine,
  limit: number,
  conversation: string | undefined,
  signal?: AbortSignal,
): Promise<ConversationRow[]> =>
  (await engine.store()).claimWork(
    engine.owner,
    {
      holder: engine.holder,
      now: engine.now(),
      leaseMs: LEASE_MS,
      limit,
      ...(conversation === undefined ? {} : { conversation }),
    },
    callOf(signal),
  );

/** Renews the lease of a conversation where much of it is over; false where another worker has it meanwhile. */
function leaseOf(engine: Engine, conversation: string): () => Promise<boolean> {
  let since = Date.parse(engine.now());
  return async () => {
    const now = Date.parse(engine.now());
    if (now - since < RENEW_MS) return true;
    since = now;
    return (await claimWork(engine, 1, conversation)).length > 0;
  };
}

/** An empty report, to be added to. */
export const emptyReport = (): SweepReport => ({
  conversations: 0,
  indexed: 0,
  embedded: 0,
  folded: 0,
  extracted: 0,
  carried: 0,
  failed: 0,
});

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
    claimWork(engine, limit, conversation, options.signal);
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

const nothing = async (): Promise<number> => 0;

async function workOn(
  engine: Engine,
  row: ConversationRow,
  report: SweepReport,
  signal: AbortSignal | undefined,
): Promise<void> {
  const owner = { ...engine.owner, conversation: row.id };
  const store = await engine.store();
  const { embedder, sinks = [] } = engine.options;
  const renew = leaseOf(engine, row.id);
  const counts = { index: 0, embed: 0, fold: 0, carry: 0, extract: 0, sinks: 0 };
  const { when } = engine.policy.extract;
  // Each answers how many turns it dealt with; a reply waits for a fold, so it doesn't wait for an embedder. What
  // this memory has nothing for is done at once, has no span, and isn't even loaded.
  const kinds: { work: keyof typeof counts; wanted: boolean; run: () => Promise<number> }[] = [
    { work: "index", wanted: store.keyword !== undefined, run: () => indexConversation(engine, owner, row, signal) },
    {
      work: "fold",
      wanted: engine.summarizer !== undefined,
      run: () => foldOnce(engine, owner, signal),
    },
    { work: "carry", wanted: isCarried(engine, row), run: () => carryTurns(engine, row, { renew, signal }) },
    { work: "extract", wanted: when === "after-reply", run: () => extractTurns(engine, row, { renew, signal }) },
    { work: "embed", wanted: embedder !== undefined, run: () => embedConversation(engine, owner, row, signal) },
    { work: "sinks", wanted: sinks.length > 0, run: () => runSinks(engine, row, { renew, signal }) },
  ];
  const ids: SpanAttributes = engine.tracing?.ids ? { "gen_ai.conversation.id": row.id } : {};
  const succeeded: WorkRef[] = [];
  // A note can only be there where something failed before; a first pass has nothing to look up.
  const noteSucceeded = async (): Promise<void> => {
    if (row.settledSeq > 0 || engine.background.failedLately(row.id)) await noteSuccesses(engine, succeeded);
  };
  let done = true;
  let isOurs = true;
  for (const { work, wanted, run } of kinds) {
    try {
      isOurs = await renew();
      if (!isOurs) break;
      const tracing = wanted ? engine.tracing : undefined;
      const todo = wanted ? run : nothing;
      counts[work] = await traced(tracing, `memory.${work}`, todo, (turns) => ({ "memory.turns": turns }), ids);
    } catch (error) {
      done = false;
      // Whoever ended the sweep knows that it didn't come to its end; nothing failed.
      if (signal?.aborted) break;
      report.failed++;
      if (work === "fold") engine.background.foldFailed(row.id);
      await noteFailure(engine, { work, conversation: row.id }, error);
      continue;
    }
    succeeded.push({ work, conversation: row.id });
  }
  await noteSucceeded();
  // Whoever has it now does the rest.
  if (!isOurs) return;
  report.indexed += counts.index;
  report.embedded += counts.embed;
  report.folded += counts.fold > 0 ? 1 : 0;
  report.extracted += counts.extract;
  report.carried += counts.carry > 0 ? 1 : 0;
  // Sinks that come later begin behind this, also where the work is made due again for another reason.
  const unsunk = sinks.length === 0 && row.watermarks.sinks === undefined;
  await store.settleWork(owner, {
    holder: engine.holder,
    ...(done ? { watermarks: settledMarks(row, { unsunk, unextracted: when === "off" }) } : {}),
    ...(done ? { settledSeq: row.lastSeq } : {}),
  });
  report.conversations++;
}

/** Watermarks of work that this memory doesn't do: what is said meanwhile is not done later, when somebody begins to. */
function settledMarks(
  { lastSeq }: ConversationRow,
  { unsunk, unextracted }: { unsunk: boolean; unextracted: boolean },
): Record<string, number> {
  return { ...(unsunk ? { sinks: lastSeq } : {}), ...(unextracted ? { unextracted: lastSeq } : {}) };
}

/** Folds a conversation; two at once in this process are one. */
function foldOnce(engine: Engine, owner: ConversationOwner, signal?: AbortSignal): Promise<number> {
  const { conversation } = owner;
  const running = engine.inFold.get(conversation);
  if (running !== undefined) return running;
  const fold = foldConversation(engine, owner, { signal }).finally(() => engine.inFold.delete(conversation));
  engine.inFold.set(conversation, fold);
  return fold;
}

/**
 * Folds one conversation and does nothing else, for a reply that waits. Answers whether it could: not where another
 * process works on the conversation, or the fold failed.
 */
export async function foldDueWork(engine: Engine, conversation: string): Promise<boolean> {
  const owner = { ...engine.owner, conversation };
  const [row] = await claimWork(engine, 1, conversation);
  if (row === undefined) return false;
  const ids: SpanAttributes = engine.tracing?.ids ? { "gen_ai.conversation.id": conversation } : {};
  const describe = (turns: number): SpanAttributes => ({ "memory.turns": turns });
  try {
    await traced(engine.tracing, "memory.fold", () => foldOnce(engine, owner), describe, ids);
    return true;
  } catch (error) {
    await noteFailure(engine, { work: "fold", conversation }, error);
    return false;
  } finally {
    // What else is due stays due. Work that is running in this process goes on under the same lease.
    if (!engine.inWork.has(conversation)) {
      await (await engine.store()).settleWork(owner, { holder: engine.holder });
    }
  }
}
