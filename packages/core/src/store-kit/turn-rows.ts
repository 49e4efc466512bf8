import type { TurnChange, WindowQuery } from "../contract/memory-store.ts";
import type { MessageLocation, TurnRow } from "../contract/store-rows.ts";

/**
 * The newest visible turns behind the border that fit, oldest first; the newest of them whatever its size. `turns` are
 * oldest first; `border` is the greater of what was cleared and, with `afterSummary`, what is folded. Pure.
 */
export function cutWindow(
  turns: readonly TurnRow[],
  { maxMessages, maxTokens }: Pick<WindowQuery, "maxMessages" | "maxTokens">,
  border: number,
): TurnRow[] {
  const kept: TurnRow[] = [];
  let messages = 0;
  let tokens = 0;
  for (const turn of turns.toReversed()) {
    if (turn.hidden || turn.seq <= border) continue;
    messages += turn.counted;
    tokens += turn.tokens;
    if (kept.length > 0 && (messages > maxMessages || tokens > maxTokens)) break;
    kept.unshift(turn);
  }
  return kept;
}

/** Where visible turns hold these message ids, in the order of the ids, then of the turns. Pure. */
export function locateMessages(turns: readonly TurnRow[], ids: readonly string[]): MessageLocation[] {
  const found: MessageLocation[] = [];
  for (const id of new Set(ids)) {
    for (const turn of turns) {
      if (turn.hidden || !turn.messages.some((message) => message.id === id)) continue;
      found.push({ id, turn: turn.id, seq: turn.seq });
    }
  }
  return found;
}

/** The turn as it is after a change: the same object where it is passed over, `null` where it is erased. Pure. */
export function changeTurnRow(turn: TurnRow, change: TurnChange): TurnRow | null {
  if (!isStill(turn, change)) return turn;
  switch (change.action) {
    case "hide":
      return { ...turn, hidden: true };
    case "show": {
      const { hidden: _hidden, replacedBy: _replacedBy, ...shown } = turn;
      return shown;
    }
    case "rewrite":
      return { ...turn, messages: change.messages, counted: change.counted, tokens: change.tokens };
    case "restamp":
      return { ...turn, subject: change.subject };
    case "erase":
      return null;
  }
}

/** True where the turn is as it was read for the change. */
function isStill(turn: TurnRow, change: TurnChange): boolean {
  const still = "ifStill" in change ? change.ifStill : undefined;
  if (still === undefined) return true;
  const ids = turn.messages.map((message) => message.id);
  return turn.seq === still.seq && JSON.stringify(ids) === JSON.stringify(still.messages);
}
