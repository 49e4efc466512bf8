import type { AgentOwner, ConversationOwner } from "../../contract/owner.ts";
import type {
  CheckpointCommit,
  CheckpointHistory,
  CheckpointQuery,
  CheckpointRow,
  CheckpointThreadRow,
  CheckpointValueRow,
  CheckpointWrite,
  PendingWriteRow,
  PendingWrites,
} from "../../contract/store-checkpoints.ts";
import { compareText } from "../../store-kit/orders.ts";
import {
  addRange,
  type CheckpointState,
  dropLooseElements,
  generationOf,
  isOtherLife,
  joinElements,
  keepElement,
  newThread,
  placeOf,
  type ThreadState,
} from "./checkpoint-state.ts";
import { resolveSubject } from "./identities.ts";
import type { State } from "./state.ts";

/** Whose the conversation is: as it was recorded, else as its checkpoints were. */
const subjectOf = (state: State, owner: ConversationOwner, thread: ThreadState | undefined): string | undefined =>
  state.agent(owner).conversations.get(owner.conversation)?.row.subject ?? thread?.subject;

const newestOf = (thread: ThreadState | undefined, space: string): CheckpointState | undefined => {
  let newest: CheckpointState | undefined;
  for (const checkpoint of thread?.checkpoints.values() ?? []) {
    if (checkpoint.space === space && (newest === undefined || checkpoint.id > newest.id)) newest = checkpoint;
  }
  return newest;
};

export function putCheckpoint(state: State, owner: ConversationOwner, write: CheckpointWrite): CheckpointCommit {
  const { threads } = state.agent(owner);
  const found = threads.get(owner.conversation);
  const subject = write.subject === undefined ? undefined : resolveSubject(state, owner, write.subject);
  const bound = subjectOf(state, owner, found);
  if (subject !== undefined && bound !== undefined && subject !== bound) return { status: "owner-mismatch" };
  const { space, id, parent, body } = write;
  if (parent !== undefined && write.detached !== true && found?.checkpoints.has(placeOf(space, parent)) !== true) {
    return { status: "late", gone: found === undefined };
  }
  if (write.ifNewest === true) {
    const newest = newestOf(found, space)?.id;
    if (newest !== parent && newest !== id) return { status: "behind" };
  }
  const holdsRanges = write.values.some(({ value }) => typeof value !== "string" && value.some(Array.isArray));
  if (holdsRanges && (found === undefined || write.generation !== generationOf(found))) {
    return { status: "stale", generation: found === undefined ? "" : generationOf(found) };
  }
  const thread = found ?? newThread(state.nextLife(), write.now);
  threads.set(owner.conversation, thread);
  thread.updatedAt = write.now;
  if (write.login !== undefined) thread.login = write.login;
  if (subject !== undefined) {
    thread.subject = subject;
    thread.subjects.add(subject);
  }
  const lists: Extract<CheckpointCommit, { status: "stored" }>["lists"] = [];
  const values = write.values.map(({ name, value }) => {
    if (typeof value === "string") return { name, value };
    const ranges: [number, number][] = [];
    const stream = thread.streams.get(name) ?? { texts: new Map(), numbers: new Map(), last: 0 };
    thread.streams.set(name, stream);
    for (const segment of value) {
      if (typeof segment === "string") addRange(ranges, keepElement(stream, segment), 1);
      else addRange(ranges, segment[0], segment[1]);
    }
    lists.push({ name, ranges: structuredClone(ranges) });
    return { name, value: ranges };
  });
  thread.checkpoints.set(placeOf(space, id), {
    space,
    id,
    at: write.now,
    values,
    tags: structuredClone(write.tags),
    body,
    ...(parent === undefined ? {} : { parent }),
  });
  return { status: "stored", generation: generationOf(thread), lists };
}

