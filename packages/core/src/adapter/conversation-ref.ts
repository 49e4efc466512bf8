import type { ConversationRef } from "../contract/conversation.ts";

/** Where a conversation may be named, for each member what counts first. What isn't a text, or is empty, names nothing. */
export type NamedBy = { readonly [Member in keyof ConversationRef]-?: readonly unknown[] };

/** For adapters: the conversation that a run's own values name; `null` where nothing names one. */
export function conversationRef({ id: ids, subject: subjects, login: logins }: NamedBy): ConversationRef | null {
  const [id, subject, login] = [ids, subjects, logins].map(firstText);
  if (id === undefined) return null;
  return { id, ...(subject === undefined ? {} : { subject }), ...(login === undefined ? {} : { login }) };
}

const firstText = (values: readonly unknown[]): string | undefined =>
  values.find((value): value is string => typeof value === "string" && value !== "");
