import type { Fact } from "../contract/fact.ts";
import type { Outcome } from "../contract/outcome.ts";
import { isNegated, meaningOf, sharedTerms } from "../text/words.ts";
import { saysChange } from "./change-words.ts";
import { sameValue, saysSomething } from "./comparable.ts";
import { decideFact } from "./decide-fact.ts";
import { isChangeOf, statementOf, wordWeights } from "./later-word.ts";
import { authority, isLive, supersededBy } from "./settle-slots.ts";

/** A fact that was drawn from what was said, and what it is to the facts that are known. */
export interface Claim {
  fact: Fact;
  /** When it was said, ISO 8601: often long before it is drawn. */
  saidAt: string;
  /** Id of the known fact that it takes the place of. */
  updates?: string | undefined;
  /** Id of the known fact that it contradicts. */
  contradicts?: string | undefined;
}

/**
 * What a claim of a distiller does to the live facts of its owner. One that is known already, under another name or in
 * slightly other words, is merged; an update without a key supersedes the fact it names where its origin is as high;
 * one that says anew what one known fact without a key says, with another quantity, takes its place;
 * a contradiction without a key stands beside it, disputed. What was said before a person or the operator wrote the fact it
 * would take the place of is history at once. Pure.
 */
export function decideClaim(live: readonly Fact[], claim: Claim): { put: Fact[]; outcome: Outcome } {
  const { fact } = claim;
  const updated = live.find(({ id }) => id === claim.updates);
  // An update of a slot goes into that slot, whatever the distiller calls it.
  if (updated?.key !== undefined) return decideSlot(live, { ...fact, key: updated.key }, claim.saidAt);
  if (fact.key !== undefined) {
    const noted = live.find((other) => other.key !== fact.key && isSameNote(other, fact));
    return noted === undefined ? decideSlot(live, fact, claim.saidAt) : said(noted, fact);
  }
  const twin = live.find((other) => isSameNote(other, fact) || isNearTwin(other, fact));
  if (twin !== undefined) return said(twin, fact);
  const changed = updated === undefined && claim.contradicts === undefined ? changedBy(live, fact) : undefined;
  if (changed !== undefined)
    return isOutdated(fact, claim.saidAt, changed) ? outdated(fact, changed) : inPlaceOf(changed, fact);
  const other = updated ?? live.find(({ id }) => id === claim.contradicts) ?? live.find((each) => isDenial(each, fact));
  if (other === undefined) return decideFact(live, fact, { cap: null });
  if (other === updated && isOutdated(fact, claim.saidAt, other)) return outdated(fact, other);
  if (other === updated && authority(fact) >= authority(other)) {
    return inPlaceOf(other, fact);
  }
  return { put: [{ ...fact, disputedWith: other.id }], outcome: { status: "stored", id: fact.id } };
}

/** The one known fact without a key, of no higher origin, that a claim says anew; none where it could be several. */
function changedBy(live: readonly Fact[], fact: Fact): Fact | undefined {
  const later = statementOf(fact);
  if (later === null || !saysChange(later)) return undefined;
  const weigh = wordWeights(live);
  const changed = live.filter((known) => {
    const isSlotless = known.key === undefined && known.disputedWith === undefined;
    if (!isSlotless || authority(known) > authority(fact) || !isOneTopic(known, fact)) return false;
    const earlier = statementOf(known);
    return earlier !== null && isChangeOf(earlier, later, weigh);
  });
  return changed.length === 1 ? changed[0] : undefined;
}

const inPlaceOf = (known: Fact, fact: Fact): { put: Fact[]; outcome: Outcome } => ({
  put: [supersededBy(known, fact, fact.validFrom), fact],
  outcome: { status: "superseded", id: fact.id },
});

function decideSlot(live: readonly Fact[], fact: Fact, saidAt: string): { put: Fact[]; outcome: Outcome } {
  const holder = live.find(({ key, disputedWith }) => key === fact.key && disputedWith === undefined);
  if (holder !== undefined && isOutdated(fact, saidAt, holder)) return outdated(fact, holder);
  return decideFact(live, fact, { cap: null });
}

/**
 * Said before what is known was written by hand. For another distillate it isn't known when its words were said; one of
 * lower origin is disputed, whenever it was said.
 */
const isOutdated = (fact: Fact, saidAt: string, known: Fact): boolean =>
  (known.author === "user" || known.author === "operator") &&
  saidAt < known.createdAt &&
  isLive(known, fact.updatedAt) &&
  authority(fact) >= authority(known) &&
  !sameValue(known.value, fact.value);

const outdated = (fact: Fact, known: Fact): { put: Fact[]; outcome: Outcome } => ({
  put: [supersededBy(fact, known, fact.validFrom)],
  outcome: { status: "unchanged", id: known.id },
});

/** The agent's own tool noted the same in the same turn, or it is known by another key. */
const isSameNote = (known: Fact, fact: Fact): boolean =>
  saysSomething(fact.value) &&
  sameValue(known.value, fact.value) &&
  (known.key === undefined ||
    fact.key === undefined ||
    (fact.source !== undefined && known.author === "agent" && known.source?.turn === fact.source.turn));

const textOf = ({ value }: Fact): string => (typeof value === "string" ? value : "");

/** The same words in another order or form, without a key: one thing said twice. */
function isNearTwin(known: Fact, fact: Fact): boolean {
  const [a, b] = [textOf(known), textOf(fact)];
  if (known.key !== undefined || a === "" || b === "" || !isOneTopic(known, fact)) return false;
  const [terms, others] = [meaningOf(a), meaningOf(b)];
  if (terms.length === 0 || isNegated(a) !== isNegated(b)) return false;
  return sharedTerms(terms, others) === terms.length && sharedTerms(others, terms) === others.length;
}

/** The same words under one topic, denied by one of the two. */
function isDenial(known: Fact, fact: Fact): boolean {
  const [a, b] = [textOf(known), textOf(fact)];
  if (known.key !== undefined || a === "" || b === "" || known.topic === undefined || known.topic !== fact.topic) {
    return false;
  }
  const without = (text: string): string[] => meaningOf(text).filter((term) => !isNegated(term));
  const [terms, others] = [without(a), without(b)];
  if (terms.length === 0 || isNegated(a) === isNegated(b)) return false;
  return sharedTerms(terms, others) === terms.length && sharedTerms(others, terms) === others.length;
}

const isOneTopic = (a: Fact, b: Fact): boolean =>
  a.topic === undefined || b.topic === undefined || a.topic.toLowerCase() === b.topic.toLowerCase();

/** A live fact said again. */
function said(known: Fact, fact: Fact): { put: Fact[]; outcome: Outcome } {
  const { key: _key, topic: _topic, ...claim } = fact;
  const again: Fact = {
    ...claim,
    value: known.value,
    ...(known.key === undefined ? {} : { key: known.key }),
    ...(known.topic === undefined ? {} : { topic: known.topic }),
  };
  // A disputed fact said again settles nothing: it stays as it is.
  if (known.disputedWith !== undefined && known.key === undefined) {
    return { put: [], outcome: { status: "merged", id: known.id } };
  }
  const { put } = decideFact([known], again, { cap: null });
  return { put, outcome: { status: known.key === undefined ? "merged" : "unchanged", id: known.id } };
}
