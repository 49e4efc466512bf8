import type { Place } from "./keyword-candidates.ts";
import type { NearPlace } from "./semantic.ts";
import { WEIGHTS } from "./weights.ts";

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
  const byTurn = new Map<string, number>();
  for (const { place, score } of near) {
    if (place.role !== "user") continue;
    const key = turnOf(place, 0);
    byTurn.set(key, Math.max(byTurn.get(key) ?? 0, score - floor));
  }
  const { before, behind } = WEIGHTS.semanticAround;
  const around = (place: Place, above: number): number => {
    let [sum, whole] = [above, 1];
    for (const [step, shares] of [
      [-1, before],
      [1, behind],
    ] as const) {
      for (const [passed, share] of shares.entries()) {
        const distance = step * (passed + 1);
        if (place.seq + distance < 1) break;
        sum += share * (byTurn.get(turnOf(place, distance)) ?? 0);
        whole += share;
      }
    }
    return sum / whole;
  };
  return near
    .map(({ place, score }) => {
      const above = score - floor;
      const besides = (1 - floor) * more(score);
      const counts =
        place.role === "user"
          ? around(place, above) + besides
          : (place.role === "assistant" ? WEIGHTS.assistant : 1) * (above + besides);
      return { place, score: floor + counts };
    })
    .sort((left, right) => right.score - left.score);
}

const turnOf = ({ conversation, seq }: Place, distance: number): string => `${seq + distance}:${conversation}`;
