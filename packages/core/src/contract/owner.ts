import type { FactScope } from "./fact.ts";

/** The outermost boundary and the agent whose memory this is. Nothing crosses either. */
export interface AgentOwner {
  readonly tenant: string;
  readonly agent: string;
}

/** One conversation of an agent. Its subject is bound in the store, not in the owner. */
export interface ConversationOwner extends AgentOwner {
  readonly conversation: string;
}

/** One subject of an agent. */
export interface SubjectOwner extends AgentOwner {
  readonly subject: string;
}

/**
 * Whose facts: `user` and `global` are owned by a subject, `conversation` by a conversation, `app` by the agent.
 * `global` facts have no agent: every agent of the tenant reads the same row.
 */
export interface FactOwner {
  readonly tenant: string;
  /** `null` for `global`. */
  readonly agent: string | null;
  readonly scope: FactScope;
  /** The subject's id, the conversation's id, or the empty string for `app`. */
  readonly id: string;
}
