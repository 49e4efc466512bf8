import { dropSegments } from "../carry-over/segments.ts";
import type { Receipt } from "../contract/outcome.ts";
import { dropQuarantined } from "../extract/quarantine.ts";
import { dropQuotes, factsOf, factsOfApp } from "../facts/drop-quotes.ts";
import { eraseDerivedFacts } from "../facts/erase-derived-facts.ts";
import { dropLostFailures } from "../work/failures.ts";
import { dropFormer } from "./former-people.ts";
import { peopleOf } from "./people-of.ts";
import { type ConversationScope, eventScope, ownConversation } from "./scope.ts";

/**
 * Erases a conversation and, where asked, the durable facts that rest on it alone. Where not, they stay without the words
 * that they quote.
 */
export async function deleteConversation(scope: ConversationScope, derived: boolean): Promise<Receipt> {
  const { engine, ref, owner } = scope;
  const store = await engine.store();
  const { subject } = await ownConversation(scope);
  const people = await peopleOf(engine, owner, subject);
  const holders = factsOf(engine, people);
  let facts = 0;
  if (derived) for (const holder of holders) facts += await eraseDerivedFacts(engine, holder, { conversation: ref.id });
  const quoting = [...holders, factsOfApp(engine)];
  const kept = new Set<string>();
  /** What repeats its words elsewhere; what it brought to other conversations' prompts is its text, as its summary is. */
  const dropCopies = async (): Promise<void> => {
    for (const id of await dropQuotes(engine, quoting, { conversation: ref.id })) kept.add(id);
    if (subject !== undefined) await dropSegments(engine, subject, { conversation: ref.id });
    for (const person of people) await dropQuarantined(engine, ref.id, person);
  };
  await dropCopies();
  await dropFormer(engine, ref.id);
  const target = { kind: "conversation", conversation: ref.id } as const;
  const receipt = await store.erase(engine.owner, target, { now: engine.moments.erase() });
  // And after it: what was under way may have brought it back.
  await dropCopies();
  await dropLostFailures(engine);
  if (facts > 0) receipt.removed.facts = (receipt.removed.facts ?? 0) + facts;
  if (kept.size > 0) receipt.kept = { facts: kept.size };
  engine.emit({
    type: "memory.erased",
    ...eventScope(scope),
    removed: receipt.removed,
    residue: receipt.residue.length,
  });
  return receipt;
}
