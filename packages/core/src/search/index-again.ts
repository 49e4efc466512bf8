import type { ConversationOwner } from "../contract/owner.ts";
import type { ConversationRow, TurnRow } from "../contract/store-rows.ts";
import type { Engine } from "../memory/engine.ts";
import { dueTurns } from "../work/begin-work.ts";
import { indexConversation } from "./index-work.ts";
import { keywordDocuments } from "./keyword-documents.ts";

const INDEX_TRIES = 5;

/**
 * Looks after rewritten turns that the keyword index hadn't come to as `before` was read; those before it were changed with what
 * it holds of them. Whoever works on the conversation, in this process or another, may hold what such a turn said before: the
 * index is brought past it, so that what they write is refused. Where it just got there it is told again. Others may rewrite
 * the same turns meanwhile: what they are in the end counts.
 */
export async function indexAgain(
  engine: Engine,
  owner: ConversationOwner,
  before: ConversationRow,
  rewritten: readonly TurnRow[],
): Promise<void> {
  const store = await engine.store();
  const turns = rewritten.filter(({ seq }) => seq > (before.watermarks.index ?? 0)).map(({ id }) => id);
  if (!store.keyword || turns.length === 0) return;
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
    const written = rows;
    rows = await read();
    if (isWritten && saidIn(rows) === saidIn(written)) return;
  }
}

const saidIn = (rows: readonly TurnRow[]): string =>
  JSON.stringify(rows.map(({ seq, hidden, messages }) => [seq, hidden, messages]));
