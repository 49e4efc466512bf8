import type { DistillerInput, FactCandidate } from "../contract/models.ts";

/** Short names for what a prompt shows: ids may be long, and are nobody's to imitate. */
export const turnLabel = (index: number): string => `t${index + 1}`;
export const eventLabel = (index: number): string => `e${index + 1}`;
export const knownLabel = (index: number): string => `k${index + 1}`;

/** A candidate with ids in the place of labels. A label that names nothing is left out; the quote tells the turn as well. */
export function labelled(
  candidate: FactCandidate,
  { turns, events, known }: Pick<DistillerInput, "turns" | "events" | "known">,
): FactCandidate {
  const ids = new Map<string, string>([
    ...turns.map(({ id }, index) => [turnLabel(index), id] as const),
    ...events.map(({ id }, index) => [eventLabel(index), id] as const),
  ]);
  const facts = new Map(known.map(({ id }, index) => [knownLabel(index), id]));
  const { turn, updates, contradicts, ...rest } = candidate;
  const named = {
    turn: turn === undefined ? undefined : ids.get(turn),
    updates: updates === undefined ? undefined : facts.get(updates),
    contradicts: contradicts === undefined ? undefined : facts.get(contradicts),
  };
  return {
    ...rest,
    ...(named.turn === undefined ? {} : { turn: named.turn }),
    ...(named.updates === undefined ? {} : { updates: named.updates }),
    ...(named.contradicts === undefined ? {} : { contradicts: named.contradicts }),
  };
}