export function putWrites(
  state: State,
  owner: ConversationOwner,
  given: PendingWrites,
): "stored" | "late" | "owner-mismatch" {
  const thread = state.agent(owner).threads.get(owner.conversation);
  const subject = given.subject === undefined ? undefined : resolveSubject(state, owner, given.subject);
  const bound = subjectOf(state, owner, thread);
  if (subject !== undefined && bound !== undefined && subject !== bound) return "owner-mismatch";
  if (thread === undefined || isOtherLife(thread, given.generation)) return "late";
  const place = placeOf(given.space, given.checkpoint);
  const writes = thread.writes.get(place) ?? new Map<string, PendingWriteRow>();
  thread.writes.set(place, writes);
  for (const { replaces, ...write } of given.writes) {
    const key = JSON.stringify([given.task, write.index]);
    if (replaces === true || !writes.has(key)) writes.set(key, { task: given.task, path: given.path, ...write });
  }
  return "stored";
}

function rowOf(
  state: State,
  owner: ConversationOwner,
  thread: ThreadState,
  checkpoint: CheckpointState,
  heads: boolean | undefined,
): CheckpointRow {
  const { space, id, parent, at, tags, body } = checkpoint;
  const subject = subjectOf(state, owner, thread);
  const writes = heads === true ? [] : [...(thread.writes.get(placeOf(space, id))?.values() ?? [])];
  return {
    conversation: owner.conversation,
    ...(subject === undefined ? {} : { subject }),
    space,
    id,
    ...(parent === undefined ? {} : { parent }),
    at,
    values: checkpoint.values.map((value) => valueRowOf(thread, value, heads)),
    tags: structuredClone([...tags]),
    body,
    writes: structuredClone(writes),
    generation: generationOf(thread),
  };
}

function valueRowOf(
  thread: ThreadState,
  { name, value }: CheckpointState["values"][number],
  heads: boolean | undefined,
): CheckpointValueRow {
  if (typeof value === "string") return { name, value };
  const ranges = structuredClone(value);
  if (heads === true) return { name, value: ranges };
  return { name, value: ranges, elements: joinElements(thread.streams.get(name), value) };
}

export function readCheckpoint(
  state: State,
  owner: ConversationOwner,
  { space, id, heads }: { space: string; id?: string; heads?: boolean },
): CheckpointRow | null {
  const thread = state.agent(owner).threads.get(owner.conversation);
  const found = id === undefined ? newestOf(thread, space) : thread?.checkpoints.get(placeOf(space, id));
  return thread === undefined || found === undefined ? null : rowOf(state, owner, thread, found, heads);
}

export function listCheckpoints(state: State, owner: AgentOwner, query: CheckpointQuery): CheckpointRow[] {
  const subject = query.subject;
  const found: { of: ConversationOwner; thread: ThreadState; checkpoint: CheckpointState }[] = [];
  for (const [conversation, thread] of state.agent(owner).threads) {
    const of = { tenant: owner.tenant, agent: owner.agent, conversation };
    if (query.conversation !== undefined && query.conversation !== conversation) continue;
    if (subject !== undefined && subjectOf(state, of, thread) !== subject) continue;
    for (const checkpoint of thread.checkpoints.values()) {
      if (query.space !== undefined && query.space !== checkpoint.space) continue;
      if (query.id !== undefined && query.id !== checkpoint.id) continue;
      if (query.before !== undefined && checkpoint.id >= query.before) continue;
      const held = new Map(checkpoint.tags);
      if (query.tags?.some(([key, text]) => held.get(key) !== text) === true) continue;
      found.push({ of, thread, checkpoint });
    }
  }
  const place = (entry: (typeof found)[number]) => ({
    conversation: entry.of.conversation,
    space: entry.checkpoint.space,
    id: entry.checkpoint.id,
  });
  type Place = ReturnType<typeof place>;
  const compare = (left: Place, right: Place): number =>
    compareText(right.id, left.id) ||
    compareText(left.conversation, right.conversation) ||
    compareText(left.space, right.space);
  const { after } = query;
  return found
    .filter((entry) => after === undefined || compare(place(entry), after) > 0)
    .sort((left, right) => compare(place(left), place(right)))
    .slice(0, Math.max(0, query.limit))
    .map(({ of, thread, checkpoint }) => rowOf(state, of, thread, checkpoint, query.heads));
}

