import type { MessageInput } from "../contract/message.ts";
import { contentHash } from "../text/hash.ts";
import { messageHashOf } from "./message-hash.ts";
import { toMessages } from "./message-input.ts";
import type { TurnDraft } from "./record-turn.ts";

/** An exchange that the host has and the memory didn't. */
export interface Exchange {
  id: string;
  messages: readonly MessageInput[];
  now: string;
}

/** Splits a host's unknown history into exchanges: one begins at each user message that follows an answer. */
export function splitExchanges(messages: readonly MessageInput[]): MessageInput[][] {
  const exchanges: MessageInput[][] = [];
  let previous: MessageInput | undefined;
  for (const message of messages) {
    if (previous === undefined || (message.role === "user" && previous.role !== "user" && previous.role !== "system")) {
      exchanges.push([]);
    }
    (exchanges.at(-1) as MessageInput[]).push(message);
    previous = message;
  }
  return exchanges;
}

/** An id for an exchange nobody named: the same exchange in the same place has the same one. */
export const exchangeId = (messages: readonly MessageInput[], position: number): string =>
  `exchange-${contentHash([position, ...messages.map((message) => message.id ?? messageHashOf(message))].join("\n"))}`;

/** The exchange as a turn of its own. */
export function draftOfExchange({ id, messages, now }: Exchange): TurnDraft {
  const checked = toMessages(messages, { turn: id, now });
  const answered = messages.some((message) => message.role === "assistant");
  return {
    id,
    status: answered ? "completed" : "failed",
    startedAt: now,
    endedAt: checked.at(-1)?.createdAt ?? now,
    messages: checked,
  };
}
