import type { ConversationOwner } from "../contract/owner.ts";
import type { KeywordDocument } from "../contract/store-keyword.ts";
import type { ConversationRow, TurnRow } from "../contract/store-rows.ts";
import { messageText, toolResultText } from "../conversation/message-text.ts";
import { callOf } from "../memory/call-options.ts";
import type { Engine } from "../memory/engine.ts";
import { countTerms } from "./terms.ts";

/** Turns read and indexed in one step: bounded, so that no step holds the event loop for long. */
const BATCH_TURNS = 32;

/** The searchable messages of a turn. Paused, failed and hidden turns have none. */
export function keywordDocuments(turn: TurnRow): KeywordDocument[] {
  if (turn.hidden || (turn.status !== "completed" && turn.status !== "aborted")) return [];
  const documents: KeywordDocument[] = [];
  turn.messages.forEach((message, position) => {
    // What the memory itself put there was said already; finding it again would echo it.
    if (message.origin === "memory") return;
    const said = message.role === "user" || message.role === "assistant";
    const texts = [
      { group: "said" as const, text: said ? messageText(message) : "" },
      { group: "tool" as const, text: toolResultText(message) },
    ];
    for (const { group, text } of texts) {
      if (text === "") continue;
      const { terms, length } = countTerms(text);
      if (length === 0) continue;
      documents.push({
        turn: turn.id,
        seq: turn.seq,
        position,
        message: message.id,
        role: message.role,
        createdAt: message.createdAt,
        group,
        length,
        terms: [...terms],
      });
    }
  });
  return documents;
}

/** Indexes a conversation's turns from the watermark on. Answers how many turns it indexed. */
export async function indexConversation(
  engine: Engine,
  owner: ConversationOwner,
  row: ConversationRow,
  signal?: AbortSignal,
): Promise<number> {
  const store = await engine.store();
  if (!store.keyword) return 0;
  let after = row.watermarks.index ?? 0;
  let indexed = 0;
  while (after < row.lastSeq) {
    const call = callOf(signal);
    const turns = await store.readTurns(owner, { after, before: row.lastSeq + 1, limit: BATCH_TURNS }, call);
    const through = turns.length < BATCH_TURNS ? row.lastSeq : (turns.at(-1) as TurnRow).seq;
    const documents = turns.flatMap(keywordDocuments);
    // Another process indexed these turns meanwhile: there is nothing left to do here.
    if (!(await store.keyword.index(owner, { after, through, documents }, call))) return indexed;
    after = through;
    indexed += turns.length;
  }
  if (indexed > 0) engine.emit({ type: "memory.indexed", conversation: owner.conversation, turns: indexed });
  return indexed;
}
