import type { ConversationScope } from "../conversation/scope.ts";
import { callOf } from "../memory/call-options.ts";
import { degradingRead } from "../memory/resilience.ts";
import { type CarriedSegment, carriedAt, carriesOver, readSegments } from "./segments.ts";

/**
 * What is carried over to a conversation: what its subject's other conversations of the login had brought when it began, so
 * that it is the same at every turn. Nothing without a subject, a login that the app names, or a summarizer.
 */
export async function readCarryOver(
  scope: ConversationScope,
  signal: AbortSignal | undefined,
): Promise<CarriedSegment[]> {
  const { engine, owner, ref } = scope;
  const { login } = ref;
  if (login === undefined || !carriesOver(engine)) return [];
  const read = async (): Promise<CarriedSegment[]> => {
    const store = await engine.store();
    const call = callOf(signal);
    // Before anything that may be written meanwhile.
    const now = engine.now();
    const [row, named, [first]] = await Promise.all([
      store.readConversation(owner, call),
      ref.subject === undefined ? undefined : store.resolveSubject(engine.owner, ref.subject, call),
      store.readTurns(owner, { limit: 1, hidden: true }, call),
    ]);
    const subject = named ?? row?.subject;
    if (subject === undefined) return [];
    const began = first?.startedAt ?? row?.createdAt ?? now;
    return carriedAt(await readSegments(engine, subject, { login, ...call }), ref.id, began);
  };
  return degradingRead(engine, "carry-over", read, []);
}
