import type { Turn } from "../contract/message.ts";
import type { TurnRow } from "../contract/store-rows.ts";

/** A stored turn as the app sees it: its messages say where they stand, and what windows are cut by is left out. */
export function publicTurn({ counted: _counted, tokens: _tokens, ...turn }: TurnRow): Turn {
  return {
    ...turn,
    messages: turn.messages.map((message) => ({ ...message, seq: turn.seq, turn: turn.id })),
  };
}
