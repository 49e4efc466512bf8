import type { CallOptions } from "../contract/memory-store.ts";
import type { ConversationOwner } from "../contract/owner.ts";
import type { TurnRow } from "../contract/store-rows.ts";
import type { Engine } from "../memory/engine.ts";

const PAGE = 100;

/** Turns of a conversation, oldest first, page by page so that no read is long; hidden ones too where asked. */
export async function* allTurns(
  engine: Engine,
  owner: ConversationOwner,
  query: { after?: number; hidden?: boolean } = {},
  call: CallOptions = {},
): AsyncGenerator<TurnRow> {
  const store = await engine.store();
  for (let after = query.after ?? 0; ; ) {
    const page = await store.readTurns(owner, { after, limit: PAGE, hidden: query.hidden ?? false }, call);
    yield* page;
    const last = page.at(-1);
    if (page.length < PAGE || last === undefined) return;
    after = last.seq;
  }
}
