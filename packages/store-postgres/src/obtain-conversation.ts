import type { ConversationOwner } from "@throughline/core";
import { type ConversationColumns, keyOf, lockConversation } from "./conversation-rows.ts";
import type { Session } from "./session.ts";
import { checkId } from "./text.ts";

/** Refuses ids that can't be stored as they are. */
export function checkOwner({ tenant, agent, conversation }: ConversationOwner): void {
  for (const id of [tenant, agent, conversation]) checkId(id);
}

/** The conversation, locked; made now where there is none. */
export async function obtainConversation(
  session: Session,
  owner: ConversationOwner,
  now: string,
): Promise<{ conversation: ConversationColumns; isNew: boolean }> {
  const stored = await lockConversation(session, owner);
  if (stored !== undefined) return { conversation: stored, isNew: false };
  const made = await session.row<ConversationColumns>(
    `INSERT INTO #conversation (tenant, agent, id, created_at, updated_at) VALUES ($1, $2, $3, $4, $4)
      ON CONFLICT DO NOTHING RETURNING *`,
    ...keyOf(owner),
    now,
  );
  if (made !== undefined) return { conversation: made, isNew: true };
  // Another transaction made it in between, or made it and erased it.
  return obtainConversation(session, owner, now);
}
