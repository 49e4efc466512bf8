import type { SearchHit } from "../contract/conversation.ts";
import type { ConversationRow, TurnRow } from "../contract/store-rows.ts";
import { zoneOf } from "../extract/zone-of.ts";
import { callOf } from "../memory/call-options.ts";
import { degradingRead } from "../memory/resilience.ts";
import { type ConversationScope, searchScope } from "./scope.ts";

/** Past messages near what was asked, where they are wanted: not those that history shows anyway. */
export async function recallTurns(
  scope: ConversationScope,
  query: string,
  wanted: number | undefined,
  { conversation, turns }: { conversation: ConversationRow | null; turns: readonly TurnRow[] },
  signal: AbortSignal | undefined,
): Promise<SearchHit[]> {
  if (wanted === undefined || wanted === 0 || query.trim() === "") return [];
  const { engine, owner } = scope;
  const [oldest] = turns;
  // Before the deadline begins: that is for the store.
  const { searchMessages } = await import("../search/search-messages.ts");
  const read = async () => {
    const { hits } = await searchMessages(engine, await searchScope(scope, callOf(signal)), query, {
      k: wanted,
      zone: async () => zoneOf(engine, conversation?.metadata),
      ...callOf(signal),
      ...(oldest === undefined ? {} : { exclude: { conversation: owner.conversation, after: oldest.seq - 1 } }),
    });
    return hits;
  };
  return degradingRead(engine, "recall", read, []);
}
