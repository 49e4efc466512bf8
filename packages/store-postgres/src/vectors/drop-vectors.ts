import type { ConversationOwner, VectorSelection } from "@throughline/core";
import { keyOf } from "../conversation-rows.ts";
import type { Session } from "../session.ts";
import { writeText } from "../text.ts";
import { modelNumber } from "./vector-model.ts";

// What isn't named is NULL, and names nothing.
const SELECTED = `tenant = $1 AND agent = $2 AND conversation = $3 AND (turn = ANY ($4::text[])
  OR message = ANY ($5::text[]) OR created_at < $6 OR model <> $7::bigint)`;

/** Removes vectors of a conversation, or counts those that would go; how many. */
export async function dropVectors(
  session: Session,
  owner: ConversationOwner,
  { turns, messages, createdBefore, otherThan }: VectorSelection,
  isDryRun: boolean,
): Promise<number> {
  const parameters = [
    ...keyOf(owner),
    turns?.map(writeText) ?? null,
    messages?.map(writeText) ?? null,
    createdBefore ?? null,
    otherThan === undefined ? null : modelNumber(otherThan),
  ];
  const statement = isDryRun ? "SELECT 1 FROM #vector WHERE" : "DELETE FROM #vector WHERE";
  return session.count(`${statement} ${SELECTED}${isDryRun ? "" : " RETURNING 1"}`, ...parameters);
}
