import type { ConversationRow } from "../contract/store-rows.ts";
import type { Engine } from "../memory/engine.ts";

/** Notes how far the work on a conversation has come, and keeps the lease. What was begun anew under its id is left alone. */
export async function moveMarks(
  engine: Engine,
  { id, createdAt }: Pick<ConversationRow, "id" | "createdAt">,
  watermarks: Readonly<Record<string, number>>,
): Promise<void> {
  const store = await engine.store();
  const settlement = { holder: engine.holder, createdAt, watermarks, release: false };
  await store.settleWork({ ...engine.owner, conversation: id }, settlement);
}
