import type { CallOptions } from "../contract/memory-store.ts";
import { isPersons } from "../extract/evidence.ts";
import { messageText, wordsIn } from "./message-text.ts";
import { quoteStands } from "./quote.ts";
import { type ConversationScope, resolveSubject } from "./scope.ts";

const PAGE = 100;
/** Turns that are looked through for a quote. */
const MAX_TURNS = 1_000;

/**
 * The newest recorded turn of this conversation in which its person said these words; `undefined` where none of the last
 * thousand holds them. Of a conversation that is another's nothing is told.
 */
export async function quotedTurn(
  scope: ConversationScope,
  quote: string,
  options: CallOptions = {},
): Promise<string | undefined> {
  const store = await scope.engine.store();
  const [row, subject] = await Promise.all([
    store.readConversation(scope.owner, options),
    resolveSubject(scope, options),
  ]);
  if (row === null || (row.subject !== undefined && row.subject !== subject)) return undefined;
  let before = row.lastSeq + 1;
  for (let read = 0; read < MAX_TURNS; read += PAGE) {
    const turns = await store.readTurns(scope.owner, { before, order: "newest", limit: PAGE }, options);
    const said = turns.find(
      (turn) =>
        turn.subject === subject && quoteStands(quote, turn.messages.filter(isPersons).map(messageText).join("\n")),
    );
    const last = turns.at(-1);
    if (said !== undefined || turns.length < PAGE || last === undefined) return said?.id;
    before = last.seq;
  }
  return undefined;
}

/** What is said in a recorded turn; nothing where it is gone. */
export async function wordsOfTurn(scope: ConversationScope, turn: string, options: CallOptions = {}): Promise<string> {
  const store = await scope.engine.store();
  const [row] = await store.readTurns(scope.owner, { ids: [turn], limit: 1 }, options);
  return wordsIn(row?.messages ?? []);
}
