import { checkId } from "../checks/ids.ts";
import { checkJson } from "../checks/json.ts";
import type { ChangeOperation } from "../contract/events.ts";
import type { JsonObject } from "../contract/json.ts";
import type { TurnChange } from "../contract/memory-store.ts";
import type { Message } from "../contract/message.ts";
import type { Outcome } from "../contract/outcome.ts";
import type { ConversationOwner } from "../contract/owner.ts";
import type { ConversationRow, TurnRow } from "../contract/store-rows.ts";
import { MemoryError } from "../errors/memory-error.ts";
import type { Engine } from "../memory/engine.ts";
import { dropVectors } from "../search/drop-vectors.ts";
import { keywordDocuments } from "../search/index-work.ts";
import { roughTokens } from "../text/tokens.ts";
import { allTurns } from "./all-turns.ts";
import { countMessages, messageTokens } from "./message-text.ts";
import { type ConversationScope, ownConversation, resolveSubject } from "./scope.ts";
import { dropStaleSummary } from "./stale-summary.ts";

/** Keys of artifacts begin so. */
const ARTIFACT_PREFIX = "artifact/";

/** Reports a change of so many turns or messages, 1 for the conversation as such, and answers that it is stored. */
function changed(
  { engine, owner }: ConversationScope,
  operation: ChangeOperation,
  items: number,
  id = owner.conversation,
): Outcome {
  engine.emit({ type: "memory.changed", conversation: owner.conversation, operation, items });
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
  await ownConversation(scope);
  const store = await engine.store();
  // Named one by one: the change may be the body of a request, and nothing else of a conversation is its to set.
  const { title, metadata, ifVersion } = change;
  const result = await store.changeConversation(owner, {
    now: engine.now(),
    create: true,
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

/** Turns changed in one write: few enough that a long conversation holds nobody up. */
const RUN_TURNS = 32;

/** Does the work for all items, a run at a time. */
async function inRuns<Item>(items: readonly Item[], work: (run: readonly Item[]) => Promise<void>): Promise<void> {
  for (let from = 0; from < items.length; from += RUN_TURNS) await work(items.slice(from, from + RUN_TURNS));
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

/** Calls and results of a message, by call id. */
const callIds = (message: Message): string[] =>
  message.parts.flatMap((part) =>
    part.type === "tool-call" || part.type === "tool-result" || part.type === "approval" ? [part.callId] : [],
  );

/**
 * Erases single messages, and with a call its result and the other way round, so that no pair is broken. A turn that is
 * left with nothing goes as a whole.
 */
export async function deleteMessages(scope: ConversationScope, ids: readonly string[]): Promise<Outcome> {
  for (const id of ids) checkId(id, "message id");
  const { engine, owner } = scope;
  await ownConversation(scope);
  const wanted = new Set(ids);
  const changes: TurnChange[] = [];
  const touched: TurnRow[] = [];
  for await (const turn of allTurns(engine, owner, { hidden: true })) {
    if (!turn.messages.some((message) => wanted.has(message.id))) continue;
    touched.push(turn);
    changes.push(withoutMessages(turn, wanted));
  }
  if (changes.length === 0)
    return { status: "unchanged", code: "NOT_FOUND", reason: "No stored message has such an id." };
  const store = await engine.store();
  await store.changeTurns(owner, changes, { now: engine.now() });
  await dropVectors(engine, owner, (entry) => wanted.has(entry.message));
  await dropStaleSummary(engine, owner, { from: touched[0]?.seq });
  await indexAgain(
    engine,
    owner,
    changes.map((change) => change.turn),
  );
  const found = touched.flatMap((turn) => turn.messages).filter((message) => wanted.has(message.id));
  return changed(scope, "delete_messages", found.length);
}

function withoutMessages(turn: TurnRow, ids: ReadonlySet<string>): TurnChange {
  const gone = new Set(turn.messages.filter((message) => ids.has(message.id)).flatMap(callIds));
  const messages = turn.messages.flatMap((message) => {
    if (ids.has(message.id)) return [];
    const parts = message.parts.filter((part) => !("callId" in part) || !gone.has(part.callId));
    if (parts.length === 0) return [];
    if (parts.length === message.parts.length) return [message];
    const { native: _native, ...rest } = message;
    return [{ ...rest, parts }];
  });
  if (messages.length === 0) return { turn: turn.id, action: "erase" };
  return {
    turn: turn.id,
    action: "rewrite",
    messages,
    counted: countMessages(messages),
    tokens: messageTokens(messages, roughTokens),
  };
}

const INDEX_TRIES = 5;

/** Puts rewritten turns back into the keyword index, which dropped them; those behind the watermark come by themselves. */
export async function indexAgain(engine: Engine, owner: ConversationOwner, turns: readonly string[]): Promise<void> {
  const store = await engine.store();
  if (!store.keyword) return;
  const rows = await store.readTurns(owner, { ids: turns, limit: turns.length });
  for (let attempt = 0; attempt < INDEX_TRIES; attempt++) {
    const through = (await store.readConversation(owner))?.watermarks.index ?? 0;
    const documents = rows.filter((turn) => turn.seq <= through).flatMap(keywordDocuments);
    if (documents.length === 0) return;
    // The watermark stays; it is compared, so that nobody indexes the same turns at the same time.
    if (await store.keyword.index(owner, { after: through, through, documents })) return;
  }
}

/**
 * Binds the conversation to a subject, whatever it was bound to: the turn under way is that subject's, earlier turns
 * stay where they were unless all are asked for.
 */
export async function rebindSubject(
  scope: ConversationScope,
  subject: string,
  restamp: "turn" | "all",
): Promise<Outcome> {
  checkId(subject, "subject id");
  const { engine, owner, ref } = scope;
  const store = await engine.store();
  const named = await store.resolveSubject(engine.owner, subject);
  const before = await resolveSubject(scope);
  const bound = await store.readConversation(owner);
  if (bound?.subject === named && restamp === "turn") {
    ref.subject = subject;
    return { status: "unchanged", id: owner.conversation };
  }
  await store.changeConversation(owner, { now: engine.now(), subject: named, create: true });
  // This handle goes on as the new subject's; others learn of it from the store.
  ref.subject = subject;
  const changes = await turnsToRestamp(scope, named, restamp);
  if (changes.length > 0) await store.changeTurns(owner, changes, { now: engine.now() });
  changed(scope, "rebind", changes.length);
  return { status: before === named ? "unchanged" : "stored", id: owner.conversation };
}

async function turnsToRestamp(
  scope: ConversationScope,
  subject: string,
  restamp: "turn" | "all",
): Promise<TurnChange[]> {
  const { engine, owner } = scope;
  const change = (turn: TurnRow): TurnChange => ({ turn: turn.id, action: "restamp", subject });
  if (restamp === "all") {
    const changes: TurnChange[] = [];
    for await (const turn of allTurns(engine, owner, { hidden: true })) changes.push(change(turn));
    return changes;
  }
  // A turn under way is stamped as it is written; where none is, the newest one is the current turn.
  if (engine.openTurns.of(owner.conversation).length > 0) return [];
  const store = await engine.store();
  const newest = await store.readTurns(owner, { order: "newest", limit: 1 });
  return newest.map(change);
}
