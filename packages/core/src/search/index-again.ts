import type { ConversationOwner } from "../contract/owner.ts";
import type { Engine } from "../memory/engine.ts";
import { keywordDocuments } from "./keyword-documents.ts";

const INDEX_TRIES = 5;

/** Puts rewritten turns back into the keyword index, which dropped them; those behind the watermark come by themselves. */
export async function indexAgain(engine: Engine, owner: ConversationOwner, turns: readonly string[]): Promise<void> {
  const store = await engine.store();
  if (!store.keyword) return;
  const rows = await store.readTurns(owner, { ids: turns, limit: turns.length });
  for (let attempt = 0; attempt < INDEX_TRIES; attempt++) {
    const through = (await store.readConversation(owner))?.watermarks.index ?? 0;
    const documents = rows.filter((turn) => turn.seq <= through).flatMap(keywordDocuments);
    if (documents.length === 0) return;
    // The watermark stays; it is compared, so that nobody indexes the same turns at the same time.
    if (await store.keyword.index(owner, { after: through, through, documents })) return;
  }
}
