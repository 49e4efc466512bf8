import { dropSegments } from "../carry-over/segments.ts";
import { checkId } from "../checks/ids.ts";
import { checkJson } from "../checks/json.ts";
import type { ChangeOperation } from "../contract/events.ts";
import type { JsonObject } from "../contract/json.ts";
import type { TurnChange } from "../contract/memory-store.ts";
import type { Outcome } from "../contract/outcome.ts";
import type { ConversationOwner } from "../contract/owner.ts";
import type { ConversationRow, TurnRow } from "../contract/store-rows.ts";
import { MemoryError } from "../errors/memory-error.ts";
import type { Engine } from "../memory/engine.ts";
import { later } from "../memory/later.ts";
import { allTurns } from "./all-turns.ts";
import { inRuns } from "./change-runs.ts";
import { noteFormer } from "./former-people.ts";
import { type ConversationScope, eventScope, ownConversation } from "./scope.ts";
import { dropStaleSummary } from "./stale-summary.ts";

const dropQuarantined = later(async () => (await import("../extract/quarantine.ts")).dropQuarantined);

/** Keys of artifacts begin so. */
const ARTIFACT_PREFIX = "artifact/";

/** Reports a change of so many turns or messages, 1 for the conversation as such, and answers that it is stored. */
function changed(
  scope: ConversationScope,
  operation: ChangeOperation,
  items: number,
  id = scope.owner.conversation,
): Outcome {
  scope.engine.emit({ type: "memory.changed", ...eventScope(scope), operation, items });
  return { status: "stored", id };
}

/** Changes title and metadata. Throws `VERSION_CONFLICT` where `ifVersion` differs. */
export async function updateConversation(
  scope: ConversationScope,
  change: { title?: string | null; metadata?: JsonObject | null; ifVersion?: number },
): Promise<Outcome> {
  const { engine, owner } = scope;
  if (change.title !== undefined && change.title !== null && typeof change.title !== "string") {
    throw new MemoryError("INVALID_ARGUMENT", "A title must be a text, or null to take it away.");
  }
  if (change.metadata !== undefined && change.metadata !== null) checkJson(change.metadata, "metadata");
  const { row, subject } = await ownConversation(scope);
  const store = await engine.store();
  // One that is titled before its first turn is the named subject's as well.
  const binds = row?.subject === undefined && scope.ref.subject !== undefined && subject !== undefined;
  // Named one by one: the change may be the body of a request, and nothing else of a conversation is its to set.
  const { title, metadata, ifVersion } = change;
  const result = await store.changeConversation(owner, {
    now: engine.now(),
    create: true,
    ...(binds ? { subject } : {}),
    ...(title === undefined ? {} : { title }),
    ...(metadata === undefined ? {} : { metadata }),
    ...(ifVersion === undefined ? {} : { ifVersion }),
  });
  if (result.status === "conflict") {
    throw new MemoryError(
      "VERSION_CONFLICT",
      `The conversation "${owner.conversation}" has changed since version ${change.ifVersion}; read it again.`,
    );
  }
  return changed(scope, "update", 1);
}

/** Metadata of a copy that isn't whole yet: the conversation it is made from. */
const CLONING = "cloning";

/**
 * Copies the visible turns into a new conversation of the same subject. Throws `INVALID_ARGUMENT` where it exists. A copy
 * that was cut short is marked as such, and completed by cloning to the same id again.
 */
export async function cloneConversation(scope: ConversationScope, id: string): Promise<ConversationOwner> {
  checkId(id, "conversation id");
  const { engine } = scope;
  const { row } = await ownConversation(scope);
  const store = await engine.store();
  const owner = { ...engine.owner, conversation: id };
  const { [CLONING]: _cloning, ...kept } = row?.metadata ?? {};
  const metadata = { ...kept, clonedFrom: scope.owner.conversation };
  const made = await store.changeConversation(owner, {
    now: engine.now(),
    create: true,
    ifVersion: 0,
    ...(row?.subject === undefined ? {} : { subject: row.subject }),
    ...(row?.title === undefined ? {} : { title: row.title }),
    metadata: { ...metadata, [CLONING]: scope.owner.conversation },
  });
  if (made.status !== "changed") {
    const there = await store.readConversation(owner);
    if (there?.metadata?.[CLONING] !== scope.owner.conversation) {
      throw new MemoryError("INVALID_ARGUMENT", `The conversation "${id}" exists; clone to an id that doesn't.`);
    }
  }
  let copied = 0;
  try {
    copied = await copyTurns(engine, scope.owner, owner, row);
    await copyItems(engine, scope.owner, owner, ARTIFACT_PREFIX);
    await store.changeConversation(owner, { now: engine.now(), metadata });
  } catch (error) {
    await dropTurns(engine, owner).catch(() => undefined);
    throw error;
  }
  changed(scope, "clone", copied);
  engine.background.recorded(id);
  return owner;
}

/** Copies the visible turns, each filed under whom it was filed under. Those that are there already stay. */
async function copyTurns(
  engine: Engine,
  from: ConversationOwner,
  to: ConversationOwner,
  row: ConversationRow | null,
): Promise<number> {
  const store = await engine.store();
  let copied = 0;
  // What was cleared is hidden from history; a copy must not show it again.
  for await (const turn of allTurns(engine, from, { after: row?.clearedThrough ?? 0 })) {
    const { seq: _seq, conversation: _from, subject, replaces: _replaces, ...copy } = turn;
    const result = await store.commitTurn(to, { turn: copy, now: engine.now() });
    if (result.status === "erased") {
      throw new MemoryError(
        "ERASED",
        `The id "${to.conversation}" was erased since these turns were said; clone to another id.`,
      );
    }
    if (subject !== undefined && subject !== row?.subject) {
      await store.changeTurns(to, [{ turn: turn.id, action: "restamp", subject }]);
    }
    copied++;
  }
  return copied;
}

