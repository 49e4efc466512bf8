import type { ConversationOwner } from "../contract/owner.ts";
import type { KeywordScope } from "../contract/store-keyword.ts";
import type { ConversationRow } from "../contract/store-rows.ts";
import type { NearMessage, VectorDocument, VectorQuery } from "../contract/store-vectors.ts";
import { allTurns } from "../conversation/all-turns.ts";
import { callOf } from "../memory/call-options.ts";
import type { Engine } from "../memory/engine.ts";
import { compareEqual, compareNear } from "./compare-near.ts";
import { conversationsIn } from "./scope-conversations.ts";
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
    const own = await ownTurns(engine, scope, row, signal);
    for (const { vector, ...place } of await storedVectors(engine, owner, prefix, signal)) {
      if (own?.has(place.turn) === false || !passesFilter(row.id, place, query)) continue;
      const score = dotProduct(vector, query.vector);
      if (score < query.floor) continue;
      const subject = row.subject === undefined ? {} : { subject: row.subject };
      found.push({ conversation: row.id, ...place, ...subject, score });
    }
  }
  return found.sort(compareNear).slice(0, query.limit);
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

/** In a conversation of somebody else's now: the turns that are the subject's. Absent: all may be. */
async function ownTurns(
  engine: Engine,
  scope: KeywordScope,
  row: ConversationRow,
  signal: AbortSignal | undefined,
): Promise<Set<string> | undefined> {
  if (scope.kind !== "subject" || row.subject === scope.subject) return undefined;
  const own = new Set<string>();
  const owner = { ...engine.owner, conversation: row.id };
  for await (const turn of allTurns(engine, owner, {}, callOf(signal))) {
    if (turn.subject === scope.subject) own.add(turn.id);
  }
  return own;
}
