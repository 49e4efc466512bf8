import * as z from "zod";
import { isoTime } from "../checks/duration.ts";
import { checkId } from "../checks/ids.ts";
import type { CallOptions } from "../contract/memory-store.ts";
import type { TimelineEvent } from "../contract/models.ts";
import type { Outcome } from "../contract/outcome.ts";
import { MemoryError } from "../errors/memory-error.ts";
import { canonicalSubject } from "../memory/canonical-subject.ts";
import type { Engine } from "../memory/engine.ts";
import { codeOf, retryingWrite, sentenceOf } from "../memory/resilience.ts";

/** Records of the library itself; `records` refuses hosts a label that begins with U+0001. */
const EVENTS = ["\u0001throughline", "timeline"] as const;
const DUE = ["\u0001throughline", "timeline-due"] as const;

/** Longest text of an event, in characters. */
const MAX_TEXT_CHARS = 100_000;
const READ_LIMIT = 10_000;

const schema = z.lazy(() => z.object({ source: z.string(), text: z.string(), at: z.string() }));

/** An event that nothing was drawn from yet. */
export interface DueEvent {
  event: TimelineEvent;
  /** When it was taken in, ISO 8601. */
  takenAt: string;
}

function checkText(value: unknown, what: string): string {
  if (typeof value !== "string" || value.trim() === "" || !value.isWellFormed()) {
    throw new MemoryError("INVALID_ARGUMENT", `The event's ${what} must be a text that isn't empty.`, {
      details: { what },
    });
  }
  return value;
}

/** Stores a timeline event once. The store's failures are an outcome, unless `strict` asks for errors. */
export async function ingestEvent(engine: Engine, event: TimelineEvent, options: CallOptions = {}): Promise<Outcome> {
  checkId(event.id, "event id");
  checkId(event.subject, "subject id");
  const source = checkText(event.source, "source");
  const text = checkText(event.text, "text");
  if (text.length > MAX_TEXT_CHARS) {
    return {
      status: "refused",
      id: event.id,
      code: "VALUE_TOO_LARGE",
      reason: `The text has ${text.length} characters and ${MAX_TEXT_CHARS} are allowed; ingest it in parts.`,
    };
  }
  const at = isoTime(event.at, "at");
  try {
    const subject = await canonicalSubject(engine, event.subject);
    const store = await engine.store();
    const status = await retryingWrite(
      engine,
      "ingest",
      async () => {
        const commits = [
          { namespace: [...EVENTS, subject], key: event.id, value: { source, text, at }, ifVersion: 0, subject },
          { namespace: [...DUE, subject], key: event.id, value: true, subject },
        ];
        const result = await store.commitRecords(engine.owner, commits, { ...options, now: engine.now() });
        // The same id again, whatever it says: the first one was taken.
        return result.status === "committed" ? ("stored" as const) : ("unchanged" as const);
      },
      options.signal,
    );
    engine.emit({ type: "memory.ingested", subject, id: event.id, status });
    return { status, id: event.id };
  } catch (error) {
    if (engine.strict || codeOf(error) === "ABORTED" || codeOf(error) === "STORE_CLOSED") throw error;
    const retryable = MemoryError.isInstance(error) && error.retryable;
    const reason = `${sentenceOf(error) ?? "The store did not take the event."} It can be given again with the same id.`;
    return { status: "failed", id: event.id, code: codeOf(error), reason, retryable };
  }
}

/** The events of one subject, oldest first. */
export async function readEvents(engine: Engine, subject: string): Promise<TimelineEvent[]> {
  const store = await engine.store();
  const query = { now: engine.now(), namespace: [...EVENTS, subject], limit: READ_LIMIT };
  const rows = await store.readRecords(engine.owner, query);
  return rows
    .flatMap((row) => toEvent(subject, row))
    .sort((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : a.id < b.id ? -1 : 1));
}

const toEvent = (subject: string, row: { key: string; value: unknown }): TimelineEvent[] => {
  const parsed = schema.safeParse(row.value);
  return parsed.success ? [{ id: row.key, subject, ...parsed.data }] : [];
};

/** Subjects with events that nothing was drawn from yet. */
export async function subjectsWithEvents(engine: Engine): Promise<string[]> {
  const store = await engine.store();
  const namespaces = await store.listNamespaces(engine.owner, { prefix: DUE, limit: READ_LIMIT, now: engine.now() });
  return namespaces.flatMap((labels) => labels[DUE.length] ?? []);
}

/** Events of a subject that nothing was drawn from yet, in the order they were taken in. */
export async function dueEvents(engine: Engine, subject: string, limit: number): Promise<DueEvent[]> {
  const store = await engine.store();
  const now = engine.now();
  const marks = await store.readRecords(engine.owner, { now, namespace: [...DUE, subject], limit: READ_LIMIT });
  const first = marks
    .sort((a, b) => (a.createdAt < b.createdAt ? -1 : a.createdAt > b.createdAt ? 1 : a.key < b.key ? -1 : 1))
    .slice(0, limit);
  if (first.length === 0) return [];
  const keys = first.map(({ key }) => key);
  const rows = await store.readRecords(engine.owner, {
    now,
    namespace: [...EVENTS, subject],
    keys,
    limit: keys.length,
  });
  const events = new Map(rows.map((row) => [row.key, toEvent(subject, row)[0]]));
  return first.flatMap(({ key, createdAt }) => {
    const event = events.get(key);
    return event === undefined ? [] : [{ event, takenAt: createdAt }];
  });
}

/** Facts were drawn from these events. */
export async function settleEvents(engine: Engine, subject: string, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const store = await engine.store();
  const commits = ids.map((key) => ({ namespace: [...DUE, subject], key }));
  await store.commitRecords(engine.owner, commits, { now: engine.now() });
}

/** Whether all of these events are still there: what was erased while they were read leaves nothing. */
export async function eventsStand(engine: Engine, subject: string, ids: readonly string[]): Promise<boolean> {
  const store = await engine.store();
  const query = { now: engine.now(), namespace: [...EVENTS, subject], keys: [...ids], limit: ids.length };
  return (await store.readRecords(engine.owner, query)).length === ids.length;
}
