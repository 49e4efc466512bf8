import { type Message, sanitizeTranscript, waitingCalls } from "@throughline/core";

/**
 * Messages of several turns as one prompt. The host takes items of one call id for one item, and providers that count
 * their ids anew in each turn make them come again: later ones get ids of their own.
 */
export const withOwnCallIds = (messages: readonly Message[]): Message[] =>
  sanitizeTranscript(messages, { openCalls: waitingCalls(messages) });