export function readHistory(
  state: State,
  owner: ConversationOwner,
  { space, id, names }: { space: string; id?: string; names: readonly string[] },
): CheckpointHistory[] {
  const thread = state.agent(owner).threads.get(owner.conversation);
  const at = (of: string | undefined) => (of === undefined ? undefined : thread?.checkpoints.get(placeOf(space, of)));
  const newest = id === undefined ? newestOf(thread, space) : at(id);
  return names.map((name) => {
    const steps: PendingWriteRow[][] = [];
    for (let ancestor = at(newest?.parent); thread !== undefined && ancestor !== undefined; ) {
      const writes = [...(thread.writes.get(placeOf(space, ancestor.id))?.values() ?? [])];
      const own = writes.filter((write) => write.name === name);
      if (own.length > 0) steps.unshift(structuredClone(own));
      const value = ancestor.values.find((candidate) => candidate.name === name);
      if (value !== undefined) {
        return { name, steps, seed: { body: ancestor.body, value: valueRowOf(thread, value, false) } };
      }
      ancestor = at(ancestor.parent);
    }
    return { name, steps };
  });
}

export function listThreads(
  state: State,
  owner: AgentOwner,
  { subject, after, limit }: { subject?: string; after?: string; limit: number },
): CheckpointThreadRow[] {
  return [...state.agent(owner).threads]
    .map(([conversation, thread]) => {
      const whose = subjectOf(state, { ...owner, conversation }, thread);
      return {
        conversation,
        ...(whose === undefined ? {} : { subject: whose }),
        ...(thread.login === undefined ? {} : { login: thread.login }),
        createdAt: thread.createdAt,
        updatedAt: thread.updatedAt,
        checkpoints: thread.checkpoints.size,
      };
    })
    .filter(
      (row) => (subject === undefined || row.subject === subject) && (after === undefined || row.conversation > after),
    )
    .sort((left, right) => compareText(left.conversation, right.conversation))
    .slice(0, Math.max(0, limit));
}

export function copyThread(
  state: State,
  owner: ConversationOwner,
  to: { conversation: string; subject?: string; login?: string; now: string },
): number | null {
  const { threads } = state.agent(owner);
  if (threads.has(to.conversation)) return null;
  const thread = threads.get(owner.conversation);
  if (thread === undefined) return 0;
  const subject = to.subject === undefined ? undefined : resolveSubject(state, owner, to.subject);
  const { subject: _subject, login: _login, ...rest } = thread;
  threads.set(to.conversation, {
    ...structuredClone(rest),
    life: state.nextLife(),
    subjects: new Set(subject === undefined ? [] : [subject]),
    ...(subject === undefined ? {} : { subject }),
    ...(to.login === undefined ? {} : { login: to.login }),
    createdAt: to.now,
    updatedAt: to.now,
  });
  return thread.checkpoints.size;
}

export function removeCheckpoints(
  state: State,
  owner: ConversationOwner,
  checkpoints?: readonly { space: string; id: string }[],
): number {
  const { threads } = state.agent(owner);
  const thread = threads.get(owner.conversation);
  if (thread === undefined) return 0;
  if (checkpoints === undefined) {
    threads.delete(owner.conversation);
    return thread.checkpoints.size;
  }
  let removed = 0;
  for (const { space, id } of checkpoints) {
    if (thread.checkpoints.delete(placeOf(space, id))) removed += 1;
    thread.writes.delete(placeOf(space, id));
  }
  if (removed > 0) dropLooseElements(thread);
  return removed;
}
