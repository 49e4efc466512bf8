import type { Conversation, ConversationRef } from "../contract/conversation.ts";
import type { FactScope } from "../contract/fact.ts";
import type { CallOptions } from "../contract/memory-store.ts";
import type { ConversationOwner } from "../contract/owner.ts";
import type { ConversationRow } from "../contract/store-rows.ts";
import { MemoryError } from "../errors/memory-error.ts";
import type { FactContext } from "../facts/fact-owner.ts";
import type { Engine } from "../memory/engine.ts";
import type { SearchScope } from "../search/read-together.ts";
import type { TurnInFlight } from "./open-turns.ts";

/** What the parts of one conversation handle share. */
export interface ConversationScope {
  readonly engine: Engine;
  readonly owner: ConversationOwner;
  /** `subject` changes with `rebindSubject` only. */
  readonly ref: ConversationRef;
  /** The turn this handle is bound to; facts written through it name the turn. */
  readonly current: TurnInFlight | null;
  /** The handle of this conversation that is bound to a turn. */
  bind(turn: TurnInFlight | null): Conversation;
}

/** Which conversation an event is about, and whose, as the app named them. */
export const eventScope = ({ owner, ref }: ConversationScope) => ({
  conversation: owner.conversation,
  ...(ref.subject === undefined ? {} : { subject: ref.subject }),
});

/**
 * Throws `CONVERSATION_OWNER_MISMATCH` where the conversation is bound to another subject than the one the app named.
 * `subject` is the named one with identities resolved.
 */
export function checkOwner(scope: ConversationScope, row: ConversationRow | null, subject: string | undefined): void {
  const { id } = scope.ref;
  if (scope.ref.subject !== undefined && row?.subject !== undefined && row.subject !== subject) {
    throw new MemoryError(
      "CONVERSATION_OWNER_MISMATCH",
      `The conversation "${id}" belongs to another subject than the one named; use another conversation id, or rebind it.`,
      { details: { conversation: id } },
    );
  }
}

/** Reads the conversation and checks that it is the named subject's; `null` where nothing was recorded yet. */
export async function ownConversation(
  scope: ConversationScope,
  options: CallOptions = {},
): Promise<{ row: ConversationRow | null; subject: string | undefined }> {
  const { engine, owner, ref } = scope;
  const store = await engine.store();
  const [row, named] = await Promise.all([
    store.readConversation(owner, options),
    ref.subject === undefined ? undefined : store.resolveSubject(engine.owner, ref.subject, options),
  ]);
  checkOwner(scope, row, named);
  return { row, subject: named ?? row?.subject };
}

/** The same for calls that need the row alone: what the name stands for is asked only where the row has another one. */
export async function ownRow(scope: ConversationScope, options: CallOptions = {}): Promise<ConversationRow | null> {
  const { engine, owner, ref } = scope;
  const store = await engine.store();
  const row = await store.readConversation(owner, options);
  if (ref.subject !== undefined && row?.subject !== undefined && row.subject !== ref.subject) {
    checkOwner(scope, row, await store.resolveSubject(engine.owner, ref.subject, options));
  }
  return row;
}

/** The subject: the one the app named, identities resolved, else the one the conversation is bound to. */
export async function resolveSubject(scope: ConversationScope, options: CallOptions = {}): Promise<string | undefined> {
  const { engine, owner, ref } = scope;
  const store = await engine.store();
  return ref.subject === undefined
    ? (await store.readConversation(owner, options))?.subject
    : store.resolveSubject(engine.owner, ref.subject, options);
}

/**
 * What a search in this conversation goes through: all that its subject said, or this conversation of nobody. `row` is the
 * conversation's, where it is read anyway.
 */
export async function searchScope(
  scope: ConversationScope,
  options: CallOptions = {},
  row?: ConversationRow | null | Promise<ConversationRow | null>,
): Promise<SearchScope> {
  const { owner, ref } = scope;
  if (ref.subject !== undefined) return { kind: "named", subject: ref.subject };
  const subject = row === undefined ? await resolveSubject(scope, options) : (await row)?.subject;
  return subject === undefined
    ? { kind: "conversation", conversation: owner.conversation }
    : { kind: "subject", subject };
}

/**
 * Whose facts this conversation reads and writes under a fact scope, or under all of them. Where the conversation's own
 * are among them it is checked in the same trip: throws `CONVERSATION_OWNER_MISMATCH` where it is another subject's.
 */
export async function factContext(
  scope: ConversationScope,
  within: FactScope | undefined,
  options: CallOptions = {},
): Promise<FactContext> {
  const isOwn = within === undefined || within === "conversation";
  const subject = isOwn ? (await ownConversation(scope, options)).subject : await resolveSubject(scope, options);
  return { ...scope.owner, subject };
}
