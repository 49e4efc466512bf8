import type { TurnPlace } from "../contract/memory-store.ts";
import type { TurnRow } from "../contract/store-rows.ts";
import { callOf } from "../memory/call-options.ts";
import type { Engine } from "../memory/engine.ts";

/** Names a turn of an agent. The lengths in front keep any two apart, and take less time than JSON. */
export const turnKey = ({ conversation, turn }: { conversation: string; turn: string }): string =>
  `${conversation.length}:${conversation}${turn}`;

/** Visible turns by their {@link turnKey}; those that are gone are not there. */
export async function readTurnsAt(
  engine: Engine,
  places: readonly TurnPlace[],
  signal: AbortSignal | undefined,
): Promise<Map<string, TurnRow>> {
  const turns = new Map<string, TurnRow>();
  if (places.length === 0) return turns;
  const store = await engine.store();
  const wanted = new Map(places.map((place) => [turnKey(place), place]));
  if (store.findTurns !== undefined) {
    for (const row of await store.findTurns(engine.owner, [...wanted.values()], callOf(signal))) {
      turns.set(turnKey({ conversation: row.conversation, turn: row.id }), row);
    }
    return turns;
  }
  const byConversation = new Map<string, string[]>();
  for (const { conversation, turn } of wanted.values()) {
    const ids = byConversation.get(conversation) ?? [];
    ids.push(turn);
    byConversation.set(conversation, ids);
  }
  // At once: a database that is far away is waited for once.
  await Promise.all(
    [...byConversation].map(async ([conversation, ids]) => {
      const owner = { ...engine.owner, conversation };
      const rows = await store.readTurns(owner, { ids, limit: ids.length }, callOf(signal));
      for (const row of rows) turns.set(turnKey({ conversation, turn: row.id }), row);
    }),
  );
  return turns;
}
