import type { TurnChange } from "../contract/memory-store.ts";
import type { Message } from "../contract/message.ts";
import type { TurnRow } from "../contract/store-rows.ts";
import { keywordDocuments } from "../search/keyword-documents.ts";
import { roughTokens } from "../text/tokens.ts";
import { asRead } from "./change-runs.ts";
import { countMessages, messageTokens } from "./message-text.ts";

/** The change that puts other messages into a turn, unless others wrote it since it was read. */
export const rewriteTurn = (turn: TurnRow, messages: Message[]): TurnChange => ({
  turn: turn.id,
  action: "rewrite",
  messages,
  counted: countMessages(messages),
  tokens: messageTokens(messages, roughTokens),
  // Of a hidden turn too: the store leaves them out, and has them where it is shown again.
  documents: keywordDocuments({ ...turn, hidden: false, messages }),
  ifStill: asRead(turn),
});
