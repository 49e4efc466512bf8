import type { TurnPlace } from "../contract/memory-store.ts";
import type { TurnRow } from "../contract/store-rows.ts";
import { callOf } from "../memory/call-options.ts";
import type { Engine } from "../memory/engine.ts";

/** Names a turn of an agent. The lengths in front keep any two apart, and take less time than JSON. */
export const turnKey = ({ conversation, turn }: { conversation: string; turn: string }): string =>
  `${conversation.length}:${conversation}${turn}`;

/** Visible turns by their {@link turnKey}; those that are gone are not there. A turn may stand under another number than asked. */
export async function readTurnsAt(
  engine: Engine,
  places: readonly TurnPlace[],
  signal: AbortSignal | undefined,
): Promise<Map<string, TurnRow>> {
  const turns = new Map<string, TurnRow>();
  if (places.length === 0) return turns;
  const store = await engine.store();
  if (store.findTurns !== undefined) {
    // A turn that was written anew may be asked for under both of its numbers: neither must hide the other.
    const wanted = new Map(places.map((place) => [`${place.seq ?? ""},${turnKey(place)}`, place]));
    for (const row of await store.findTurns(engine.owner, [...wanted.values()], callOf(signal))) {
      turns.set(turnKey({ conversation: row.conversation, turn: row.id }), row);
    }
    return turns;
  }
  const byConversation = new Map<string, Set<string>>();
  for (const { conversation, turn } of places) {
    const ids = byConversation.get(conversation) ?? new Set();
    byConversation.set(conversation, ids.add(turn));
  }
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
