import type { ConversationOwner } from "@throughline/core";
import { keyOf } from "../conversation-rows.ts";
import type { Session } from "../session.ts";
import { checkId, writeText } from "../text.ts";
import { optionalText } from "./write-checkpoints.ts";

/** Copies everything of a conversation's checkpoints; `null` where the other has some already. One trip. */
export async function copyCheckpoints(
  session: Session,
  rowLevelSecurity: boolean,
  owner: ConversationOwner,
  to: { conversation: string; subject?: string; login?: string; now: string },
): Promise<number | null> {
  checkId(to.conversation);
  const found = await session.row<{ copied: number | null }>(
    "SELECT #copy_checkpoints($1, $2, $3, $4, $5, $6, $7, $8) AS copied",
    rowLevelSecurity,
    ...keyOf(owner),
    writeText(to.conversation),
    optionalText(to.subject),
    optionalText(to.login),
    to.now,
  );
  return found?.copied ?? null;
}

/** Removes some of a conversation's checkpoints, or all of them. One trip. */
export async function removeCheckpoints(
  session: Session,
  rowLevelSecurity: boolean,
  owner: ConversationOwner,
  checkpoints: readonly { space: string; id: string }[] | undefined,
): Promise<number> {
  const [tenant, agent, conversation] = keyOf(owner);
  if (checkpoints === undefined) return removeThreads(session, rowLevelSecurity, [tenant, agent], [conversation]);
  const found = await session.row<{ removed: number }>(
    "SELECT #remove_checkpoints($1, $2, $3, $4, $5, $6) AS removed",
    rowLevelSecurity,
    tenant,
    agent,
    conversation,
    checkpoints.map(({ space }) => writeText(space)),
    checkpoints.map(({ id }) => writeText(id)),
  );
  return found?.removed ?? 0;
}

/** Removes all checkpoints of some conversations. */
export async function removeThreads(
  session: Session,
  rowLevelSecurity: boolean,
  key: readonly [tenant: string, agent: string],
  conversations: readonly string[],
): Promise<number> {
  const found = await session.row<{ removed: number }>(
    "SELECT #remove_checkpoint_threads($1, $2, $3, $4) AS removed",
    rowLevelSecurity,
    ...key,
    conversations,
  );
  return found?.removed ?? 0;
}
