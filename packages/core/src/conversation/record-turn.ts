import type { CallOptions, TurnWrite } from "../contract/memory-store.ts";
import type { Message, TurnError, TurnStatus } from "../contract/message.ts";
import type { Outcome } from "../contract/outcome.ts";
import type { ConversationOwner } from "../contract/owner.ts";
import type { MessageLocation, TurnRow } from "../contract/store-rows.ts";
import { MemoryError } from "../errors/memory-error.ts";
import type { Engine } from "../memory/engine.ts";
import { asMemoryError, codeOf, retryingWrite, sentenceOf } from "../memory/resilience.ts";
import { contentHash } from "../text/hash.ts";
import { roughTokens } from "../text/tokens.ts";
import { allTurns } from "./all-turns.ts";
import { messageHash } from "./message-hash.ts";
import { mergeMessages } from "./message-input.ts";
import { countMessages, messageTokens } from "./message-text.ts";
import { dropStaleSummary } from "./stale-summary.ts";

/** A turn that is ready to be written. */
export interface TurnDraft {
  id: string;
  status: TurnStatus;
  startedAt: string;
  endedAt?: string | undefined;
  messages: Message[];
  agentName?: string | undefined;
  replaces?: string | undefined;
  error?: TurnError | undefined;
  /** Sequence number of the stored turn of this id, where it is known. */
  previousSeq?: number | undefined;
  /** It goes on with a turn that was paused as it began. */
  resumes?: boolean | undefined;
}

/** Whom the conversation is bound to by this write. */
export interface Binding {
  subject?: string | undefined;
  login?: string | undefined;
}

const MERGE_TRIES = 6;

/**
 * Writes a turn once, whatever happens around it. The same id again adds what is new and nothing twice; messages that
 * other turns hold are left out. Store failures are retried, then reported as an outcome (or thrown when `strict`).
 */
export async function recordTurn(
  engine: Engine,
  owner: ConversationOwner,
  draft: TurnDraft,
  binding: Binding,
  options: CallOptions = {},
): Promise<Outcome> {
  if (!engine.policy.conversation.enabled) {
    return { status: "refused", code: "TIER_OFF", reason: "The policy switches the conversation tier off." };
  }
  try {
    const write = retryingWrite(engine, "record", () => commit(engine, owner, draft, binding, options), options.signal);
    engine.background.writing(write);
    const outcome = await write;
    engine.emit({
      type: "memory.recorded",
      conversation: owner.conversation,
      ...(binding.subject === undefined ? {} : { subject: binding.subject }),
      turn: outcome.id ?? draft.id,
      status: outcome.status,
      ...(outcome.code === undefined ? {} : { code: outcome.code }),
      messages: draft.messages.length,
    });
    if (outcome.status === "stored" || outcome.status === "merged") engine.background.recorded(owner.conversation);
    return outcome;
  } catch (error) {
    if (engine.strict || codeOf(error) === "ABORTED") throw asMemoryError(error, "record");
    return {
      status: "failed",
      id: draft.id,
      code: codeOf(error),
      reason: `${sentenceOf(error) ?? "The store did not take the turn."} The turn can be recorded again with the same id.`,
      retryable: MemoryError.isInstance(error) && error.retryable,
    };
  }
}

async function commit(
  engine: Engine,
  owner: ConversationOwner,
  draft: TurnDraft,
  binding: Binding,
  options: CallOptions,
): Promise<Outcome> {
  const store = await engine.store();
  let given = draft;
  let turn = draft;
  let merged = draft.previousSeq !== undefined;
  // Also where nothing is stored: the try before this one may have stored it and broken off.
  const done = async (status: "stored" | "merged" | "unchanged"): Promise<Outcome> => {
    if (draft.replaces !== undefined) await dropStaleSummary(engine, owner, {}, options);
    return { status, id: given.id };
  };
  for (let attempt = 0; attempt < MERGE_TRIES; attempt++) {
    const replaced = await findReplaced(engine, owner, given, options);
    const result = await store.commitTurn(owner, toWrite(engine, turn, binding, replaced), options);
    switch (result.status) {
      case "stored":
        return done(merged ? "merged" : "stored");
      case "exists": {
        if (isTakenByRewound(result.turn, given)) {
          given = { ...draft, id: idBesideRewound(draft), previousSeq: undefined };
          turn = given;
          merged = false;
          break;
        }
        const next = mergeWithStored(result.turn, given);
        if (next === null) return done("unchanged");
        // Two resumed one paused turn at once: the first answer is the turn's, a second would double it.
        if (draft.resumes && draft.status !== "paused" && result.turn.status === "completed")
          return endedElsewhere(draft);
        turn = next;
        merged = true;
        break;
      }
      case "known": {
        const messages = await withoutKnown(engine, owner, turn, result.messages, options);
        if (messages.length === 0) return done("unchanged");
        turn = { ...turn, messages };
        break;
      }
      case "owner-mismatch":
        return {
          status: "refused",
          id: draft.id,
          code: "CONVERSATION_OWNER_MISMATCH",
          reason: "The conversation belongs to another subject; use another conversation id, or rebind it.",
        };
      case "erased":
        return {
          status: "refused",
          id: draft.id,
          code: "ERASED",
          reason: "The conversation or its subject was erased after this turn began.",
        };
    }
  }
  throw new MemoryError("STORE_BUSY", `The turn "${draft.id}" is being written by others at the same time; try again.`);
}

