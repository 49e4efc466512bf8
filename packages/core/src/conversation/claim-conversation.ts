import type { CallOptions } from "../contract/memory-store.ts";
import { MemoryError } from "../errors/memory-error.ts";
import { CONFLICT_TRIES } from "../facts/fact-access.ts";
import type { FactContext } from "../facts/fact-owner.ts";
import { type ConversationScope, ownConversation } from "./scope.ts";

/** Facts of no owner are at this version: a commit that expects it writes nothing, and tells what was erased. */
const NO_VERSION = -1;

/**
 * Whose a fact is that is written for this conversation itself. A conversation of nobody becomes the named subject's
 * first, as with a turn: its facts don't name whom they are about, so that it has to. Throws
 * `CONVERSATION_OWNER_MISMATCH` where it is another subject's. What was erased since `beganAt` isn't made anew.
 */
export async function claimConversation(
  scope: ConversationScope,
  beganAt: string | undefined,
  options: CallOptions,
): Promise<FactContext> {
  const { engine, owner, ref } = scope;
  const store = await engine.store();
  for (let attempt = 0; attempt < CONFLICT_TRIES; attempt++) {
    const { row, subject } = await ownConversation(scope, options);
    const context = { ...owner, subject };
    if (ref.subject === undefined || subject === undefined || row?.subject !== undefined) return context;
    if (beganAt !== undefined && (await isErasedSince(scope, { subject, beganAt }, options))) return context;
    const change = { now: engine.now(), create: true, subject, ifVersion: row?.version ?? 0 };
    if ((await store.changeConversation(owner, change, options)).status === "changed") return context;
  }
  throw new MemoryError("STORE_BUSY", `The conversation "${owner.conversation}" changes too fast; try again.`);
}

/** Whether the conversation or the subject was erased since: the fact is refused then as it is written. */
async function isErasedSince(
  { engine, owner }: ConversationScope,
  since: { subject: string; beganAt: string },
  options: CallOptions,
): Promise<boolean> {
  const { tenant, agent, conversation: id } = owner;
  const store = await engine.store();
  const commit = { expectedVersion: NO_VERSION, now: engine.now(), put: [], ...since };
  return (await store.commitFacts({ tenant, agent, scope: "conversation", id }, commit, options)).status === "erased";
}
