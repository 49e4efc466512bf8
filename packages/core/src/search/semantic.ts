import type { ConversationOwner } from "../contract/owner.ts";
import type { KeywordScope } from "../contract/store-keyword.ts";
import type { NearMessage, VectorDocument, VectorQuery } from "../contract/store-vectors.ts";
import { callOf } from "../memory/call-options.ts";
import type { Engine } from "../memory/engine.ts";
import { compareEqual, compareNear } from "./compare-near.ts";
import { conversationsIn } from "./scope-conversations.ts";
import { readTurnsAt, turnKey } from "./turns-at.ts";
import { passesFilter } from "./vector-filter.ts";
import { dotProduct } from "./vector-math.ts";
import { decodeSegment, modelPrefix } from "./vector-segments.ts";

const PAGE = 64;
/** Cosines count to five digits: what stores add up in other orders and widths is one answer then. */
const STEPS = 100_000;

/** A near message, and its score as it counts. */
export interface NearPlace {
  place: Omit<NearMessage, "score">;
  score: number;
}

/**
 * Messages of a scope whose vectors are near the query's, in the order of {@link compareNear}: by the store's index where
 * it has one, else by a scan.
 */
export async function nearest(
  engine: Engine,
  scope: KeywordScope,
  query: VectorQuery,
  signal?: AbortSignal,
): Promise<NearPlace[]> {
  const store = await engine.store();
  // What rounding brings up to the floor is asked for too.
  const wider = { ...query, floor: query.floor - 1 / STEPS };
  const found = store.vectors
    ? await store.vectors.nearest(engine.owner, scope, wider, callOf(signal))
    : await scanSegments(engine, scope, wider, signal);
  const near: NearPlace[] = [];
  for (const place of found) {
    const score = Math.round(place.score * STEPS) / STEPS;
    if (score >= query.floor) near.push({ place, score });
  }
  return near.sort((left, right) => right.score - left.score || compareEqual(left.place, right.place));
}

/**
 * An exact scan over the runs of vectors of the scope's conversations. Its cost follows the owner's messages, not the
 * store's.
 */
async function scanSegments(
  engine: Engine,
  scope: KeywordScope,
  query: VectorQuery,
  signal: AbortSignal | undefined,
): Promise<NearMessage[]> {
  const prefix = modelPrefix(query.model);
  const found: NearMessage[] = [];
  for await (const row of conversationsIn(engine, scope, signal)) {
    if (query.conversation !== undefined && row.id !== query.conversation) continue;
    const owner = { ...engine.owner, conversation: row.id };
    for (const { vector, ...place } of await storedVectors(engine, owner, prefix, signal)) {
      if (!passesFilter(row.id, place, query)) continue;
      const score = dotProduct(vector, query.vector);
      if (score >= query.floor) found.push({ conversation: row.id, ...place, score });
    }
  }
  return firstShown(engine, scope, found.sort(compareNear), query.limit, signal);
}

/** The first whose turns may be shown: a run keeps the vectors of hidden turns, and of turns that are somebody else's now. */
async function firstShown(
  engine: Engine,
  scope: KeywordScope,
  found: readonly NearMessage[],
  limit: number,
  signal: AbortSignal | undefined,
): Promise<NearMessage[]> {
  const shown: NearMessage[] = [];
  for (let from = 0; from < found.length && shown.length < limit; from += limit) {
    const some = found.slice(from, from + limit);
    const turns = await readTurnsAt(engine, some, signal);
    for (const place of some) {
      const turn = turns.get(turnKey(place));
      if (turn === undefined || turn.hidden || turn.seq !== place.seq) continue;
      if (scope.kind === "subject" && turn.subject !== scope.subject) continue;
      shown.push({ ...place, ...(turn.subject === undefined ? {} : { subject: turn.subject }) });
    }
  }
  return shown.slice(0, limit);
}

/** The vectors of a conversation, of each message the one that it was given last: a turn may have been written anew. */
async function storedVectors(
  engine: Engine,
  owner: ConversationOwner,
  prefix: string,
  signal: AbortSignal | undefined,
): Promise<Iterable<VectorDocument>> {
  const store = await engine.store();
  const latest = new Map<string, VectorDocument>();
  for (let after: string | undefined; ; ) {
    const range = { prefix, limit: PAGE, ...(after === undefined ? {} : { after }) };
    const items = await store.readItems(owner, range, callOf(signal));
    for (const entry of items.flatMap((item) => decodeSegment(item.bytes))) {
      const key = `${entry.turn}\n${entry.message}`;
      if (entry.seq >= (latest.get(key)?.seq ?? 0)) latest.set(key, entry);
    }
    const last = items.at(-1);
    if (items.length < PAGE || last === undefined) return latest.values();
    after = last.key;
  }
}
