import { dropSegments } from "../carry-over/segments.ts";
import type { Receipt } from "../contract/outcome.ts";
import { dropQuarantined } from "../extract/quarantine.ts";
import { eraseDerivedFacts } from "../facts/erase-derived-facts.ts";
import { factOwner } from "../facts/fact-owner.ts";
import { dropLostFailures } from "../work/failures.ts";
import { allTurns } from "./all-turns.ts";
import { type ConversationScope, eventScope, ownConversation } from "./scope.ts";

/** Erases a conversation and, where asked, the durable facts that rest on it alone. */
export async function deleteConversation(scope: ConversationScope, derived: boolean): Promise<Receipt> {
  const { engine, ref } = scope;
  const store = await engine.store();
  const { subject } = await ownConversation(scope);
  let facts = 0;
  if (derived && subject !== undefined) {
    for (const kind of ["user", "global"] as const) {
      const holder = factOwner({ ...engine.owner, subject }, kind);
      if (holder) facts += await eraseDerivedFacts(engine, holder, { conversation: ref.id });
    }
  }
  // What it brought to other conversations' prompts is its text, as its summary is.
  if (subject !== undefined) await dropSegments(engine, subject, { conversation: ref.id });
  for (const person of await peopleOf(scope, subject)) await dropQuarantined(engine, ref.id, person);
  const target = { kind: "conversation", conversation: ref.id } as const;
  const receipt = await store.erase(engine.owner, target, { now: engine.moments.erase() });
  // And after it: what was under way may have brought it back.
  if (subject !== undefined) await dropSegments(engine, subject, { conversation: ref.id });
  await dropLostFailures(engine);
  if (facts > 0) receipt.removed.facts = (receipt.removed.facts ?? 0) + facts;
  engine.emit({
    type: "memory.erased",
    ...eventScope(scope),
    removed: receipt.removed,
    residue: receipt.residue.length,
  });
  return receipt;
}

/** Whom the conversation is bound to, and whose turns are in it. */
async function peopleOf(
  { engine, owner }: ConversationScope,
  subject: string | undefined,
): Promise<Set<string | undefined>> {
  const people = new Set([subject]);
  for await (const turn of allTurns(engine, owner, { hidden: true })) people.add(turn.subject);
  return people;
}
