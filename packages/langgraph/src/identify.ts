import {
  type Conversation,
  type ConversationRef,
  conversationRef,
  MemoryError,
  type MemorySource,
} from "@throughline/core";

export type { MemorySource } from "@throughline/core";

/** What a run's config says of who is there. */
export interface RunIdentity {
  /** The run's `context`. */
  readonly context: { readonly [key: string]: unknown };
  /** The run's `configurable`, with `thread_id`. */
  readonly configurable: { readonly [key: string]: unknown };
}

/** Tells from a run's config which conversation it is. What it leaves out comes from the run's context and ids. */
export type Identify = (run: RunIdentity) => Partial<ConversationRef> | undefined;

export const membersOf = (value: unknown): { readonly [key: string]: unknown } =>
  // Any object's members can be looked at.
  typeof value === "object" && value !== null ? (value as { [key: string]: unknown }) : {};

/** What a run's config says of who is there. */
export function identityOf(config: { context?: unknown; configurable?: unknown }): RunIdentity {
  return { context: membersOf(config.context), configurable: membersOf(config.configurable) };
}

/**
 * The conversation of a run: what `identify` says, else `context` (`conversation`, `subject` or `userId`, `login`), else
 * `configurable` (`thread_id`, `user_id`). Throws `INVALID_ARGUMENT` where nothing names a conversation.
 */
export function identifyConversation(source: MemorySource, run: RunIdentity, identify?: Identify): Conversation {
  if (isConversation(source)) return source;
  const ref = refOf(run, identify);
  if (ref === null) {
    throw new MemoryError(
      "INVALID_ARGUMENT",
      "The run names no conversation: give it { configurable: { thread_id } }, or the memory an identify function.",
    );
  }
  return source.conversation(ref);
}

/** {@link identifyConversation} without a memory; `null` where nothing names a conversation. */
export function refOf({ context, configurable }: RunIdentity, identify?: Identify): ConversationRef | null {
  const own = identify?.({ context, configurable }) ?? {};
  return conversationRef({
    id: [own.id, context.conversation, configurable.thread_id],
    subject: [own.subject, context.subject, context.userId, configurable.subject, configurable.user_id],
    login: [own.login, context.login, configurable.login],
  });
}

const isConversation = (source: MemorySource): source is Conversation => "begin" in source;
