import * as z from "zod";
import type { FailedWork } from "../contract/memory.ts";
import type { RecordRow } from "../contract/store-rows.ts";
import type { Engine } from "../memory/engine.ts";
import { codeOf } from "../memory/resilience.ts";

/** Records of the library itself; `records` refuses hosts a label that begins with U+0001. */
const NAMESPACE = ["\u0001throughline", "failed-work"] as const;
const LIMIT = 10_000;

const schema = z.lazy(() =>
  z.object({
    work: z.string(),
    conversation: z.string(),
    turn: z.string().optional(),
    sink: z.int().optional(),
    code: z.string(),
    attempts: z.int(),
    at: z.string(),
  }),
);

/** One piece of work. */
export interface WorkRef {
  work: string;
  conversation: string;
  turn?: string | undefined;
  /** Which of the app's sinks, from 0. */
  sink?: number | undefined;
}

const keyOf = ({ work, conversation, turn, sink }: WorkRef): string =>
  JSON.stringify([work, conversation, turn ?? null, ...(sink === undefined ? [] : [sink])]);

/** Every kind of work on a conversation, in the order in which it is done. */
export const KINDS = ["index", "fold", "carry", "extract", "embed", "sinks"] as const;

/** Which records note failed work on a conversation. */
export const recordsOfNotes = (conversation: string) => ({
  namespace: NAMESPACE,
  keys: KINDS.map((work) => keyOf({ work, conversation })),
});

async function readRows(engine: Engine, keys: readonly string[]): Promise<RecordRow[]> {
  const store = await engine.store();
  return store.readRecords(engine.owner, { now: engine.now(), namespace: NAMESPACE, keys, limit: keys.length });
}

async function read(engine: Engine, key: string): Promise<FailedWork | null> {
  const [row] = await readRows(engine, [key]);
  const parsed = schema.safeParse(row?.value);
  return parsed.success ? (parsed.data as FailedWork) : null;
}

/** The note of a failure; `null` where there is none. */
export const failureOf = (engine: Engine, ref: WorkRef): Promise<FailedWork | null> => read(engine, keyOf(ref));

/** Notes that work failed, and reports it. Noting it may fail with the store; the work stays due all the same. */
export async function noteFailure(engine: Engine, ref: WorkRef, error: unknown): Promise<void> {
  const code = codeOf(error);
  engine.emit({ type: "memory.work_failed", conversation: ref.conversation, work: ref.work, code }, error);
  try {
    const store = await engine.store();
    const before = await read(engine, keyOf(ref));
    const entry = {
      work: ref.work,
      conversation: ref.conversation,
      ...(ref.turn === undefined ? {} : { turn: ref.turn }),
      ...(ref.sink === undefined ? {} : { sink: ref.sink }),
      code,
      attempts: (before?.attempts ?? 0) + 1,
      at: engine.now(),
    };
    await store.commitRecords(engine.owner, [{ namespace: NAMESPACE, key: keyOf(ref), value: entry }], {
      now: entry.at,
    });
  } catch (cause) {
    engine.emit({ type: "memory.work_failed", conversation: ref.conversation, work: "note", code: codeOf(cause) });
  }
}

/** Takes a note of failure away, where there is one. */
export const noteSuccess = (engine: Engine, ref: WorkRef): Promise<void> => noteSuccesses(engine, [ref]);

/** Takes the notes of failure of several pieces of work away, where there are any. */
export async function noteSuccesses(engine: Engine, refs: readonly WorkRef[]): Promise<void> {
  if (refs.length === 0) return;
  const noted = await readRows(engine, refs.map(keyOf));
  if (noted.length === 0) return;
  const store = await engine.store();
  const commits = noted.map(({ key }) => ({ namespace: NAMESPACE, key }));
  await store.commitRecords(engine.owner, commits, { now: engine.now() });
}

/** Takes the notes away that are of conversations which aren't there any more: they name what was erased. */
export async function dropLostFailures(engine: Engine): Promise<void> {
  const store = await engine.store();
  for (const failure of await listFailures(engine)) {
    const { conversation } = failure;
    // Of no conversation: work on events.
    if (conversation === "") continue;
    if ((await store.readConversation({ ...engine.owner, conversation })) === null) await noteSuccess(engine, failure);
  }
}

/** All notes of failure, most recent first. */
export async function listFailures(engine: Engine): Promise<FailedWork[]> {
  const store = await engine.store();
  const rows = await store.readRecords(engine.owner, { now: engine.now(), namespace: NAMESPACE, limit: LIMIT });
  return rows
    .flatMap((row) => {
      const parsed = schema.safeParse(row.value);
      return parsed.success ? [parsed.data as FailedWork] : [];
    })
    .sort((a, b) => (a.at < b.at ? 1 : -1));
}
