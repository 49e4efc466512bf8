import type { TurnChange, TurnCommit, TurnPlace, TurnQuery, TurnWrite } from "../../contract/memory-store.ts";
import type { AgentOwner, ConversationOwner } from "../../contract/owner.ts";
import type { MessageLocation, TurnRow } from "../../contract/store-rows.ts";
import { plainCopy as copy } from "../../store-kit/plain-copy.ts";
import { refusalOfTurn } from "../../store-kit/refusals.ts";
import { changeTurnRow, locateMessages } from "../../store-kit/turn-rows.ts";
import { newConversation, rowOf } from "./conversations.ts";
import { resolveSubject } from "./identities.ts";
import type { ConversationState, State } from "./state.ts";
import { vectorsAfter } from "./vectors.ts";

export function commitTurn(state: State, owner: ConversationOwner, write: TurnWrite): TurnCommit {
  const { turn } = write;
  const agent = state.agent(owner);
  const stored = agent.conversations.get(owner.conversation);
  const subject = write.subject === undefined ? stored?.row.subject : resolveSubject(state, owner, write.subject);
  const own = stored?.turns.find((other) => other.id === turn.id);

  const bound = stored?.row.subject;
  const refusal = refusalOfTurn(write, {
    turns: stored?.turns ?? [],
    bound,
    subject,
    isErased: isErased(state, owner, bound ?? subject, turn.startedAt),
  });
  if (refusal !== null) return copy(refusal);

  const hides = new Set(write.hides);
  const conversation = stored ?? newConversation(owner.conversation, write.now);
  const seq = conversation.row.lastSeq + 1;
  const row: TurnRow = copy({ ...turn, conversation: owner.conversation, seq, subject });
  const change = copy({ subject, login: write.login ?? conversation.row.login });

  for (const other of conversation.turns) {
    if (!hides.has(other.id)) continue;
    other.hidden = true;
    other.replacedBy = turn.id;
  }
  const turns = [...conversation.turns.filter((other) => other !== own), row];
  conversation.vectors = vectorsAfter(conversation, turns);
  conversation.turns = turns;
  conversation.row = { ...conversation.row, ...change, updatedAt: write.now, lastSeq: seq };
  agent.conversations.set(owner.conversation, conversation);
  return { status: "stored", seq, conversation: rowOf(conversation) };
}

function isErased(state: State, owner: ConversationOwner, subject: string | undefined, moment: string): boolean {
  const { tenant, agent } = owner;
  if (state.isErasedSince([tenant, agent, "conversation", owner.conversation], moment)) return true;
  return subject !== undefined && state.isErasedSince([tenant, agent, "subject", subject], moment);
}

export function findMessages(state: State, owner: ConversationOwner, ids: readonly string[]): MessageLocation[] {
  return locateMessages(state.agent(owner).conversations.get(owner.conversation)?.turns ?? [], ids);
}

export function readTurns(state: State, owner: ConversationOwner, query: TurnQuery): TurnRow[] {
  const turns = state.agent(owner).conversations.get(owner.conversation)?.turns ?? [];
  const { ids, after = 0, before = Number.POSITIVE_INFINITY, order = "oldest" } = query;
  const found = turns.filter(
    (turn) =>
      turn.seq > after &&
      turn.seq < before &&
      (query.hidden === true || !turn.hidden) &&
      (ids === undefined || ids.includes(turn.id)),
  );
  if (order === "newest") found.reverse();
  return copy(found.slice(0, query.limit));
}

export function findTurns(state: State, owner: AgentOwner, places: readonly TurnPlace[]): TurnRow[] {
  const { conversations } = state.agent(owner);
  const found = places.flatMap(
    ({ conversation, turn, seq }) =>
      conversations
        .get(conversation)
        ?.turns.find((row) => row.id === turn && !row.hidden && (seq === undefined || row.seq === seq)) ?? [],
  );
  return copy([...new Set(found)]);
}

export function changeTurns(
  state: State,
  owner: ConversationOwner,
  changes: readonly TurnChange[],
  now: string | undefined,
): number {
  const conversation = state.agent(owner).conversations.get(owner.conversation);
  if (conversation === undefined) return 0;
  let turns: TurnRow[] = conversation.turns;
  const changed = new Set<string>();
  for (const change of copy(changes)) {
    const at = turns.findIndex((turn) => turn.id === change.turn);
    const stored = turns[at];
    const after = stored === undefined ? undefined : changeTurnRow(stored, change);
    if (after === undefined || after === stored) continue;
    changed.add(change.turn);
    turns = turns.toSpliced(at, 1, ...(after === null ? [] : [after]));
  }
  replaceTurns(conversation, turns, changed.size > 0 ? now : undefined);
  return changed.size;
}

function replaceTurns(conversation: ConversationState, turns: TurnRow[], now: string | undefined): void {
  conversation.vectors = vectorsAfter(conversation, turns);
  conversation.turns = turns;
  if (now !== undefined) conversation.row = { ...conversation.row, updatedAt: now };
}
