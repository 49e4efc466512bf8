import { type Conversation, type ConversationRef, type Memory, MemoryError } from "@throughline/core";

/** What a run's config says of who is there. */
export interface RunIdentity {
  /** The run's `context`. */
  readonly context: { readonly [key: string]: unknown };
  /** The run's `configurable`, with `thread_id`. */
  readonly configurable: { readonly [key: string]: unknown };
}

/** Whose memory a run reaches: one conversation, or a memory that finds it by the run's identity. */
export type MemorySource = Memory | Conversation;

/** Tells from a run's config which conversation it is. What it leaves out comes from the run's context and ids. */
export type Identify = (run: RunIdentity) => Partial<ConversationRef> | undefined;

export const membersOf = (value: unknown): { readonly [key: string]: unknown } =>
  // Any object's members can be looked at.
  typeof value === "object" && value !== null ? (value as { [key: string]: unknown }) : {};

/** What a run's config says of who is there. */
export function identityOf(config: { context?: unknown; configurable?: unknown }): RunIdentity {
  return { context: membersOf(config.context), configurable: membersOf(config.configurable) };
}

const firstText = (...values: unknown[]): string | undefined =>
  values.find((value): value is string => typeof value === "string" && value !== "");

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
  const id = firstText(own.id, context.conversation, configurable.thread_id);
  if (id === undefined) return null;
  const subject = firstText(own.subject, context.subject, context.userId, configurable.subject, configurable.user_id);
  const login = firstText(own.login, context.login, configurable.login);
  return {
    id,
    ...(subject === undefined ? {} : { subject }),
    ...(login === undefined ? {} : { login }),
  };
}

const isConversation = (source: MemorySource): source is Conversation => "begin" in source;
