import type { Fact } from "../contract/fact.ts";
import type { ConversationOwner, FactOwner } from "../contract/owner.ts";
import type { FactQuery } from "../contract/store-facts.ts";

/** True where the query asks for this fact; its `limit` aside. Pure. */
export const matchesFactQuery = (fact: Fact, query: FactQuery): boolean =>
  isAsked(fact, query) && isCurrent(fact, query);

function isAsked(fact: Fact, query: FactQuery): boolean {
  const { ids, keys, type, tags } = query;
  if (ids !== undefined && !ids.includes(fact.id)) return false;
  if (keys !== undefined && (fact.key === undefined || !keys.includes(fact.key))) return false;
  if (type !== undefined && fact.type !== type) return false;
  return tags === undefined || tags.some((tag) => fact.tags.includes(tag));
}

function isCurrent(fact: Fact, query: FactQuery): boolean {
  if (query.asOf !== undefined) {
    return fact.validFrom <= query.asOf && endsAfter(fact.validTo, query.asOf) && endsAfter(fact.expiresAt, query.asOf);
  }
  return query.history === true || (fact.validTo === undefined && endsAfter(fact.expiresAt, query.now));
}

function endsAfter(end: string | undefined, moment: string): boolean {
  return end === undefined || end > moment;
}

/** Whose facts a conversation's turn begins with, in the order in which `readContext` answers them. Pure. */
export function contextFactOwners(owner: ConversationOwner, subject: string | undefined): FactOwner[] {
  const { tenant, agent, conversation } = owner;
  const ofConversation: FactOwner = { tenant, agent, scope: "conversation", id: conversation };
  const ofApp: FactOwner = { tenant, agent, scope: "app", id: "" };
  if (subject === undefined) return [ofConversation, ofApp];
  return [
    { tenant, agent, scope: "user", id: subject },
    ofConversation,
    { tenant, agent: null, scope: "global", id: subject },
    ofApp,
  ];
}
