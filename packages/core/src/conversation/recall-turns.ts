import type { SearchHit } from "../contract/conversation.ts";
import type { ConversationRow, TurnRow } from "../contract/store-rows.ts";
import { zoneOf } from "../extract/zone-of.ts";
import { callOf } from "../memory/call-options.ts";
import { degradingRead } from "../memory/resilience.ts";
import { isQuestion } from "../text/is-question.ts";
import { messageText } from "./message-text.ts";
import { type ConversationScope, searchScope } from "./scope.ts";

/** How many messages that ask the same may be among those that are found. */
const ASKED_BEFORE = 4;

/** What the person asked before in the same words answers nothing, and stands nearest of all. */
function isAskedAgain({ message }: SearchHit, query: string): boolean {
  if (message.role !== "user") return false;
  const text = messageText(message);
  return isQuestion(text) && wordsOf(text) === wordsOf(query);
}

const wordsOf = (text: string): string =>
  (
    text
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{M}\p{N}]+/gu) ?? []
  ).join(" ");

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
      k: wanted + ASKED_BEFORE,
      zone: async () => zoneOf(engine, conversation?.metadata),
      ...callOf(signal),
      ...(oldest === undefined ? {} : { exclude: { conversation: owner.conversation, after: oldest.seq - 1 } }),
    });
    return hits.filter((hit) => !isAskedAgain(hit, query)).slice(0, wanted);
  };
  return degradingRead(engine, "recall", read, []);
}
