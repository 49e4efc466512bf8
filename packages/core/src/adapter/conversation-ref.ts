import type { ConversationRef } from "../contract/conversation.ts";
import { MemoryError } from "../errors/memory-error.ts";

/** Where a conversation may be named, for each member what counts first. What isn't a text, or is empty, names nothing. */
export type NamedBy = { readonly [Member in keyof ConversationRef]-?: readonly unknown[] };

/**
 * For adapters: the conversation that a run's own values name; `null` where nothing names one. Throws `INVALID_ID` for a
 * number before the first text.
 */
export function conversationRef({ id: ids, subject: subjects, login: logins }: NamedBy): ConversationRef | null {
  const id = firstText("conversation id", ids);
  const subject = firstText("subject id", subjects);
  const login = firstText("login id", logins);
  if (id === undefined) return null;
  return { id, ...(subject === undefined ? {} : { subject }), ...(login === undefined ? {} : { login }) };
}

function firstText(what: string, values: readonly unknown[]): string | undefined {
  for (const value of values) {
    if (typeof value === "string" && value !== "") return value;
    // A number is somebody: the next best name would be somebody else's.
    if (typeof value === "number" || typeof value === "bigint") {
      throw new MemoryError("INVALID_ID", `The ${what} is a ${typeof value}, and ids are texts: give String(id).`, {
        details: { what },
      });
    }
  }
  return undefined;
}
