import { type Conversation, type Memory, MemoryError } from "@throughline/core";

/**
 * Whose memory a connection reaches. Said by the app as a server starts, or by the authenticated session; nothing that a
 * client sends as an argument can name another one. At least one of `subject` and `conversation` must be there.
 */
export interface McpIdentity {
  /** The person the memory is of. */
  subject?: string | undefined;
  /**
   * The one conversation that is going on. Without it nothing can be remembered "in this conversation only", and the
   * tools for artifacts, which are a conversation's, are left out.
   */
  conversation?: string | undefined;
  /** The subject's login session, for what is carried over between conversations. */
  login?: string | undefined;
}

/** An identity made into handles. */
export interface Reach {
  readonly memory: Memory;
  readonly conversation: Conversation;
  readonly subject: string | undefined;
  /** The app named the conversation. Otherwise it is one that nothing is ever written to. */
  readonly isNamed: boolean;
}

/** The handles of an identity. Reads nothing. Throws `INVALID_ARGUMENT` where it names nobody, and `INVALID_ID`. */
export function reachOf(memory: Memory, identity: McpIdentity): Reach {
  const { subject, conversation, login } = identity;
  if (subject === undefined && conversation === undefined) {
    throw new MemoryError(
      "INVALID_ARGUMENT",
      "Whose memory this is isn't said: give the MCP server a subject, a conversation or both.",
    );
  }
  if (subject !== undefined) memory.subject(subject);
  const ref = {
    id: conversation ?? `mcp-${crypto.randomUUID()}`,
    ...(subject === undefined ? {} : { subject }),
    ...(login === undefined ? {} : { login }),
  };
  return { memory, conversation: memory.conversation(ref), subject, isNamed: conversation !== undefined };
}
