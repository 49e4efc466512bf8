import type { Message, MessageInput, Part } from "../contract/message.ts";
import type { TurnRow } from "../contract/store-rows.ts";
import { type Alignment, align, type StoredEntry, storedEntries } from "./align.ts";
import { checkMessage } from "./check-message.ts";
import { messageHash, messageHashOf } from "./message-hash.ts";

/** What of a host's copy is stored already, and what the rest is. */
export interface Reconciliation {
  known: Message[];
  /** What is not stored yet; also known messages that have grown since. */
  fresh: MessageInput[];
  /** Id of the stored turn that the copy goes on with, whatever its status. */
  continues?: string;
  /** Id of the first stored turn that the copy doesn't agree with. */
  forkedFrom?: string;
  /**
   * Where the copy goes on elsewhere than what is stored: id of the first turn that it leaves out. Certain where ids say
   * so, or where the copy holds everything before that turn.
   */
  diverges?: { turn: string; certain: boolean };
  /** Id of the turn that the host itself asks to replace: it resent a known id with other words, or a question alone. */
  replaces?: string;
}

/**
 * Tells a host's copy of the history from what is new. `turns` are the stored visible turns, oldest first, from the
 * conversation's beginning where `complete`. `knownIds` are message ids that older turns hold; a turn that the copy
 * can't hold isn't left out by it. Pure.
 */
export function reconcileMessages(
  turns: readonly TurnRow[],
  host: readonly MessageInput[],
  options: {
    complete?: boolean;
    knownIds?: ReadonlySet<string>;
    canHold?: ((turn: TurnRow) => boolean) | undefined;
  } = {},
): Reconciliation {
  for (const [index, input] of host.entries()) checkMessage(input, `messages[${index}]`);
  const stored = storedEntries(turns);
  const alignment = passKnownIds(align(stored, host), host, options.knownIds);
  const known = [...alignment.matches.values()].map((place) => {
    const { message, turn } = stored[place] as StoredEntry;
    return { ...message, seq: turn.seq, turn: turn.id };
  });
  const grown = grownMessages(stored, host, alignment);
  const fresh = withoutLeadingSystem([...grown, ...host.slice(alignment.freshFrom)]);
  const behind = stored[alignment.storedThrough]?.turn;
  const newest = turns.at(-1);

  if (alignment.edited !== undefined) {
    const replaces = (behind as TurnRow).id;
    return { known, fresh, replaces, forkedFrom: replaces };
  }
  if (fresh.length === 0) return concludeWithoutFresh(stored, host, alignment, known, options.complete ?? false);
  if (fresh[0]?.role === "user" && grown.length === 0) {
    if (newest && repeatsUnanswered(newest, fresh[0], alignment, stored)) {
      return { known, fresh: fresh.slice(1), continues: newest.id };
    }
    if (alignment.matches.size === 0 || behind === undefined) return { known, fresh };
    const { canHold = () => true } = options;
    if (!turns.some((turn) => turn.seq >= behind.seq && canHold(turn))) return { known, fresh };
    const diverges = divergence(stored, alignment, options.complete ?? false);
    return { known, fresh, forkedFrom: behind.id, ...(diverges === undefined ? {} : { diverges }) };
  }
  const continued = continuedTurn(turns, stored, alignment, fresh);
  return { known, fresh, ...(continued === undefined ? {} : { continues: continued.id }) };
}

/** A copy that is longer than what was read: what stands before a message of an older turn is known as well. */
function passKnownIds(
  alignment: Alignment,
  host: readonly MessageInput[],
  knownIds: ReadonlySet<string> | undefined,
): Alignment {
  if (knownIds === undefined || alignment.matches.size > 0) return alignment;
  let last = -1;
  for (const [index, { id }] of host.entries()) if (id !== undefined && knownIds.has(id)) last = index;
  return last < 0 ? alignment : { ...alignment, freshFrom: last + 1 };
}

/** Known messages of the assistant or a tool that say more than what was stored: a client adds what it learned. */
function grownMessages(
  stored: readonly StoredEntry[],
  host: readonly MessageInput[],
  alignment: Alignment,
): MessageInput[] {
  if (!alignment.byId) return [];
  return [...alignment.matches].flatMap(([index, place]) => {
    const input = host[index] as MessageInput;
    const before = (stored[place] as StoredEntry).message;
    if (input.id !== before.id || before.role === "user" || before.role === "system") return [];
    if (messageHash(before) === messageHashOf(input)) return [];
    const newCalls = callParts(partsOf(input)).filter((key) => !callParts(before.parts).includes(key));
    return newCalls.length > 0 ? [input] : [];
  });
}

const partsOf = (input: MessageInput): readonly Part[] => input.parts ?? [];

