import type { Message, MessageInput } from "../contract/message.ts";
import type { TurnRow } from "../contract/store-rows.ts";
import { checkMessage } from "./check-message.ts";
import { messageHash } from "./message-input.ts";

/** A stored message with what is needed to find it again. */
interface StoredMessage {
  message: Message;
  turn: TurnRow;
  hash: string;
}

/** What of a host's copy is stored already. Pure result of {@link reconcileMessages}. */
export interface Reconciliation {
  /** Per host message: index into the stored ones, -1 where it is new, -2 where it is older than what was read. */
  matches: number[];
  known: Message[];
  fresh: MessageInput[];
  paused?: string;
  forkedFrom?: string;
  /** The host says so itself: it resent an id with other content, or asks again for a stored answer. */
  replaces?: string;
}

/**
 * Where the host's copy lies over the stored messages, by content: the shift that matches the longest run from the
 * beginning of either. A run of one says too little ("yes" is said often), so it counts only where the host gave the
 * whole of its copy from the first stored message on.
 */
function alignByContent(
  stored: readonly StoredMessage[],
  host: readonly string[],
): { shift: number; run: number } | null {
  let best: { shift: number; run: number } | null = null;
  for (let shift = -(host.length - 1); shift < stored.length; shift++) {
    const from = Math.max(0, -shift);
    let run = 0;
    while (from + run < host.length && stored[from + run + shift]?.hash === host[from + run]) run++;
    const wholeFirstMessage = run === 1 && shift === 0 && host.length > 1;
    if ((run >= 2 || wholeFirstMessage) && (best === null || run >= best.run)) best = { shift, run };
  }
  return best;
}

/**
 * Tells a host's copy of the history from what is new: by id where both sides know it, else by content and position.
 * `turns` are the stored visible turns, oldest first. Pure.
 */
export function reconcileMessages(turns: readonly TurnRow[], host: readonly MessageInput[]): Reconciliation {
  const stored: StoredMessage[] = turns.flatMap((turn) =>
    turn.messages.map((message) => ({
      message: { ...message, seq: turn.seq, turn: turn.id },
      turn,
      hash: messageHash(message),
    })),
  );
  const hashes = host.map((input, index) => {
    const parts = checkMessage(input, `messages[${index}]`);
    return messageHash({ role: input.role, parts });
  });
  const byId = new Map(stored.map((entry, index) => [entry.message.id, index]));
  const matches = host.map((input) => (input.id === undefined ? -1 : (byId.get(input.id) ?? -1)));
  let edited: string | undefined;
  for (let index = 0; index < matches.length; index++) {
    const match = matches[index] as number;
    // An assistant message may grow after it was stored (a client adds what it rendered); a user's words may not.
    if (match >= 0 && stored[match]?.hash !== hashes[index] && host[index]?.role === "user") {
      edited ??= stored[match]?.turn.id;
      matches[index] = -1;
    }
  }
  if (matches.every((match) => match < 0) && edited === undefined) {
    const aligned = alignByContent(stored, hashes);
    if (aligned) {
      const from = Math.max(0, -aligned.shift);
      // Everything before the run is older than what was read, so it is known by its position.
      for (let index = 0; index < from; index++) matches[index] = -2;
      for (let index = from; index < from + aligned.run; index++) matches[index] = index + aligned.shift;
    }
  }
  return conclude(stored, host, matches, edited);
}

function conclude(
  stored: readonly StoredMessage[],
  host: readonly MessageInput[],
  matches: number[],
  edited: string | undefined,
): Reconciliation {
  const last = matches.length - 1;
  const lastMatch = matches[last] ?? -1;
  const lastStored = stored[lastMatch];
  let replaces = edited;
  // The newest message of the copy is a stored question that was answered: the host asks for another answer.
  if (lastStored?.message.role === "user" && stored[lastMatch + 1]?.turn.id === lastStored.turn.id) {
    replaces ??= lastStored.turn.id;
    matches[last] = -1;
  }
  const matched = matches.filter((match) => match >= 0);
  const known = matched.map((match) => (stored[match] as StoredMessage).message);
  const fresh = host.filter((_, index) => matches[index] === -1);
  const result: Reconciliation = { matches, known, fresh };
  const next = matched.length > 0 ? stored[Math.max(...matched) + 1] : undefined;
  const forkedFrom = replaces ?? (fresh.length > 0 ? next?.turn.id : undefined);
  const newest = stored.at(-1)?.turn;
  if (newest?.status === "paused" && fresh.length > 0 && continuesPaused(newest, fresh)) result.paused = newest.id;
  else if (forkedFrom !== undefined) result.forkedFrom = forkedFrom;
  if (replaces !== undefined && result.paused === undefined) result.replaces = replaces;
  return result;
}

/** Fresh messages that answer what a paused turn waits for, rather than ask something new. */
function continuesPaused(turn: TurnRow, fresh: readonly MessageInput[]): boolean {
  const calls = new Set(turn.messages.flatMap((message) => message.parts).map((part) => callIdOf(part)));
  const first = fresh[0];
  return (
    first?.role === "tool" ||
    (first?.parts ?? []).some((part) => {
      const callId = callIdOf(part);
      return callId !== undefined && calls.has(callId);
    })
  );
}

const callIdOf = (part: { type: string; callId?: string }): string | undefined =>
  part.type === "tool-result" || part.type === "approval" || part.type === "tool-call" ? part.callId : undefined;
