import type { SummaryCommit } from "../../contract/memory-store.ts";
import type { ConversationOwner } from "../../contract/owner.ts";
import type { SummaryRow } from "../../contract/store-rows.ts";
import { plainCopy as copy } from "../../store-kit/plain-copy.ts";
import type { ConversationState, State, SummaryVersion } from "./state.ts";

/** The newest version, unless it was deleted. */
export function liveSummary(conversation: ConversationState): SummaryRow | null {
  const newest = conversation.summaries.at(-1);
  return newest === undefined || newest.deletedAt !== undefined ? null : newest;
}

export function commitSummary(
  state: State,
  owner: ConversationOwner,
  commit: SummaryCommit,
): { status: "committed"; version: number } | { status: "conflict" } {
  const conversation = state.agent(owner).conversations.get(owner.conversation);
  if (conversation === undefined) return { status: "conflict" };
  const live = liveSummary(conversation);
  if (commit.expectedVersion !== (live?.version ?? 0)) return { status: "conflict" };

  if (commit.summary === null) {
    conversation.summaries = conversation.summaries.map((summary) =>
      summary.deletedAt === undefined ? { ...summary, text: "", deletedAt: commit.now } : summary,
    );
    return { status: "committed", version: 0 };
  }
  const { through, throughTurn } = commit.summary;
  if (!conversation.turns.some((turn) => turn.id === throughTurn && turn.seq === through))
    return { status: "conflict" };
  const version = conversation.summaryVersion + 1;
  conversation.summaryVersion = version;
  conversation.summaries = [...conversation.summaries, copy({ ...commit.summary, version })];
  return { status: "committed", version };
}

export function readSummaries(state: State, owner: ConversationOwner, query: { limit: number }): SummaryVersion[] {
  const conversation = state.agent(owner).conversations.get(owner.conversation);
  return copy((conversation?.summaries ?? []).toReversed().slice(0, query.limit));
}
