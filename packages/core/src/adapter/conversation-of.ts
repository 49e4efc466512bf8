import type { Conversation, ConversationRef } from "../contract/conversation.ts";
import type { Memory } from "../contract/memory.ts";
import { MemoryError } from "../errors/memory-error.ts";
import { inMemoryOf } from "./in-memory-of.ts";

/** A memory, which conversation of it a {@link Scope} or the run's context says; or one conversation. */
export type MemorySource = Memory | Conversation;

/** Which conversation: named, or found in what the app hands to a run as its context. */
export type Scope<Context = unknown> =
  | ConversationRef
  | Conversation
  | ((context: Context) => ConversationRef | Conversation);

const isConversation = (value: unknown): value is Conversation =>
  typeof (value as Partial<Conversation> | null)?.begin === "function";

const isRef = (value: unknown): value is ConversationRef =>
  typeof (value as Partial<ConversationRef> | null)?.id === "string";

/**
 * For adapters: the conversation that a run is about: the one given, else what the scope says, else `conversation` in the
 * run's context. Nothing is made up, and nothing comes from the model. Throws `INVALID_ARGUMENT` where nothing says it.
 */
export function conversationOf<Context>(
  source: MemorySource,
  scope: Scope<Context> | undefined,
  context: Context | undefined,
): Conversation {
  if (isConversation(source)) return source;
  const needsContext = typeof scope === "function" && context === undefined;
  // A function is asked only where there is something to ask it about.
  const named = typeof scope === "function" ? (needsContext ? undefined : scope(context as Context)) : scope;
  const given = named ?? (context as { conversation?: unknown } | undefined)?.conversation;
  if (isConversation(given)) return inMemoryOf(source, given);
  if (isRef(given)) return source.conversation(given);
  throw new MemoryError(
    "INVALID_ARGUMENT",
    "Which conversation isn't said: give a scope ({ id, subject }), or run with a context that has `conversation: { id, subject }`.",
  );
}