/** Calls, results and approval states of parts, each as a text. */
const callParts = (parts: readonly Part[]): string[] =>
  parts.flatMap((part) => {
    if (part.type === "approval") return [`${part.type} ${part.callId} ${part.state}`];
    return part.type === "tool-call" || part.type === "tool-result" ? [`${part.type} ${part.callId}`] : [];
  });

/** System prompts at the head of what is new are the host's instructions, not something that was said. */
function withoutLeadingSystem(messages: readonly MessageInput[]): MessageInput[] {
  const first = messages.findIndex((message) => message.role !== "system");
  return first < 0 ? [] : messages.slice(first);
}

/** The copy ends in something known: the host asks for an answer to it, for another answer, or goes on. */
function concludeWithoutFresh(
  stored: readonly StoredEntry[],
  host: readonly MessageInput[],
  alignment: Alignment,
  known: Message[],
  complete: boolean,
): Reconciliation {
  const lastPlace = alignment.matches.get(alignment.freshFrom - 1);
  const last = lastPlace === undefined ? undefined : stored[lastPlace];
  if (last === undefined) return { known, fresh: [] };
  const next = stored[alignment.storedThrough];
  if (next === undefined) return { known, fresh: [], continues: last.turn.id };
  if (last.message.role !== "user") return { known, fresh: [], forkedFrom: next.turn.id };
  const question = host[alignment.freshFrom - 1] as MessageInput;
  const before = known.filter((message) => message.id !== last.message.id);
  const certain = alignment.byId || (lastPlace !== undefined && holdsAllBefore(alignment, lastPlace, complete));
  if (!certain) return { known: before, fresh: [question], forkedFrom: next.turn.id };
  return { known: before, fresh: [question], replaces: last.turn.id, forkedFrom: last.turn.id };
}

/**
 * The first turn that a copy with a new question leaves out. Hosts that keep only a part of each turn leave nothing out,
 * and what the person said nothing in, a message of the app's own, is not theirs to leave out.
 */
function divergence(
  stored: readonly StoredEntry[],
  alignment: Alignment,
  complete: boolean,
): { turn: string; certain: boolean } | undefined {
  const lastPlace = alignment.matches.get(alignment.freshFrom - 1);
  const behind = stored[alignment.storedThrough];
  if (lastPlace === undefined || behind === undefined || !(alignment.byId || alignment.whole)) return undefined;
  if (stored[lastPlace]?.turn.id === behind.turn.id) return undefined;
  if (stored.slice(alignment.storedThrough).every((entry) => entry.role !== "user")) return undefined;
  return { turn: behind.turn.id, certain: alignment.byId || holdsAllBefore(alignment, lastPlace, complete) };
}

/** Without ids only a copy that holds everything before can't mean the same words said once more. */
const holdsAllBefore = (alignment: Alignment, lastPlace: number, complete: boolean): boolean =>
  complete && alignment.whole && alignment.matches.size >= 3 && lastPlace === alignment.matches.size - 1;

/** A question that broke before anything answered it, asked again in the same words. */
function repeatsUnanswered(
  newest: TurnRow,
  question: MessageInput,
  alignment: Alignment,
  stored: readonly StoredEntry[],
): boolean {
  const only = newest.messages[0];
  const reached = stored.slice(alignment.storedThrough).every((entry) => entry.turn.id === newest.id);
  return (
    newest.status === "failed" &&
    newest.messages.length === 1 &&
    only?.role === "user" &&
    (alignment.matches.size === 0 || reached) &&
    messageHash(only) === messageHashOf(question)
  );
}

/** The turn that holds the call which fresh messages answer; else the one the copy ends in; else the newest. */
function continuedTurn(
  turns: readonly TurnRow[],
  stored: readonly StoredEntry[],
  alignment: Alignment,
  fresh: readonly MessageInput[],
): TurnRow | undefined {
  const answered = new Set(
    fresh
      .flatMap(partsOf)
      .flatMap((part) => (part.type === "tool-result" || part.type === "approval" ? [part.callId] : [])),
  );
  const holds = (turn: TurnRow) => openCalls(turn.messages).some((callId) => answered.has(callId));
  const lastPlace = alignment.matches.get(alignment.freshFrom - 1);
  return turns.findLast(holds) ?? (lastPlace === undefined ? undefined : stored[lastPlace]?.turn) ?? turns.at(-1);
}

/** Ids of calls without a result. */
export function openCalls(messages: readonly { parts: readonly Part[] }[]): string[] {
  const open = new Set<string>();
  for (const part of messages.flatMap((message) => message.parts)) {
    if (part.type === "tool-call") open.add(part.callId);
    if (part.type === "tool-result") open.delete(part.callId);
  }
  return [...open];
}
