import type { ConversationRef } from "../contract/conversation.ts";
import type { CallOptions } from "../contract/memory-store.ts";
import type { ConversationOwner } from "../contract/owner.ts";
import type { ConversationRow } from "../contract/store-rows.ts";
import { MemoryError } from "../errors/memory-error.ts";
import type { FactContext } from "../facts/fact-owner.ts";
import type { Engine } from "../memory/engine.ts";

/** What the parts of one conversation handle share. */
export interface ConversationScope {
  readonly engine: Engine;
  readonly owner: ConversationOwner;
  readonly ref: Readonly<ConversationRef>;
  /** The turn under way in this handle; facts written meanwhile name it. */
  current: { id: string; startedAt: string; userText: () => string } | null;
}

/** Throws `CONVERSATION_OWNER_MISMATCH` where the conversation is bound to another subject than the app named. */
export function checkOwner(scope: ConversationScope, row: ConversationRow | null): void {
  const { subject, id } = scope.ref;
  if (subject !== undefined && row?.subject !== undefined && row.subject !== subject) {
    throw new MemoryError(
      "CONVERSATION_OWNER_MISMATCH",
      `The conversation "${id}" belongs to another subject than the one named; use another conversation id, or rebind it.`,
      { details: { conversation: id } },
    );
  }
}

/** The subject: the one the app named, else the one the conversation is bound to. */
export async function resolveSubject(scope: ConversationScope, options: CallOptions = {}): Promise<string | undefined> {
  if (scope.ref.subject !== undefined) return scope.ref.subject;
  const store = await scope.engine.store();
  return (await store.readConversation(scope.owner, options))?.subject;
}

/** Whose facts this conversation reads and writes. */
export async function factContext(scope: ConversationScope, options: CallOptions = {}): Promise<FactContext> {
  return { ...scope.owner, subject: await resolveSubject(scope, options) };
}
