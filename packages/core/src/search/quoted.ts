import { messageText, toolResultText } from "../conversation/message-text.ts";
import type { FoundTurns } from "./found-turns.ts";
import type { KeywordCandidates } from "./keyword-candidates.ts";
import { placeKey, type RankedPlace } from "./load-hits.ts";
import { countHeld } from "./phrases.ts";
import { turnKey } from "./turns-at.ts";

/** Which candidates hold quoted phrases, by number and by place: the share of the phrases, above 0. */
export type Quoted = ReadonlyMap<number | string, number>;

const NONE: Quoted = new Map();

/** Reads the candidates that hold the words of a quoted phrase, and tells which hold it as it stands. */
export async function quotedBy(
  found: FoundTurns,
  { units, places }: Pick<KeywordCandidates, "units" | "places">,
  phrases: readonly string[],
): Promise<Quoted> {
  if (phrases.length === 0) return NONE;
  const placed = await places(units.flatMap(({ document, quotes }) => (quotes ? [document] : [])));
  const turns = await found.at([...placed.values()]);
  const quoted = new Map<number | string, number>();
  for (const [document, place] of placed) {
    const message = turns.get(turnKey(place))?.messages.find(({ id }) => id === place.message);
    if (message === undefined) continue;
    const share = countHeld(`${messageText(message)}\n${toolResultText(message)}`, phrases) / phrases.length;
    if (share > 0) quoted.set(document, share).set(placeKey(place), share);
  }
  return quoted;
}

/** What holds the phrases comes first, by how many of them; among equals the order stays. Pure. */
export function quotedFirst(ranked: readonly RankedPlace[], quoted: Quoted, phrases: number): RankedPlace[] {
  if (quoted.size === 0) return [...ranked];
  // One phrase more always outweighs the rest, which words alone may bring a little above 1.
  const rest = 1 / (2 * phrases);
  return ranked
    .map((found) => {
      const share = quoted.get(typeof found.at === "number" ? found.at : placeKey(found.at)) ?? 0;
      return { ...found, score: (share + rest * found.score) / (1 + rest) };
    })
    .sort((left, right) => right.score - left.score);
}
