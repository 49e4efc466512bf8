import type { Conversation } from "../contract/conversation.ts";
import type { MemorySource } from "./conversation-of.ts";

/**
 * For adapters: what a run has found as its conversation, for a part of the app that goes by its own memory. The same one
 * where that memory is the conversation's, else the conversation of the same name in that memory: tools of one agent's
 * memory never write to another's.
 */
export function inMemoryOf(source: MemorySource, found: Conversation): Conversation {
  if (source.agent === found.agent && source.tenant === found.tenant) return found;
  if ("begin" in source) return source;
  return source.conversation({ id: found.id, ...(found.subject === undefined ? {} : { subject: found.subject }) });
}
