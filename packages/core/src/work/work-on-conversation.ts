import { isCarried } from "../carry-over/is-carried.ts";
import type { SweepReport } from "../contract/memory.ts";
import type { ConversationOwner } from "../contract/owner.ts";
import type { ConversationRow } from "../contract/store-rows.ts";
import type { WorkSettlement } from "../contract/store-work.ts";
import type { SpanAttributes } from "../contract/tracer.ts";
import type { Engine } from "../memory/engine.ts";
import { later } from "../memory/later.ts";
import { throwIfAborted } from "../memory/resilience.ts";
import { indexConversation } from "../search/index-work.ts";
import { traced } from "../telemetry/with-spans.ts";
import { type BegunWork, claimWork, dueTurns, LEASE_MS } from "./begin-work.ts";
import { KINDS, noteFailure, noteSuccesses, type WorkRef } from "./failures.ts";
import { canHold, type HeldWork, writeHeld } from "./held-work.ts";

const carryTurns = later(async () => (await import("../carry-over/carry-turns.ts")).carryTurns);
const extractTurns = later(async () => (await import("../extract/extract-turns.ts")).extractTurns);
const embedConversation = later(async () => (await import("../search/embed-conversation.ts")).embedConversation);
const foldConversation = later(async () => (await import("../conversation/fold.ts")).foldConversation);
const runSinks = later(async () => (await import("./run-sinks.ts")).runSinks);

/** After which part of it the lease is renewed between two pieces of work. */
const RENEW_MS = LEASE_MS / 4;

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
  const claimed = await claimWork(engine, options.limit, options.conversation, options.signal);
  for (const [place, given] of claimed.entries()) {
    // While the ones before were worked on, another sweep may have done this one, or taken it once the lease was over.
    const isOurs = place === 0 || options.signal?.aborted;
    const [begun] = isOurs ? [given] : await claimWork(engine, 1, given.row.id, options.signal);
    if (begun === undefined) continue;
    const { row } = begun;
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
    const work = workOn(engine, begun, report, options.signal);
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
  begun: BegunWork,
  report: SweepReport,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { row } = begun;
  const owner = { ...engine.owner, conversation: row.id };
  const store = await engine.store();
  const { embedder, sinks = [] } = engine.options;
  const renew = leaseOf(engine, row.id);
  const counts = { index: 0, embed: 0, fold: 0, carry: 0, extract: 0, sinks: 0 };
  const { when } = engine.policy.extract;
  const held: HeldWork | undefined = canHold(store) ? { createdAt: row.createdAt } : undefined;
  const succeeded: WorkRef[] = [];
  let done = true;
  const fail = async (work: WorkRef["work"], error: unknown): Promise<void> => {
    done = false;
    report.failed++;
    await noteFailure(engine, { work, conversation: row.id }, error);
  };
  const write = async (settle?: (isWhole: boolean) => WorkSettlement): Promise<void> => {
    for (const { work, turns, isOurs, error } of await writeHeld(
      engine,
      owner,
      held ?? { createdAt: row.createdAt },
      settle,
    )) {
      if (!isOurs) counts[work] -= turns;
      if (error === undefined) succeeded.push({ work, conversation: row.id });
      else await fail(work, error);
    }
  };
  let due = dueTurns(engine, owner, begun);
  let { state } = begun;
  // Each answers how many turns it dealt with; a reply waits for a fold, so it doesn't wait for an embedder. What
  // this memory has nothing for is done at once, has no span, and isn't even loaded.
  const kinds: Record<(typeof KINDS)[number], { wanted: boolean; run: () => Promise<number> }> = {
    index: {
      wanted: store.keyword !== undefined,
      run: () => indexConversation(engine, owner, row, { due, held, signal }),
    },
    fold: { wanted: engine.summarizer !== undefined, run: () => foldOnce(engine, owner, signal) },
    carry: { wanted: isCarried(engine, row), run: () => carryTurns(engine, row, { renew, signal }) },
    extract: { wanted: when === "after-reply", run: () => extractTurns(engine, row, { renew, signal }) },
    embed: {
      wanted: embedder !== undefined,
      run: () =>
        embedConversation(engine, owner, row, { due, state, held, meanwhile: held && (() => write()), signal }),
    },
    sinks: { wanted: sinks.length > 0, run: () => runSinks(engine, row, { renew, signal }) },
  };
  const ids: SpanAttributes = engine.tracing?.ids ? { "gen_ai.conversation.id": row.id } : {};
  let isOurs = true;
  for (const work of KINDS) {
    const { wanted, run } = kinds[work];
    const isHeld = work === "index" || work === "embed";
    try {
      isOurs = await renew();
      if (!isOurs) break;
      if (wanted && !isHeld) {
        // It may take long: nothing waits for it, and what was read before it may be old after it.
        await write();
        due = dueTurns(engine, owner, { row });
        state = undefined;
      }
      const tracing = wanted ? engine.tracing : undefined;
      const todo = wanted ? run : nothing;
      counts[work] = await traced(tracing, `memory.${work}`, todo, (turns) => ({ "memory.turns": turns }), ids);
    } catch (error) {
      // Whoever ended the sweep knows that it didn't come to its end; nothing failed.
      if (signal?.aborted) {
        done = false;
        break;
      }
      if (work === "fold") engine.background.foldFailed(row.id);
      await fail(work, error);
      continue;
    }
    // What is held hasn't succeeded yet.
    if (!isHeld || held?.[work] === undefined) succeeded.push({ work, conversation: row.id });
  }
  // A note can only be there where something failed before; a first pass has nothing to look up.
  if (begun.isNoted ?? (row.settledSeq > 0 || engine.background.failedLately(row.id))) {
    if (isOurs) await write();
    await noteSuccesses(engine, succeeded);
  }
  // Whoever has it now does the rest.
  if (!isOurs) return;
  // Sinks that come later begin behind this, also where the work is made due again for another reason.
  const unsunk = sinks.length === 0 && row.watermarks.sinks === undefined;
  await write((isWhole) => ({
    holder: engine.holder,
    ...(done && isWhole ? { watermarks: settledMarks(row, { unsunk, unextracted: when === "off" }) } : {}),
    ...(done && isWhole ? { settledSeq: row.lastSeq } : {}),
  }));
  report.indexed += counts.index;
  report.embedded += counts.embed;
  report.folded += counts.fold > 0 ? 1 : 0;
  report.extracted += counts.extract;
  report.carried += counts.carry > 0 ? 1 : 0;
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
  const [begun] = await claimWork(engine, 1, conversation);
  if (begun === undefined) return false;
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
