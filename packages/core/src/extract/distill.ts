import * as z from "zod";
import type { Distiller } from "../contract/models.ts";
import type { ConversationRow } from "../contract/store-rows.ts";
import { canonicalSubject } from "../memory/canonical-subject.ts";
import type { Engine } from "../memory/engine.ts";
import { codeOf, throwIfAborted } from "../memory/resilience.ts";
import { noteFailure, noteSuccess } from "../work/failures.ts";
import { moveMarks } from "../work/move-marks.ts";
import { foundAmong } from "./candidate-counts.ts";
import { nextBatch } from "./distill-batches.ts";
import { drawFacts } from "./draw-facts.ts";
import { dueEvents, settleEvents, subjectsWithEvents } from "./timeline.ts";
import { zoneOf } from "./zone-of.ts";

const LEASE = "distill";
/** How long one process has the pass to itself without renewing, in milliseconds. */
const LEASE_MS = 300_000;
/** Where the last pass is noted. */
const NAMESPACE = ["\u0001throughline", "distill"] as const;
const PASS = "pass";
const PAGE = 100;
/** Conversations are looked at again from this long before the last pass began: clocks of processes differ. */
const MARGIN_MS = 3_600_000;
const MAX_EVENTS = 40;

const passSchema = z.lazy(() => z.object({ begunAt: z.string() }));

/** What came of a distillation. */
export interface Distilled {
  found: number;
  /** Batches that failed; absent where none did. */
  failed?: number;
}

/** Another process took the pass over; what is left is its to do. */
class PassLost extends Error {}

/**
 * Draws facts from everything that is new. Two calls at once in this process are one; where another process is at it,
 * nothing is found here.
 */
export function distill(engine: Engine, signal?: AbortSignal): Promise<Distilled> {
  const { distiller } = engine;
  if (distiller === undefined || engine.policy.extract.when === "off") return Promise.resolve({ found: 0 });
  engine.distilling.run ??= runPass(engine, distiller, signal).finally(() => {
    engine.distilling.run = null;
  });
  return engine.distilling.run;
}

/** When the last whole pass began; `null` before the first. */
export async function lastPass(engine: Engine): Promise<string | null> {
  const store = await engine.store();
  const query = { now: engine.now(), namespace: NAMESPACE, keys: [PASS], limit: 1 };
  const [row] = await store.readRecords(engine.owner, query);
  const parsed = passSchema.safeParse(row?.value);
  return parsed.success ? parsed.data.begunAt : null;
}

async function runPass(engine: Engine, distiller: Distiller, signal: AbortSignal | undefined): Promise<Distilled> {
  const store = await engine.store();
  const lease = () => ({ name: LEASE, holder: engine.holder, now: engine.now(), leaseMs: LEASE_MS });
  if (!(await store.claimLease(engine.owner, lease()))) return { found: 0 };
  const renew = async (): Promise<void> => {
    throwIfAborted(signal, "distilling");
    if (!(await store.claimLease(engine.owner, lease()))) throw new PassLost();
  };
  const total = { found: 0, failed: 0 };
  try {
    const begunAt = engine.now();
    const since = await lastPass(engine);
    for (const subject of await subjectsWithEvents(engine)) {
      await attempt(engine, total, "", () => distillEvents(engine, distiller, subject, { renew, signal, total }));
    }
    for await (const row of changedSince(engine, since)) {
      await attempt(engine, total, row.id, () => distillTurns(engine, distiller, row, { renew, signal, total }));
    }
    if (total.failed === 0) {
      const commit = { namespace: NAMESPACE, key: PASS, value: { begunAt } };
      await store.commitRecords(engine.owner, [commit], { now: engine.now() });
    }
  } catch (error) {
    if (!(error instanceof PassLost)) throw error;
  } finally {
    await store.releaseLease(engine.owner, { name: LEASE, holder: engine.holder });
  }
  return total.failed > 0 ? total : { found: total.found };
}