/** Takes back what a copy that failed has so far: nobody should find half a conversation. */
async function dropTurns(engine: Engine, owner: ConversationOwner): Promise<void> {
  const store = await engine.store();
  const turns: TurnChange[] = [];
  for await (const turn of allTurns(engine, owner, { hidden: true })) turns.push({ turn: turn.id, action: "erase" });
  await inRuns(turns, async (run) => {
    await store.changeTurns(owner, run);
  });
}

/** Copies what a conversation keeps beside its turns, one item at a time: an artifact's page is large. */
async function copyItems(
  engine: Engine,
  from: ConversationOwner,
  to: ConversationOwner,
  prefix: string,
): Promise<void> {
  const store = await engine.store();
  for (let after: string | undefined; ; ) {
    const [item] = await store.readItems(from, { prefix, limit: 1, ...(after === undefined ? {} : { after }) });
    if (item === undefined) return;
    await store.commitItems(to, [{ action: "put", ...item }]);
    after = item.key;
  }
}

/** Hides every turn behind `to`; the conversation goes on from there. Throws `NOT_FOUND` for an unknown turn. */
export async function rewindConversation(scope: ConversationScope, to: string): Promise<Outcome> {
  checkId(to, "turn id");
  const { engine, owner } = scope;
  await ownConversation(scope);
  const store = await engine.store();
  const [target] = await store.readTurns(owner, { ids: [to], limit: 1 });
  if (target === undefined) throw new MemoryError("NOT_FOUND", `There is no visible turn "${to}" to rewind to.`);
  const hidden: TurnChange[] = [];
  for await (const turn of allTurns(engine, owner, { after: target.seq })) {
    hidden.push({ turn: turn.id, action: "hide" });
  }
  // From the newest back: wherever it breaks off, the conversation was rewound to a turn.
  await inRuns(hidden.toReversed(), async (run) => {
    await store.changeTurns(owner, run, { now: engine.now() });
  });
  await dropStaleSummary(engine, owner);
  return hidden.length === 0 ? { status: "unchanged", id: to } : changed(scope, "rewind", hidden.length, to);
}

/** Hides all turns so far from history; the transcript keeps them. */
export async function clearConversation(scope: ConversationScope): Promise<Outcome> {
  const { engine, owner } = scope;
  const { row } = await ownConversation(scope);
  const clears = row !== null && row.clearedThrough < row.lastSeq;
  const store = await engine.store();
  if (clears) await store.changeConversation(owner, { now: engine.now(), clearedThrough: row.lastSeq });
  // A summary of what was cleared would show it all the same.
  if (row !== null) await dropStaleSummary(engine, owner);
  return clears ? changed(scope, "clear", 1) : { status: "unchanged", id: owner.conversation };
}

/**
 * Binds the conversation to a subject, whatever it was bound to: the turns under way are that subject's, in other handles
 * of this process too; earlier turns stay where they were unless all are asked for.
 */
export async function rebindSubject(
  scope: ConversationScope,
  subject: string,
  restamp: "turn" | "all",
): Promise<Outcome> {
  checkId(subject, "subject id");
  const { engine, owner } = scope;
  const store = await engine.store();
  const named = await store.resolveSubject(engine.owner, subject);
  const bound = await store.readConversation(owner);
  const binds = bound?.subject !== named;
  // What the conversation brought to the login of whom it was bound to isn't that person's.
  if (binds && bound?.subject !== undefined) {
    await dropSegments(engine, bound.subject, { conversation: owner.conversation });
    await dropQuarantined(engine, owner.conversation, bound.subject);
    await noteFormer(engine, owner.conversation, bound.subject);
  }
  if (binds) await store.changeConversation(owner, { now: engine.now(), subject: named, create: true });
  // This handle and the turns under way go on as the new subject's; others learn of it from the store.
  scope.ref.subject = subject;
  for (const turn of engine.openTurns.of(owner.conversation)) turn.rebind(subject);
  const changes = binds || restamp === "all" ? await turnsToRestamp(scope, named, restamp) : [];
  await inRuns(changes, async (run) => {
    await store.changeTurns(owner, run, { now: engine.now() });
  });
  if (!binds && changes.length === 0) return { status: "unchanged", id: owner.conversation };
  return changed(scope, "rebind", changes.length);
}

async function turnsToRestamp(
  scope: ConversationScope,
  subject: string,
  restamp: "turn" | "all",
): Promise<TurnChange[]> {
  const { engine, owner } = scope;
  const changes: TurnChange[] = [];
  const add = (turn: TurnRow): void => {
    if (turn.subject !== subject) changes.push({ turn: turn.id, action: "restamp", subject });
  };
  if (restamp === "all") {
    for await (const turn of allTurns(engine, owner, { hidden: true })) add(turn);
    return changes;
  }
  // A turn under way is stamped as it is written; where none is, the newest one is the current turn.
  if (engine.openTurns.of(owner.conversation).length > 0) return [];
  const store = await engine.store();
  for (const turn of await store.readTurns(owner, { order: "newest", limit: 1 })) add(turn);
  return changes;
}
