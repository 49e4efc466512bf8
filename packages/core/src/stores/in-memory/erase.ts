import type { EraseTarget } from "../../contract/memory-store.ts";
import type { Receipt } from "../../contract/outcome.ts";
import type { AgentOwner } from "../../contract/owner.ts";
import type { TurnRow } from "../../contract/store-rows.ts";
import { removeCheckpoints } from "./checkpoints.ts";
import { eraseFacts } from "./facts.ts";
import type { State } from "./state.ts";
import { vectorsAfter } from "./vectors.ts";

interface Removed extends Record<string, number> {
  conversations: number;
  turns: number;
  messages: number;
  summaries: number;
  facts: number;
  items: number;
  records: number;
  identities: number;
  checkpoints: number;
  vectors: number;
}

export function erase(state: State, owner: AgentOwner, target: EraseTarget, now: string): Receipt {
  const removed: Removed = {
    conversations: 0,
    turns: 0,
    messages: 0,
    summaries: 0,
    facts: 0,
    items: 0,
    records: 0,
    identities: 0,
    checkpoints: 0,
    vectors: 0,
  };
  if (target.kind === "conversation") eraseConversation(state, owner, target.conversation, now, removed);
  else eraseSubject(state, owner, target.subject, now, removed);
  return { removed, residue: [] };
}

function eraseConversation(state: State, owner: AgentOwner, id: string, now: string, removed: Removed): void {
  const agent = state.agent(owner);
  const conversation = agent.conversations.get(id);
  if (conversation !== undefined) {
    removed.conversations += 1;
    removed.summaries += conversation.summaries.length;
    removed.vectors += conversation.vectors.length;
    countTurns(conversation.turns, removed);
  }
  removed.items += agent.items.get(id)?.size ?? 0;
  removed.facts += eraseFacts(state, { ...agentOf(owner), scope: "conversation", id });
  agent.conversations.delete(id);
  agent.items.delete(id);
  removed.checkpoints += removeCheckpoints(state, { ...agentOf(owner), conversation: id });
  state.markErased([owner.tenant, owner.agent, "conversation", id], now);
}

function eraseSubject(state: State, owner: AgentOwner, subject: string, now: string, removed: Removed): void {
  const agent = state.agent(owner);
  for (const [conversation, { subjects }] of agent.threads) {
    if (!subjects.has(subject)) continue;
    removed.checkpoints += removeCheckpoints(state, { ...agentOf(owner), conversation });
  }
  for (const [id, conversation] of agent.conversations) {
    if (conversation.row.subject === subject) {
      eraseConversation(state, owner, id, now, removed);
      continue;
    }
    const gone = conversation.turns.filter((turn) => turn.subject === subject);
    if (gone.length === 0) continue;
    countTurns(gone, removed);
    removed.checkpoints += removeCheckpoints(state, { ...agentOf(owner), conversation: id });
    removed.summaries += conversation.summaries.length;
    const turns = conversation.turns.filter((turn) => turn.subject !== subject);
    const vectors = vectorsAfter(conversation, turns);
    removed.vectors += conversation.vectors.length - vectors.length;
    conversation.vectors = vectors;
    conversation.turns = turns;
    // A summary may hold what the erased turns said. The other turns are folded anew.
    conversation.summaries = [];
  }
  for (const [place, record] of agent.records) {
    if (record.subject !== subject) continue;
    agent.records.delete(place);
    removed.records += 1;
  }
  for (const [identity, link] of agent.identities) {
    if (link.subject !== subject) continue;
    agent.identities.delete(identity);
    removed.identities += 1;
    // A late write that names the identity is one of the subject.
    state.markErased([owner.tenant, owner.agent, "subject", identity], now);
    state.markErased([owner.tenant, null, "subject", identity], now);
  }
  removed.facts += eraseFacts(state, { ...agentOf(owner), scope: "user", id: subject });
  removed.facts += eraseFacts(state, { tenant: owner.tenant, agent: null, scope: "global", id: subject });
  state.markErased([owner.tenant, owner.agent, "subject", subject], now);
  state.markErased([owner.tenant, null, "subject", subject], now);
}

function countTurns(turns: readonly TurnRow[], removed: Removed): void {
  removed.turns += turns.length;
  removed.messages += turns.reduce((sum, turn) => sum + turn.messages.length, 0);
}

function agentOf({ tenant, agent }: AgentOwner): AgentOwner {
  return { tenant, agent };
}
