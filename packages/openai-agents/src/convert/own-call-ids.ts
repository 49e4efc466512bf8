import type { AgentInputItem } from "@openai/agents";
import { type Message, type OpenTurn, sanitizeTranscript, waitingCalls } from "@throughline/core";
import { type ToItemsOptions, toItems } from "./to-items.ts";

/**
 * Messages of several turns as one prompt. The host takes items of one call id for one item, and providers that count
 * their ids anew in each turn make them come again: later ones get ids of their own.
 */
export const withOwnCallIds = (messages: readonly Message[]): Message[] =>
  sanitizeTranscript(messages, { openCalls: waitingCalls(messages) });

/** What is stored, as the model is shown it; the turn's own messages where a stored one goes on. */
export function storedItems(turn: Pick<OpenTurn, "fresh" | "messages">, options: ToItemsOptions): AgentInputItem[] {
  const fresh = new Set(turn.fresh.map(({ id }) => id));
  return toItems(withOwnCallIds(turn.messages.filter(({ id }) => !fresh.has(id))), options);
}
