import type { ConversationOwner } from "../contract/owner.ts";
import type { TurnRow } from "../contract/store-rows.ts";
import type { Engine } from "../memory/engine.ts";
import type { HeldWork } from "../work/held-work.ts";
import { keywordDocuments } from "./keyword-documents.ts";

const INDEX_TRIES = 5;

/**
 * Puts rewritten turns back into the keyword index, which dropped them; those behind the watermark come by themselves, as they
 * are now also where work of this process holds what they were before.
 */
export async function indexAgain(engine: Engine, owner: ConversationOwner, turns: readonly string[]): Promise<void> {
  const store = await engine.store();
  if (!store.keyword) return;
  const rows = await store.readTurns(owner, { ids: turns, limit: turns.length });
  replaceHeld(engine.held.get(owner.conversation), turns, rows);
  for (let attempt = 0; attempt < INDEX_TRIES; attempt++) {
    const through = (await store.readConversation(owner))?.watermarks.index ?? 0;
    const documents = rows.filter((turn) => turn.seq <= through).flatMap(keywordDocuments);
    if (documents.length === 0) return;
    // The watermark stays; it is compared, so that nobody indexes the same turns at the same time.
    if (await store.keyword.index(owner, { after: through, through, documents })) return;
  }
}

/** What was taken from turns before they were rewritten must not be written behind that. */
function replaceHeld(held: HeldWork | undefined, turns: readonly string[], rows: readonly TurnRow[]): void {
  if (held?.index === undefined) return;
  const { batch } = held.index;
  const kept = batch.documents.filter(({ turn }) => !turns.includes(turn));
  const anew = rows.filter(({ seq }) => seq > batch.after && seq <= batch.through).flatMap(keywordDocuments);
  const documents = [...kept, ...anew].toSorted((left, right) => left.seq - right.seq);
  held.index = { ...held.index, batch: { ...batch, documents } };
}