/** One batch after the other of one conversation, or of one person's events; a failure ends these and no others. */
async function attempt(
  engine: Engine,
  total: { failed: number },
  conversation: string,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    // Whoever ended it knows that it didn't come to its end; nothing failed.
    if (error instanceof PassLost || codeOf(error) === "ABORTED") throw error;
    total.failed++;
    await noteFailure(engine, { work: "distill", conversation }, error);
    return;
  }
  await noteSuccess(engine, { work: "distill", conversation });
}

interface Pass {
  renew: () => Promise<void>;
  signal: AbortSignal | undefined;
  total: { found: number };
}

/** Conversations with a turn or change since, newest first. */
async function* changedSince(engine: Engine, since: string | null): AsyncGenerator<ConversationRow> {
  const store = await engine.store();
  const from = since === null ? "" : new Date(Date.parse(since) - MARGIN_MS).toISOString();
  for (let after: { updatedAt: string; id: string } | undefined; ; ) {
    const rows: ConversationRow[] = await store.listConversations(engine.owner, {
      limit: PAGE,
      ...(after === undefined ? {} : { after }),
    });
    for (const row of rows) {
      if (row.updatedAt < from) return;
      yield row;
    }
    const last = rows.at(-1);
    if (rows.length < PAGE || last === undefined) return;
    after = { updatedAt: last.updatedAt, id: last.id };
  }
}

async function distillTurns(
  engine: Engine,
  distiller: Distiller,
  { id }: ConversationRow,
  { renew, signal, total }: Pass,
): Promise<void> {
  // Turns after the reply are another's; with them this pass is for events.
  if (engine.policy.extract.when !== "scheduled") return;
  const store = await engine.store();
  const owner = { ...engine.owner, conversation: id };
  const row = await store.readConversation(owner);
  if (row === null) return;
  for (let after = row.watermarks.extract ?? 0; after < row.lastSeq; ) {
    await renew();
    const batch = await nextBatch(engine, row, after);
    let through = batch.through;
    const [first] = batch.turns;
    if (first !== undefined) {
      const drawn = await drawFacts(engine, distiller, {
        turns: batch.turns,
        events: [],
        recent: batch.recent,
        conversation: id,
        subject: batch.subject,
        timeZone: zoneOf(engine, row.metadata),
        whole: true,
        // Named by where it begins: a pass that was killed before the watermark moved is known again, however much was said since.
        operation: { key: `distill:${id}:${after}`, through: String(batch.through) },
        beganAt: first.startedAt,
        signal,
      });
      through = Number(drawn.through);
      total.found += foundAmong(drawn.counts);
      engine.emit({
        type: "memory.distilled",
        conversation: id,
        ...(batch.subject === undefined ? {} : { subject: batch.subject }),
        turns: batch.turns.length,
        events: 0,
        ...drawn.counts,
      });
    }
    await moveMarks(engine, row, { extract: through });
    after = through;
  }
}

async function distillEvents(
  engine: Engine,
  distiller: Distiller,
  filedUnder: string,
  { renew, signal, total }: Pass,
): Promise<void> {
  const subject = await canonicalSubject(engine, filedUnder);
  for (;;) {
    await renew();
    const due = await dueEvents(engine, filedUnder, MAX_EVENTS);
    const [first] = due;
    if (first === undefined) return;
    const ids = due.map(({ event }) => event.id);
    const drawn = await drawFacts(engine, distiller, {
      turns: [],
      events: due.map(({ event }) => ({ ...event, subject })),
      recent: [],
      subject,
      filedUnder,
      timeZone: zoneOf(engine, undefined),
      whole: true,
      operation: { key: `distill-events:${first.event.id}`, through: JSON.stringify(ids) },
      beganAt: first.takenAt,
      signal,
    });
    total.found += foundAmong(drawn.counts);
    // What the first try of this batch held, where it was done before.
    await settleEvents(engine, filedUnder, JSON.parse(drawn.through) as string[]);
    engine.emit({ type: "memory.distilled", subject, turns: 0, events: due.length, ...drawn.counts });
  }
}
