import type {
  AgentOwner,
  CheckpointHistory,
  CheckpointQuery,
  CheckpointRow,
  CheckpointValueRow,
  ConversationOwner,
  PendingWriteRow,
} from "@throughline/core";
import type { SqlValue } from "../driver.ts";
import { findAgent } from "../names.ts";
import type { Session } from "../session.ts";
import { Pace, type Steps } from "../steps.ts";
import { type CheckpointHead, readCheckpointBody, readHead } from "./checkpoint-text.ts";
import { findStream, joinElements } from "./elements.ts";
import { boundSubject, findThread, generationOf, type Thread } from "./threads.ts";
import { newestOf } from "./write-checkpoints.ts";

/** Checkpoints looked at before a pause, where tags are looked for. */
const AT_ONCE = 50;

/** The columns of a checkpoint that hold no text of its own. */
interface Place {
  owner: ConversationOwner;
  thread: Thread;
  space: string;
  id: string;
}

type Columns = [parent: string | null, at: string, text: string];

function findCheckpoint(session: Session, thread: number, space: string, id: string): Columns | undefined {
  return session.row<Columns>(
    `SELECT c.parent, c.at, h.data FROM checkpoint c CROSS JOIN heap h ON h.ref = c.body
      WHERE c.thread = ? AND c.space = ? AND c.id = ?`,
    thread,
    space,
    id,
  );
}

function readWrites(session: Session, thread: number, space: string, id: string): PendingWriteRow[] {
  return session
    .rows<[task: string, path: string, index: number, name: string, text: string]>(
      `SELECT w.task, w.path, w.idx, w.name, coalesce(h.data, 'null') FROM pending_write w
        LEFT JOIN heap h ON h.ref = w.body
        WHERE w.thread = ? AND w.space = ? AND w.checkpoint = ?`,
      thread,
      space,
      id,
    )
    .map(([task, path, index, name, text]) => ({ task, path, index, name, text }));
}

function toRow(session: Session, { owner, thread, space, id }: Place, columns: Columns, heads: boolean): CheckpointRow {
  const [parent, at, text] = columns;
  const { values, tags } = readHead(text);
  const subject = boundSubject(session, owner, thread);
  return {
    conversation: owner.conversation,
    ...(subject === undefined ? {} : { subject }),
    space,
    id,
    ...(parent === null ? {} : { parent }),
    at,
    values: values.map((value) => toValue(session, thread, value, heads)),
    tags,
    body: readCheckpointBody(text),
    writes: heads ? [] : readWrites(session, thread.ref, space, id),
    generation: generationOf(thread),
  };
}

function toValue(
  session: Session,
  thread: Thread,
  { name, value }: CheckpointHead["values"][number],
  heads: boolean,
): CheckpointValueRow {
  if (typeof value === "string" || heads) return { name, value };
  return { name, value, elements: joinElements(session, findStream(session, thread.ref, name), value) };
}

/** A checkpoint by its id, or the newest of its space. */
export function readCheckpoint(
  session: Session,
  owner: ConversationOwner,
  { space, id, heads = false }: { space: string; id?: string; heads?: boolean },
): CheckpointRow | null {
  const thread = findThread(session, owner);
  if (thread === undefined) return null;
  const which = id ?? newestOf(session, thread.ref, space);
  const columns = which === undefined ? undefined : findCheckpoint(session, thread.ref, space, which);
  if (which === undefined || columns === undefined) return null;
  return toRow(session, { owner, thread, space, id: which }, columns, heads);
}

/** Checkpoints, greatest id first. In pieces: each checkpoint is read in one. */
export function* listCheckpoints(session: Session, owner: AgentOwner, query: CheckpointQuery): Steps<CheckpointRow[]> {
  const pace = new Pace();
  const found: CheckpointRow[] = [];
  const limit = Math.max(0, query.limit);
  for (let { after } = query; found.length < limit; ) {
    // Tags stand in the checkpoints: of those looked for, any number may be others.
    const count = query.tags === undefined && query.subject === undefined ? limit - found.length : AT_ONCE;
    const places = findPlaces(session, owner, { ...query, ...(after === undefined ? {} : { after }) }, count);
    for (const { conversation, space, id } of places) {
      if (found.length === limit) return found;
      const row = rowThatFits(session, { ...owner, conversation }, { space, id }, query);
      if (row !== null) found.push(row);
      if (pace.isOver) yield* pace.pause();
    }
    if (places.length < count) return found;
    after = places.at(-1);
  }
  return found;
}

