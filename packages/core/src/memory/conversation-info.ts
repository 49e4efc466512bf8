import type { ConversationInfo } from "../contract/memory.ts";
import type { ConversationRow } from "../contract/store-rows.ts";

/** What the app is told of a conversation as such. */
export const conversationInfo = (row: ConversationRow): ConversationInfo => ({
  id: row.id,
  createdAt: row.createdAt,
  updatedAt: row.updatedAt,
  turns: row.turns,
  messages: row.messages,
  version: row.version,
  ...(row.subject === undefined ? {} : { subject: row.subject }),
  ...(row.title === undefined ? {} : { title: row.title }),
  ...(row.metadata === undefined ? {} : { metadata: row.metadata }),
});
