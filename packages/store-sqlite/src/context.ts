import type { ContextQuery, ContextRows, ConversationOwner, FactOwner } from "@throughline/core";
import { findConversation } from "./conversation-rows.ts";
import { readNewestFacts } from "./facts.ts";
import { readWindow } from "./read-turns.ts";
import type { Session } from "./session.ts";
import { resolveSubject } from "./subject-identities.ts";
import { readSummary } from "./summaries.ts";

/** Everything a turn needs to begin, of one snapshot. */
export function readContext(session: Session, owner: ConversationOwner, query: ContextQuery): ContextRows {
  const stored = findConversation(session, owner);
  const summary = stored === undefined ? null : readSummary(session, stored.ref, stored.summary);
  const { window, facts, now } = query;
  const folded = window?.afterSummary === true ? (summary?.through ?? 0) : 0;
  const subject = query.subject === undefined ? stored?.row.subject : resolveSubject(session, owner, query.subject);
  const owners = facts === null ? [] : factOwners(owner, subject);
  const rows: ContextRows = {
    conversation: stored?.row ?? null,
    turns: stored === undefined || window === null ? [] : readWindow(session, stored, folded, window),
    summary,
    facts: facts === null ? [] : readNewestFacts(session, owners, now, facts.limit),
  };
  if (subject !== undefined) rows.subject = subject;
  return rows;
}

function factOwners({ tenant, agent, conversation }: ConversationOwner, subject: string | undefined): FactOwner[] {
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
