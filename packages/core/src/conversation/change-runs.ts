import type { TurnRow } from "../contract/store-rows.ts";

/** Turns changed in one write: few enough that a long conversation holds nobody up. */
const RUN_TURNS = 32;

/** Does the work for all items, a run at a time. */
export async function inRuns<Item>(
  items: readonly Item[],
  work: (run: readonly Item[]) => Promise<void>,
): Promise<void> {
  for (let from = 0; from < items.length; from += RUN_TURNS) await work(items.slice(from, from + RUN_TURNS));
}

/** What a change names of a turn, so that it is passed over where the turn was written by others since. */
export const asRead = (turn: TurnRow): { seq: number; messages: string[] } => ({
  seq: turn.seq,
  messages: turn.messages.map((message) => message.id),
});
