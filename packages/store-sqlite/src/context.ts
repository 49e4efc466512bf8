import type { ContextQuery, ContextRows, ConversationOwner } from "@throughline/core";
import { contextFactOwners } from "@throughline/core/store-kit";
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
  const owners = facts === null ? [] : contextFactOwners(owner, subject);
  const rows: ContextRows = {
    conversation: stored?.row ?? null,
    turns: stored === undefined || window === null ? [] : readWindow(session, stored, folded, window),
    summary,
    facts: facts === null ? [] : readNewestFacts(session, owners, now, facts.limit),
  };
  if (subject !== undefined) rows.subject = subject;
  return rows;
}
