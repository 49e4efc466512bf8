import type { RequestContext } from "@mastra/core/request-context";
import {
  type Conversation,
  type ConversationRef,
  conversationRef,
  inMemoryOf,
  MemoryError,
  type MemorySource,
} from "@throughline/core";

export type { MemorySource } from "@throughline/core";

/** What a run says of who is there. */
export interface RunIdentity {
  readonly requestContext: RequestContext | undefined;
  /** The run's `memory: { thread, resource }`, or what a server put in their place. */
  readonly threadId: string | undefined;
  /** The same's resource: the subject, unless something else says whose run it is. */
  readonly resourceId: string | undefined;
}

/** Tells which conversation a run is. What it leaves out comes from the run's context and ids. */
export type Identify = (run: RunIdentity) => Partial<ConversationRef> | undefined;

const isConversation = (value: unknown): value is Conversation =>
  typeof (value as Partial<Conversation> | null)?.begin === "function";

const isObject = (value: unknown): value is object => typeof value === "object" && value !== null;

/**
 * The conversation of a run: what `identify` says, else the request context (`conversation`, `subject` or `userId`,
 * `login`), else thread and resource. Throws `INVALID_ARGUMENT` where nothing names a conversation.
 */
export function identifyConversation(
  source: MemorySource,
  run: RunIdentity,
  identify: Identify | undefined,
  isThreadBound: boolean,
): Conversation {
  if (isConversation(source)) return source;
  const { requestContext, threadId, resourceId } = run;
  const own = identify?.(run) ?? {};
  // Where Mastra knows the thread's owner, and has checked it, nothing else may name another one.
  const context = isThreadBound ? undefined : requestContext;
  const named: unknown = context?.get("conversation");
  if (own.id === undefined && isConversation(named)) return inMemoryOf(source, named);
  const ref: { [Member in keyof ConversationRef]?: unknown } = isObject(named) ? named : { id: named };
  const found = conversationRef({
    id: [own.id, ref.id, threadId],
    subject: [own.subject, ref.subject, context?.get("subject"), context?.get("userId"), resourceId],
    login: [own.login, ref.login, context?.get("login")],
  });
  if (found === null) {
    throw new MemoryError(
      "INVALID_ARGUMENT",
      "The run names no conversation: call the agent with { memory: { thread, resource } }, or with a request context that has `conversation`.",
    );
  }
  return source.conversation(found);
}
