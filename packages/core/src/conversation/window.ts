import type { Message } from "../contract/message.ts";
import type { TurnRow } from "../contract/store-rows.ts";
import { ROUGH_FACTOR } from "../text/tokens.ts";
import { countMessages, messageTokens } from "./message-text.ts";
import { renameRepeatedCalls, sanitizeTranscript } from "./sanitize.ts";

/** Limits of a window. */
export interface WindowLimits {
  maxMessages: number;
  maxTokens: number;
}

/** A turn in the window, as the model is shown it. */
export interface WindowTurn {
  turn: TurnRow;
  messages: Message[];
  tokens: number;
}

/** What was chosen, and what was left out for want of room. */
export interface Window {
  /** Oldest first. */
  turns: WindowTurn[];
  messages: Message[];
  tokens: number;
  /** Newest first. */
  leftOut: TurnRow[];
}

/**
 * What the model is shown of a turn that is over: all of it but calls without results. A paused turn that the person
 * walked past is shown the same way; the turn under way isn't in the window.
 */
export function shownMessages(turn: TurnRow): Message[] {
  if (turn.hidden) return [];
  const stamped = turn.messages.map((message) => ({ ...message, seq: turn.seq, turn: turn.id }));
  return sanitizeTranscript(stamped);
}

/**
 * The newest whole turns that fit both limits, oldest first. The newest turn that has anything to show is taken
 * however large it is. Pure.
 */
export function selectWindow(
  turns: readonly TurnRow[],
  limits: WindowLimits,
  countTokens: (text: string) => number,
): Window {
  const exact = turns.reduce((total, turn) => total + turn.tokens, 0) * ROUGH_FACTOR > limits.maxTokens;
  const chosen: WindowTurn[] = [];
  const leftOut: TurnRow[] = [];
  let messages = 0;
  let tokens = 0;
  for (let index = turns.length - 1; index >= 0; index--) {
    const turn = turns[index] as TurnRow;
    const shown = shownMessages(turn);
    if (shown.length === 0) continue;
    const counted = countMessages(shown);
    const cost = exact ? messageTokens(shown, countTokens) : turn.tokens;
    const full = messages + counted > limits.maxMessages || tokens + cost > limits.maxTokens;
    // Once a turn is left out all older ones are: a window has no hole.
    if (leftOut.length > 0 || (full && chosen.length > 0)) {
      leftOut.push(turn);
      continue;
    }
    chosen.push({ turn, messages: shown, tokens: cost });
    messages += counted;
    tokens += cost;
  }
  chosen.reverse();
  // Each turn has its own ids; some providers count them anew in each, and another takes an id only once.
  const all = renameRepeatedCalls(chosen.flatMap((entry) => entry.messages));
  return { turns: chosen, messages: all, tokens, leftOut };
}
