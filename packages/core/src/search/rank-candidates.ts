import type { FactKey } from "./fact-keys.ts";
import { fuse } from "./fuse.ts";
import type { KeywordCandidates, Place } from "./keyword-candidates.ts";
import { placeKey, type RankedPlace } from "./load-hits.ts";
import { WEIGHTS } from "./weights.ts";

/** What each kind of search found, best first. */
export interface Candidates {
  words: Pick<KeywordCandidates, "units" | "places">;
  near: readonly { place: Place; score: number }[];
  facts: readonly FactKey[];
  /** The cosine that meaning begins to count at. */
  floor: number;
  /** What meaning counts, beside the words' 1. */
  weight: number;
}

/** A ranking that is right as far as it goes. */
export interface Ranking {
  ranked: RankedPlace[];
  /** Whether it goes as far as there are candidates. */
  isWhole: boolean;
}

/** Pieces that are thought to hold a message that is wanted: of a long one there may be several among the best. */
const PIECES_A_MESSAGE = 1.5;

/** More than what adding up may be off by. */
const SLACK = 1e-9;

/**
 * One ranking of what the words and the meaning found. Where only one of them found something it stays as it is. Where is
 * looked up only of the pieces that may be among the best `wanted` messages: meaning and facts add no more than is known
 * beforehand, so those too far behind can't get there.
 */
export async function rankCandidates(candidates: Candidates, wanted = Number.POSITIVE_INFINITY): Promise<Ranking> {
  const { words, near, facts, floor, weight } = candidates;
  const { units } = words;
  if (near.length === 0 && facts.length === 0) {
    return {
      ranked: units.map(({ document, score, text }) => ({ at: document, score, matched: "keyword", text })),
      isWhole: true,
    };
  }
  const some = units.slice(0, reachable(candidates, wanted));
  // Of what only its meaning brings, no more than is wanted is shown.
  const beside = Number.isFinite(wanted) ? near.slice(0, wanted).map(({ place }) => place) : [];
  const found = await words.places(
    some.map(({ document }) => document),
    beside,
  );
  const places = new Map<string, Place>();
  const keyed = (list: readonly { place: Place; score: number }[]) =>
    list.map(({ place, score }) => {
      const key = placeKey(place);
      places.set(key, place);
      return { key, score };
    });
  const remembered = keyed(facts);
  const factOf = new Map(remembered.map(({ key }, index) => [key, facts[index]?.fact]));
  const placed = keyed(
    some.flatMap(({ document, score }) => {
      const place = found.get(document);
      return place === undefined ? [] : [{ place, score }];
    }),
  );
  const next = units[some.length];
  if (next !== undefined && !isOutOfReach(candidates, placed, next.score, wanted)) return rankCandidates(candidates);
  const others = new Set([...places.values()].map(({ message }) => message));
  const reached = nearInReach(near, others, wanted);
  const meaning = keyed(reached);
  const fused = fuse({ words: placed, meaning, facts: remembered, floor, weight });
  const isWhole = next === undefined && reached.length === near.length;
  let end = isWhole ? fused.length : wanted;
  while (end < fused.length && fused[end]?.score === fused[end - 1]?.score) end++;
  const ranked = fused.slice(0, end).map(({ key, score, matched }) => {
    const fact = factOf.get(key);
    // The keys are those of these places.
    return { at: places.get(key) as Place, score, matched, ...(fact === undefined ? {} : { fact }) };
  });
  return { ranked, isWhole };
}

/**
 * What may be among the best of what is near: whatever words or facts found too (`others` are their messages' ids), and of the
 * rest, which its nearness alone ranks, as many as are wanted and their equals. What two messages of one id can't tell apart
 * only makes it more.
 */
function nearInReach(near: Candidates["near"], others: ReadonlySet<string>, wanted: number): Candidates["near"] {
  if (near.length <= wanted) return near;
  const alone = new Set<string>();
  let least = Number.POSITIVE_INFINITY;
  return near.filter(({ place: { message }, score }) => {
    if (others.has(message)) return true;
    // A little less than what adding up may make equal.
    if (alone.size >= wanted) return score >= least - SLACK;
    alone.add(message);
    least = score;
    return true;
  });
}

/** The most that meaning and facts add to a message's words, whose best counts as 1. */
function mostBeside({ near, facts, floor, weight }: Candidates): number {
  const cosine = near[0]?.score ?? floor;
  const meaning = weight * Math.max(0, (cosine - floor) / (floor < 1 ? 1 - floor : 1));
  return meaning + (facts.length > 0 ? WEIGHTS.facts.weight : 0);
}

/** How many of the pieces may be among the best, as far as can be told before they are looked up. */
function reachable(candidates: Candidates, wanted: number): number {
  const { units } = candidates.words;
  const last = units[Math.ceil(wanted * PIECES_A_MESSAGE) - 1];
  const best = units[0]?.score ?? 0;
  if (last === undefined || best <= 0) return units.length;
  const border = last.score - best * mostBeside(candidates);
  const first = units.findIndex(({ score }) => score < border);
  return first < 0 ? units.length : first;
}

/** Whether there are `wanted` messages that none of a piece with this score, or less, can reach. */
function isOutOfReach(
  candidates: Candidates,
  placed: readonly { key: string; score: number }[],
  score: number,
  wanted: number,
): boolean {
  const best = placed[0]?.score ?? 0;
  const messages = new Set<string>();
  for (const { key, score: own } of placed) {
    messages.add(key);
    // A little more than what adding up may be off by.
    if (messages.size >= wanted) return best > 0 && own - score > best * (mostBeside(candidates) + SLACK);
  }
  return false;
}
