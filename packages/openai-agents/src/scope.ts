import type { RunContext } from "@openai/agents";
import { type Conversation, type ConversationRef, type Memory, MemoryError } from "@throughline/core";

/** A memory, which conversation of it the run's context or a {@link Scope} says; or one conversation. */
export type MemorySource = Memory | Conversation;

/** Which conversation: named, or found in the run's own context (the `context` that was given to `run`). */
export type Scope<Context = unknown> =
  | ConversationRef
  | Conversation
  | ((context: Context) => ConversationRef | Conversation);

const isConversation = (value: unknown): value is Conversation =>
  typeof (value as Partial<Conversation> | null)?.begin === "function";

const isRef = (value: unknown): value is ConversationRef =>
  typeof (value as Partial<ConversationRef> | null)?.id === "string";

/**
 * The conversation that a call is about: the one given, else what the scope says, else `conversation` in the run's
 * context. Nothing is made up, and nothing comes from the model.
 */
export function conversationOf<Context>(
  source: MemorySource,
  scope: Scope<Context> | undefined,
  runContext: RunContext<Context> | undefined,
): Conversation {
  if (isConversation(source)) return source;
  const named = typeof scope === "function" ? scope(contextOf(runContext)) : scope;
  const given = named ?? (runContext?.context as { conversation?: unknown } | undefined)?.conversation;
  if (isConversation(given)) return given;
  if (isRef(given)) return source.conversation(given);
  throw new MemoryError(
    "INVALID_ARGUMENT",
    "Which conversation isn't said: give a scope ({ id, subject }), or run with a context that has `conversation: { id, subject }`.",
  );
}

function contextOf<Context>(runContext: RunContext<Context> | undefined): Context {
  if (runContext !== undefined) return runContext.context;
  throw new MemoryError(
    "INVALID_ARGUMENT",
    "The conversation is found in a run's context, and this call has none: hand the RunContext over.",
  );
}
