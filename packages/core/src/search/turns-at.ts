import type { TurnRow } from "../contract/store-rows.ts";
import { callOf } from "../memory/call-options.ts";
import type { Engine } from "../memory/engine.ts";

/** Names a turn of an agent. */
export const turnKey = ({ conversation, turn }: { conversation: string; turn: string }): string =>
  JSON.stringify([conversation, turn]);

/** Visible turns by their {@link turnKey}; those that are gone are not there. */
export async function readTurnsAt(
  engine: Engine,
  places: readonly { conversation: string; turn: string }[],
  signal: AbortSignal | undefined,
): Promise<Map<string, TurnRow>> {
  const store = await engine.store();
  const byConversation = new Map<string, Set<string>>();
  for (const { conversation, turn } of places) {
    const ids = byConversation.get(conversation) ?? new Set();
    byConversation.set(conversation, ids.add(turn));
  }
  const turns = new Map<string, TurnRow>();
  // At once: a database that is far away is waited for once.
  await Promise.all(
    [...byConversation].map(async ([conversation, ids]) => {
      const owner = { ...engine.owner, conversation };
      const rows = await store.readTurns(owner, { ids: [...ids], limit: ids.size }, callOf(signal));
      for (const row of rows) turns.set(turnKey({ conversation, turn: row.id }), row);
    }),
  );
  return turns;
}
