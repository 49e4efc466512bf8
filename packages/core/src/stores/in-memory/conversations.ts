import type {
  ContextQuery,
  ContextRows,
  ConversationChange,
  ConversationQuery,
  WindowQuery,
} from "../../contract/memory-store.ts";
import type { AgentOwner, ConversationOwner, FactOwner } from "../../contract/owner.ts";
import type { ConversationRow, TurnRow } from "../../contract/store-rows.ts";
import { compareText, copy } from "./copy.ts";
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
    turns: conversation === undefined || query.window === null ? [] : cutWindow(conversation, query.window),
    summary: conversation === undefined ? null : copy(liveSummary(conversation)),
    facts: readFacts(state, owners, { now: query.now, limit: query.facts?.limit ?? 0 }),
  };
}

function contextFactOwners(owner: ConversationOwner, subject: string | undefined): FactOwner[] {
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

/** The newest visible turns that fit, oldest first; the newest of them whatever its size. */
function cutWindow(conversation: ConversationState, window: WindowQuery): TurnRow[] {
  const folded = window.afterSummary ? (liveSummary(conversation)?.through ?? 0) : 0;
  const border = Math.max(conversation.row.clearedThrough, folded);
  const kept: TurnRow[] = [];
  let messages = 0;
  let tokens = 0;
  for (const turn of conversation.turns.toReversed()) {
    if (turn.hidden || turn.seq <= border) continue;
    messages += turn.counted;
    tokens += turn.tokens;
    if (kept.length > 0 && (messages > window.maxMessages || tokens > window.maxTokens)) break;
    kept.unshift(turn);
  }
  return copy(kept);
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
    .filter((conversation) => after === undefined || compareActivity(after, conversation.row) < 0)
    .sort((left, right) => compareActivity(left.row, right.row))
    .slice(0, query.limit)
    .map(rowOf);
}

/** Most recently active first, ties by id. */
function compareActivity(left: { updatedAt: string; id: string }, right: { updatedAt: string; id: string }): number {
  return compareText(right.updatedAt, left.updatedAt) || compareText(left.id, right.id);
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
