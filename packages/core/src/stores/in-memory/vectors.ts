import type { Message } from "../../contract/message.ts";
import type { AgentOwner, ConversationOwner } from "../../contract/owner.ts";
import type { KeywordScope } from "../../contract/store-keyword.ts";
import type { TurnRow } from "../../contract/store-rows.ts";
import type {
  NearMessage,
  VectorIndex,
  VectorModel,
  VectorQuery,
  VectorSelection,
} from "../../contract/store-vectors.ts";
import { sameWords } from "../../conversation/same-words.ts";
import { Breath } from "../../search/breath.ts";
import { compareNear } from "../../search/compare-near.ts";
import { passesFilter } from "../../search/vector-filter.ts";
import { checkVectors, dotProduct } from "../../search/vector-math.ts";
import { isAnother } from "../../store-kit/refusals.ts";
import type { ConversationState, State, VectorState } from "./state.ts";

const isOf = (model: VectorModel, { modelId, dimensions }: VectorModel): boolean =>
  model.modelId === modelId && model.dimensions === dimensions;

/** The place of a message in a turn; -1 where the turn isn't this one any more or doesn't hold it. */
const placeIn = (turn: TurnRow | undefined, { seq, message }: { seq: number; message: string }): number =>
  turn?.seq === seq ? turn.messages.findIndex(({ id }) => id === message) : -1;

export function putVectors(
  state: State,
  owner: ConversationOwner,
  { createdAt, model, documents }: Parameters<VectorIndex["put"]>[1],
): number {
  const { modelId, dimensions } = model;
  checkVectors(
    dimensions,
    documents.map(({ vector }) => vector),
  );
  const conversation = state.agent(owner).conversations.get(owner.conversation);
  if (conversation === undefined || isAnother(conversation.row, { createdAt })) return 0;
  const kept = new Map(conversation.vectors.map((stored) => [keyOf(stored.model, stored), stored]));
  let count = 0;
  for (const { turn: id, seq, message, role, createdAt, vector } of documents) {
    const turn = conversation.turns.find((candidate) => candidate.id === id);
    const position = placeIn(turn, { seq, message });
    if (position < 0) continue;
    count += 1;
    const stored = { model: { modelId, dimensions }, turn: id, seq, position, message, role, createdAt };
    kept.set(keyOf(model, stored), { ...stored, vector: vector.slice() });
  }
  conversation.vectors = [...kept.values()];
  return count;
}

const keyOf = ({ modelId, dimensions }: VectorModel, { seq, message }: { seq: number; message: string }): string =>
  JSON.stringify([modelId, dimensions, seq, message]);

/** Vectors compared before it is looked whether somebody else waits. */
const AT_ONCE = 256;

/** Compares them all, with pauses: what changes meanwhile may be found as it was, or as it is. */
export async function nearest(
  state: State,
  owner: AgentOwner,
  scope: KeywordScope,
  query: VectorQuery,
  signal?: AbortSignal,
): Promise<NearMessage[]> {
  checkVectors(query.model.dimensions, [query.vector]);
  const breath = new Breath(signal);
  const limit = Math.max(0, query.limit);
  let found: NearMessage[] = [];
  let { floor } = query;
  let compared = 0;
  for (const [id, conversation] of state.agent(owner).conversations) {
    if (scope.kind === "conversation" && id !== scope.conversation) continue;
    const turns = new Map(conversation.turns.map((turn) => [turn.id, turn]));
    for (const { model, vector, ...place } of conversation.vectors) {
      if (++compared % AT_ONCE === 0) await breath.take();
      const turn = turns.get(place.turn);
      if (turn === undefined || turn.hidden || !isOf(model, query.model)) continue;
      const { subject } = turn;
      if (scope.kind === "subject" && subject !== scope.subject) continue;
      if (!passesFilter(id, place, query)) continue;
      const score = dotProduct(vector, query.vector);
      if (score < floor) continue;
      found.push({ conversation: id, ...place, ...(subject === undefined ? {} : { subject }), score });
      if (found.length < limit + AT_ONCE) continue;
      found = found.sort(compareNear).slice(0, limit);
      // What is less near than all of these isn't wanted any more.
      floor = found.at(-1)?.score ?? floor;
    }
  }
  return found.sort(compareNear).slice(0, limit);
}

export function dropVectors(
  state: State,
  owner: ConversationOwner,
  { turns, messages, createdBefore, otherThan }: VectorSelection,
  { dryRun = false }: { dryRun?: boolean } = {},
): number {
  const conversation = state.agent(owner).conversations.get(owner.conversation);
  if (conversation === undefined) return 0;
  const kept = conversation.vectors.filter(
    ({ turn, message, createdAt, model }) =>
      !(
        turns?.includes(turn) ||
        messages?.includes(message) ||
        (createdBefore !== undefined && createdAt < createdBefore) ||
        (otherThan !== undefined && !isOf(model, otherThan))
      ),
  );
  const dropped = conversation.vectors.length - kept.length;
  if (!dryRun) conversation.vectors = kept;
  return dropped;
}

/** The vectors of a conversation whose turns change to these: those of what is gone or says something else are left out. */
export function vectorsAfter(conversation: ConversationState, turns: readonly TurnRow[]): VectorState[] {
  if (conversation.vectors.length === 0) return [];
  const before = new Map(conversation.turns.map((turn) => [turn.id, turn]));
  const after = new Map(turns.map((turn) => [turn.id, turn]));
  return conversation.vectors.flatMap((stored) => {
    const turn = after.get(stored.turn);
    const position = placeIn(turn, stored);
    const message = turn?.messages[position];
    const said: Message | undefined = before.get(stored.turn)?.messages[stored.position];
    return message && said && sameWords(said, message) ? [{ ...stored, position }] : [];
  });
}
