import type { TurnRow } from "../contract/store-rows.ts";
import type { Engine } from "../memory/engine.ts";
import { ROUGH_FACTOR } from "../text/tokens.ts";
import { countMessages, messageTokens } from "./message-text.ts";
import { shownMessages } from "./window.ts";

/** True where these unfolded turns have outgrown the history. */
export function isFoldDue(engine: Engine, turns: readonly TurnRow[]): boolean {
  const { maxMessages, maxTokens } = engine.policy.conversation;
  let messages = 0;
  let rough = 0;
  for (const turn of turns) {
    const shown = shownMessages(turn);
    messages += countMessages(shown);
    if (shown.length > 0) rough += turn.tokens;
  }
  if (messages > maxMessages) return true;
  if (rough * ROUGH_FACTOR <= maxTokens) return false;
  const exact = turns.reduce((sum, turn) => sum + messageTokens(shownMessages(turn), engine.countTokens), 0);
  return exact > maxTokens;
}
