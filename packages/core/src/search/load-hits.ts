import type { SearchFilter, SearchHit } from "../contract/conversation.ts";
import type { MemoryStore } from "../contract/memory-store.ts";
import type { Message, Turn } from "../contract/message.ts";
import type { KeywordScope } from "../contract/store-keyword.ts";
import { publicTurn } from "../conversation/public-turn.ts";
import { callOf } from "../memory/call-options.ts";
import type { Engine } from "../memory/engine.ts";
import { Breath } from "./breath.ts";
import type { FoundTurns } from "./found-turns.ts";
import type { KeywordCandidates, Place } from "./keyword-candidates.ts";
import { turnKey } from "./turns-at.ts";

const MAX_K = 100;
/** Looked up in one go, at most: thousands of messages may score alike, and all of them are compared by time. */
const AT_ONCE = 256;
/** Ranked beside those that are wanted, since some may be gone. */
export const MORE_HITS = 4;
export const MAX_NEIGHBOURS = 5;

/** How many hits are asked for. */
export const wantedHits = (k = 10): number => Math.min(MAX_K, Math.max(0, Math.floor(k)));

/** A message that was found, before it is read. */
export interface RankedPlace {
  /** Where it is, or the number by which that is looked up. */
  at: Place | number;
  score: number;
  matched: SearchHit["matched"];
  fact?: string;
  /** The same for pieces of one text, where it isn't known yet whether they are of one message. */
  text?: number;
}

/** What is to be loaded, best first. */
interface Ranked {
  ranked: readonly RankedPlace[];
  places: KeywordCandidates["places"];
  turns: FoundTurns;
}

/** Names a message of an agent. The lengths in front keep any two apart, and take less time than JSON. */
export const placeKey = ({ conversation, turn, seq, message }: Place): string =>
  `${conversation.length},${turn.length},${seq}:${conversation}${turn}${message}`;

/** Where as many texts end as are missing, and all that score like the last of them: ties are broken by time. */
function endOf(ranked: readonly RankedPlace[], from: number, missing: number): number {
  const texts = new Set<number>();
  let to = from;
  for (let others = 0; to < ranked.length && texts.size + others < missing; to++) {
    const text = ranked[to]?.text;
    if (text === undefined) others++;
    else texts.add(text);
  }
  while (to < ranked.length && ranked[to]?.score === ranked[to - 1]?.score) to++;
  return to;
}

/** Loads the best `k` that are still there to be shown. */
export async function loadHits(
  engine: Engine,
  scope: KeywordScope,
  { ranked, places, turns: at }: Ranked,
  filter: Pick<SearchFilter, "k" | "neighbours" | "signal">,
): Promise<SearchHit[]> {
  const store = await engine.store();
  const k = wantedHits(filter.k);
  const found: Found[] = [];
  const seen = new Set<string>();
  const breath = new Breath(filter.signal);
  let to = 0;
  for (let from = 0; from < to || (found.length < k && from < ranked.length); ) {
    if (from === to) to = endOf(ranked, from, k - found.length);
    const part = ranked.slice(from, Math.min(to, from + AT_ONCE));
    from += part.length;
    const placed = await places(part.flatMap(({ at }) => (typeof at === "number" ? [at] : [])));
    const batch = part.flatMap(({ at, text: _text, ...reason }) => {
      const place = typeof at === "number" ? placed.get(at) : at;
      if (place === undefined || seen.has(placeKey(place))) return [];
      // Of a long message the best piece counts.
      seen.add(placeKey(place));
      return [{ place, ...reason }];
    });
    const turns = await at.at(batch.map(({ place: { conversation, turn, seq } }) => ({ conversation, turn, seq })));
    for (const { place, ...reason } of batch) {
      const turn = turns.get(turnKey(place));
      const position = turn?.messages.findIndex((candidate) => candidate.id === place.message) ?? -1;
      const message = turn?.messages[position];
      // Under another number it was written anew, and what it said before may have been something else.
      if (!turn || !message || turn.hidden || turn.seq !== place.seq) continue;
      // A turn filed under another subject than its conversation's is that one's to find.
      if (scope.kind === "subject" && turn.subject !== scope.subject) continue;
      const hit = {
        message: { ...message, seq: turn.seq, turn: turn.id } satisfies Message,
        conversation: place.conversation,
        turn: turn.id,
        ...(turn.subject === undefined ? {} : { subject: turn.subject }),
        ...reason,
      };
      found.push({ hit, position });
    }
    // As many as are wanted of those so far: the others can't come back.
    if (found.length > AT_ONCE) found.sort(byScoreAndTime).splice(k);
    await breath.take();
  }
  const hits = found
    .sort(byScoreAndTime)
    .slice(0, k)
    .map(({ hit }) => hit);
  const around = Math.min(MAX_NEIGHBOURS, Math.floor(filter.neighbours ?? 0));
  if (around > 0)
    for (const hit of hits) hit.neighbours = await neighboursOf(engine, store, hit, around, filter.signal);
  return hits;
}

interface Found {
  hit: SearchHit;
  /** Of the message in its turn. */
  position: number;
}

/** Best first; among equals the newest, then by conversation and position, so that every store orders alike. */
function byScoreAndTime({ hit: a, position }: Found, { hit: b, position: other }: Found): number {
  if (a.score !== b.score) return b.score - a.score;
  if (a.message.createdAt !== b.message.createdAt) return a.message.createdAt < b.message.createdAt ? 1 : -1;
  if (a.conversation !== b.conversation) return a.conversation < b.conversation ? -1 : 1;
  return (b.message.seq ?? 0) - (a.message.seq ?? 0) || position - other;
}

async function neighboursOf(
  engine: Engine,
  store: MemoryStore,
  hit: SearchHit,
  around: number,
  signal: AbortSignal | undefined,
): Promise<Turn[]> {
  const owner = { ...engine.owner, conversation: hit.conversation };
  const seq = hit.message.seq ?? 0;
  const before = await store.readTurns(owner, { before: seq, order: "newest", limit: around }, callOf(signal));
  const after = await store.readTurns(owner, { after: seq, limit: around }, callOf(signal));
  return [...before.reverse(), ...after].map(publicTurn);
}