const endedElsewhere = ({ id }: TurnDraft): Outcome => ({
  status: "refused",
  id,
  code: "TURN_ENDED",
  reason: "Another run resumed the paused turn as well and has completed it; its answer is the one that is kept.",
});

/**
 * The turn's messages without those that other turns hold. An id that is taken by something else is the host counting
 * anew, not the same message: that message gets an id of its own.
 */
async function withoutKnown(
  engine: Engine,
  owner: ConversationOwner,
  turn: TurnDraft,
  taken: readonly MessageLocation[],
  options: CallOptions,
): Promise<Message[]> {
  const store = await engine.store();
  const ids = [...new Set(taken.map((location) => location.turn))];
  const holders = await store.readTurns(owner, { ids, limit: ids.length }, options);
  const stored = new Map(holders.flatMap((holder) => holder.messages).map((message) => [message.id, message]));
  const takenIds = new Set(taken.map((location) => location.id));
  return turn.messages.flatMap((message) => {
    if (!takenIds.has(message.id)) return [message];
    const other = stored.get(message.id);
    const hash = messageHash(message);
    if (other === undefined || messageHash(other) === hash) return [];
    return [{ ...message, id: `${contentHash(`${turn.id}\n${message.id}`)}.${hash}` }];
  });
}

function toWrite(engine: Engine, draft: TurnDraft, binding: Binding, replaced: Replacement | undefined): TurnWrite {
  const { id, status, startedAt, endedAt, messages, agentName, error, previousSeq } = draft;
  const replaces = replaced?.replaces ?? draft.replaces;
  return {
    turn: {
      id,
      status,
      startedAt,
      // Position and turn are the store's to say; they are added as messages are read.
      messages: messages.map(({ seq: _seq, turn: _turn, ...message }) => message),
      counted: countMessages(messages),
      tokens: messageTokens(messages, roughTokens),
      ...(endedAt === undefined ? {} : { endedAt }),
      ...(agentName === undefined ? {} : { agentName }),
      ...(replaces === undefined ? {} : { replaces }),
      ...(error === undefined ? {} : { error }),
    },
    now: engine.now(),
    ...(binding.subject === undefined ? {} : { subject: binding.subject }),
    ...(binding.login === undefined ? {} : { login: binding.login }),
    ...(previousSeq === undefined ? {} : { previousSeq }),
    ...(replaced === undefined ? {} : { hides: replaced.hides.filter((hidden) => hidden !== id) }),
  };
}

/**
 * True where the id belongs to a turn that the conversation was rewound past, and this is another one: a host that
 * counts its turns gives the number again. A late retry says nothing new and leaves the turn hidden.
 */
function isTakenByRewound(stored: TurnRow, draft: TurnDraft): boolean {
  if (!stored.hidden || stored.replacedBy !== undefined) return false;
  const said = new Set(stored.messages.map(messageHash));
  return draft.messages.some((message) => !said.has(messageHash(message)));
}

/** A free id beside one that a rewound turn holds; the same turn given again has the same one. */
function idBesideRewound({ id, messages }: TurnDraft): string {
  const said = contentHash(messages.map(messageHash).join("\n"));
  return `${id.length <= 128 ? id : contentHash(id)}.${said}`;
}

/** What a second write of a turn's id makes of it; `null` where it says nothing new. */
export function mergeWithStored(stored: TurnRow, draft: TurnDraft): TurnDraft | null {
  // A late retry of a turn that was replaced meanwhile must not bring it back.
  if (stored.hidden) return null;
  const messages = mergeMessages(stored.messages, draft.messages);
  const known = new Map(stored.messages.map((message) => [message.id, messageHash(message)]));
  const adds = draft.messages.some((message) => known.get(message.id) !== messageHash(message));
  const final = stored.status === "completed";
  const status = final ? stored.status : draft.status;
  if (!adds && status === stored.status) return null;
  return {
    ...draft,
    status,
    startedAt: stored.startedAt,
    messages,
    agentName: draft.agentName ?? stored.agentName,
    replaces: draft.replaces ?? stored.replaces,
    previousSeq: stored.seq,
  };
}

/** What a write replaces. */
interface Replacement {
  /** The visible turn that is replaced, whatever it replaced itself. */
  replaces: string;
  /** It and the visible turns after it: what a host drops when it goes back to it. */
  hides: string[];
}

/** How many replacements of one turn are followed. */
const MAX_REPLACEMENTS = 1_000;

/** Follows a turn that was replaced meanwhile to the one that stands in its place. */
async function findReplaced(
  engine: Engine,
  owner: ConversationOwner,
  draft: TurnDraft,
  options: CallOptions,
): Promise<Replacement | undefined> {
  if (draft.replaces === undefined) return undefined;
  const store = await engine.store();
  let id = draft.replaces;
  for (let step = 0; step < MAX_REPLACEMENTS; step++) {
    const [row] = await store.readTurns(owner, { ids: [id], limit: 1, hidden: true }, options);
    // Another run of the same turn has put this very turn in the place: there is nothing left to hide.
    if (row === undefined || (row.id === draft.id && step > 0)) break;
    if (!row.hidden) {
      const hides = [row.id];
      for await (const turn of allTurns(engine, owner, { after: row.seq }, options)) hides.push(turn.id);
      return { replaces: row.id, hides };
    }
    if (row.replacedBy === undefined) break;
    id = row.replacedBy;
  }
  return { replaces: draft.replaces, hides: [] };
}
