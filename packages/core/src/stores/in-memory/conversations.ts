import type {
  ContextQuery,
  ContextRows,
  ConversationChange,
  ConversationQuery,
  WindowQuery,
} from "../../contract/memory-store.ts";
import type { AgentOwner, ConversationOwner } from "../../contract/owner.ts";
import type { ConversationRow, TurnRow } from "../../contract/store-rows.ts";
import { contextFactOwners } from "../../store-kit/fact-query.ts";
import { compareUpdated } from "../../store-kit/orders.ts";
import { plainCopy as copy } from "../../store-kit/plain-copy.ts";
import { cutWindow } from "../../store-kit/turn-rows.ts";
import { readFacts } from "./facts.ts";
import { resolveSubject } from "./identities.ts";
import type { ConversationState, State } from "./state.ts";
import { liveSummary } from "./summaries.ts";

export function newConversation(id: string, now: string): ConversationState {
  return {
    row: {
      id,
      createdAt: now,
      updatedAt: now,
      lastSeq: 0,
      clearedThrough: 0,
      settledSeq: 0,
      watermarks: {},
      version: 1,
    },
    turns: [],
    summaries: [],
    vectors: [],
    summaryVersion: 0,
  };
}

/** The row as a caller gets it. */
export function rowOf(conversation: ConversationState): ConversationRow {
  const visible = conversation.turns.filter((turn) => !turn.hidden);
  const messages = visible.reduce((sum, turn) => sum + turn.counted, 0);
  return copy({ ...conversation.row, turns: visible.length, messages });
}

export function readContext(state: State, owner: ConversationOwner, query: ContextQuery): ContextRows {
  const conversation = state.agent(owner).conversations.get(owner.conversation);
  const subject = query.subject === undefined ? conversation?.row.subject : resolveSubject(state, owner, query.subject);
  const owners = query.facts === null ? [] : contextFactOwners(owner, subject);
  return {
    ...(subject === undefined ? {} : { subject }),
    conversation: conversation === undefined ? null : rowOf(conversation),
    turns: conversation === undefined || query.window === null ? [] : windowOf(conversation, query.window),
    summary: conversation === undefined ? null : copy(liveSummary(conversation)),
    facts: readFacts(state, owners, { now: query.now, limit: query.facts?.limit ?? 0 }),
  };
}

/** What of the conversation is history. */
function windowOf(conversation: ConversationState, window: WindowQuery): TurnRow[] {
  const folded = window.afterSummary ? (liveSummary(conversation)?.through ?? 0) : 0;
  return copy(cutWindow(conversation.turns, window, Math.max(conversation.row.clearedThrough, folded)));
}

export function readConversation(state: State, owner: ConversationOwner): ConversationRow | null {
  const conversation = state.agent(owner).conversations.get(owner.conversation);
  return conversation === undefined ? null : rowOf(conversation);
}

export function listConversations(state: State, owner: AgentOwner, query: ConversationQuery): ConversationRow[] {
  const { after, subject, former = false } = query;
  return [...state.agent(owner).conversations.values()]
    .filter(
      ({ row, turns }) =>
        subject === undefined ||
        (former ? row.subject !== subject && turns.some((turn) => turn.subject === subject) : row.subject === subject),
    )
    .filter((conversation) => after === undefined || compareUpdated(after, conversation.row) < 0)
    .sort((left, right) => compareUpdated(left.row, right.row))
    .slice(0, query.limit)
    .map(rowOf);
}

export function changeConversation(
  state: State,
  owner: ConversationOwner,
  change: ConversationChange,
): { status: "changed"; conversation: ConversationRow } | { status: "conflict" } | { status: "missing" } {
  const agent = state.agent(owner);
  const stored = agent.conversations.get(owner.conversation);
  if (stored === undefined && change.create !== true) return { status: "missing" };
  if (change.ifVersion !== undefined && change.ifVersion !== (stored?.row.version ?? 0)) return { status: "conflict" };

  const conversation = stored ?? newConversation(owner.conversation, change.now);
  const { title, metadata, subject, clearedThrough, now } = copy(change);
  const row = { ...conversation.row, updatedAt: now };
  if (stored !== undefined) row.version += 1;
  if (title === null) delete row.title;
  else if (title !== undefined) row.title = title;
  if (metadata === null) delete row.metadata;
  else if (metadata !== undefined) row.metadata = metadata;
  if (subject !== undefined) row.subject = subject;
  if (clearedThrough !== undefined) row.clearedThrough = clearedThrough;
  conversation.row = row;
  agent.conversations.set(owner.conversation, conversation);
  return { status: "changed", conversation: rowOf(conversation) };
}
