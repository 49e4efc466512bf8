import type { Place } from "./keyword-candidates.ts";
import type { NearPlace } from "./semantic.ts";
import { WEIGHTS } from "./weights.ts";

const { before, behind } = WEIGHTS.semanticAround;
/** So many turns on, and what counts of it. */
const AROUND = [
  ...before.map((share, passed) => ({ distance: -1 - passed, share })),
  ...behind.map((share, passed) => ({ distance: 1 + passed, share })),
];

/**
 * Near messages as they count beside the words, best first: what a person said by how near it is on average with what people
 * said in the turns around it, since an answer is among messages about the same; what an assistant said less, as among words.
 * What isn't near counts as just at the floor, turns that can't be there not at all. `more`: what a message counts besides, by
 * its own cosine. Pure.
 */
export function meaningAround(
  near: readonly NearPlace[],
  floor: number,
  more: (cosine: number) => number = () => 0,
): NearPlace[] {
  /** Of each conversation, how far above the floor its turns are. */
  const above = new Map<string, Map<number, number>>();
  for (const { place, score } of near) {
    if (place.role !== "user") continue;
    let turns = above.get(place.conversation);
    if (turns === undefined) {
      turns = new Map();
      above.set(place.conversation, turns);
    }
    turns.set(place.seq, Math.max(turns.get(place.seq) ?? 0, score - floor));
  }
  const around = ({ conversation, seq }: Place, own: number): number => {
    const turns = above.get(conversation);
    let sum = own;
    let whole = 1;
    for (const { distance, share } of AROUND) {
      if (seq + distance < 1) continue;
      sum += share * (turns?.get(seq + distance) ?? 0);
      whole += share;
    }
    return sum / whole;
  };
  return near
    .map(({ place, score }) => {
      const own = score - floor;
      const besides = (1 - floor) * more(score);
      const counts =
        place.role === "user"
          ? around(place, own) + besides
          : (place.role === "assistant" ? WEIGHTS.assistant : 1) * (own + besides);
      return { place, score: floor + counts };
    })
    .sort((left, right) => right.score - left.score);
}
