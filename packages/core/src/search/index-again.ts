import type { ConversationOwner } from "../contract/owner.ts";
import type { TurnRow } from "../contract/store-rows.ts";
import type { Engine } from "../memory/engine.ts";
import { dueTurns } from "../work/begin-work.ts";
import { indexConversation } from "./index-work.ts";
import { keywordDocuments } from "./keyword-documents.ts";

const INDEX_TRIES = 5;

/**
 * Puts rewritten turns back into the keyword index, which dropped them. Where it hasn't come to one of them yet, whoever works on
 * the conversation may hold what that turn said before, in this process or another: the index is brought past it, so that what
 * they write is refused. Others may rewrite the same turns meanwhile: what they are in the end counts.
 */
export async function indexAgain(engine: Engine, owner: ConversationOwner, turns: readonly string[]): Promise<void> {
  const store = await engine.store();
  if (!store.keyword) return;
  const read = (): Promise<TurnRow[]> => store.readTurns(owner, { ids: turns, limit: turns.length, hidden: true });
  let rows = await read();
  for (let attempt = 0; attempt < INDEX_TRIES; attempt++) {
    const row = await store.readConversation(owner);
    if (row === null) return;
    const through = row.watermarks.index ?? 0;
    if (rows.some(({ seq }) => seq > through)) {
      await indexConversation(engine, owner, row, { due: dueTurns(engine, owner, { row }) });
      continue;
    }
    const documents = rows.flatMap(keywordDocuments);
    // The watermark stays; it is compared, so that nobody indexes the same turns at the same time.
    const isWritten =
      documents.length === 0 ||
      (await store.keyword.index(owner, { createdAt: row.createdAt, after: through, through, documents }));
    const before = rows;
    rows = await read();
    if (isWritten && saidIn(rows) === saidIn(before)) return;
  }
}

const saidIn = (rows: readonly TurnRow[]): string =>
  JSON.stringify(rows.map(({ seq, hidden, messages }) => [seq, hidden, messages]));