function rowThatFits(
  session: Session,
  owner: ConversationOwner,
  { space, id }: { space: string; id: string },
  { tags, subject, heads = false }: CheckpointQuery,
): CheckpointRow | null {
  const thread = findThread(session, owner);
  const columns = thread === undefined ? undefined : findCheckpoint(session, thread.ref, space, id);
  if (thread === undefined || columns === undefined) return null;
  if (subject !== undefined && boundSubject(session, owner, thread) !== subject) return null;
  if (tags !== undefined) {
    const held = new Map(readHead(columns[2]).tags);
    if (tags.some(([key, text]) => held.get(key) !== text)) return null;
  }
  return toRow(session, { owner, thread, space, id }, columns, heads);
}

interface ListedPlace {
  conversation: string;
  space: string;
  id: string;
}

function findPlaces(session: Session, owner: AgentOwner, query: CheckpointQuery, limit: number): ListedPlace[] {
  const agent = findAgent(session, owner);
  if (agent === undefined) return [];
  const { conversation, space, id, before, after } = query;
  const where: string[] = [];
  const parameters: SqlValue[] = [];
  const add = (condition: string, ...values: SqlValue[]) => {
    where.push(condition);
    parameters.push(...values);
  };
  const thread = conversation === undefined ? undefined : findThread(session, { ...owner, conversation });
  if (conversation === undefined) add("t.agent = ?", agent);
  else if (thread === undefined) return [];
  else add("t.ref = ? AND c.thread = ?", thread.ref, thread.ref);
  if (space !== undefined) add("c.space = ?", space);
  if (id !== undefined) add("c.id = ?", id);
  if (before !== undefined) add("c.id < ?", before);
  if (after !== undefined) {
    add(
      "c.id <= ? AND (c.id < ? OR (t.conversation, c.space) > (?, ?))",
      after.id,
      after.id,
      after.conversation,
      after.space,
    );
  }
  const of = conversation === undefined ? "t.conversation, c.space" : "c.space";
  return session
    .rows<[conversation: string, space: string, id: string]>(
      `SELECT t.conversation, c.space, c.id FROM thread t CROSS JOIN checkpoint c ON c.thread = t.ref
        WHERE ${where.join(" AND ")} ORDER BY c.id DESC, ${of} LIMIT ?`,
      ...parameters,
      limit,
    )
    .map(([of, space, id]) => ({ conversation: of, space, id }));
}

/** What the ancestors of a checkpoint have for each name. */
export function readHistory(
  session: Session,
  owner: ConversationOwner,
  { space, id, names }: { space: string; id?: string; names: readonly string[] },
): CheckpointHistory[] {
  const histories: CheckpointHistory[] = names.map((name) => ({ name, steps: [] }));
  const thread = findThread(session, owner);
  if (thread === undefined) return histories;
  const open = new Map(histories.map((history) => [history.name, history]));
  const which = id ?? newestOf(session, thread.ref, space);
  let next = which === undefined ? null : (findCheckpoint(session, thread.ref, space, which)?.[0] ?? null);
  while (next !== null && open.size > 0) {
    const ancestor = findCheckpoint(session, thread.ref, space, next);
    if (ancestor === undefined) break;
    const writes = readWrites(session, thread.ref, space, next);
    const { values } = readHead(ancestor[2]);
    for (const history of [...open.values()]) {
      const own = writes.filter(({ name }) => name === history.name);
      if (own.length > 0) history.steps.push(own);
      const value = values.find(({ name }) => name === history.name);
      if (value === undefined) continue;
      history.seed = { body: readCheckpointBody(ancestor[2]), value: toValue(session, thread, value, false) };
      open.delete(history.name);
    }
    next = ancestor[0];
  }
  for (const history of histories) history.steps.reverse();
  return histories;
}
