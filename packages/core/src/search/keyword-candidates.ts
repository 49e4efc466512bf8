import type { MemoryStore } from "../contract/memory-store.ts";
import type { KeywordDocument, KeywordGroup, KeywordScope, PostingQuery } from "../contract/store-keyword.ts";
import { allTurns } from "../conversation/all-turns.ts";
import { callOf } from "../memory/call-options.ts";
import type { Engine } from "../memory/engine.ts";
import { keywordDocuments } from "./index-work.ts";
import { type Ranked, rankPostings, type TermPostings } from "./rank.ts";
import { conversationsIn } from "./scope-conversations.ts";

/** Where a message is: what a hit is loaded by. */
export interface Place {
  conversation: string;
  turn: string;
  seq: number;
  /** Id of the message. */
  message: string;
  subject: string | undefined;
}

/** A message that holds words of the query. */
export interface KeywordCandidate {
  place: Place;
  score: number;
}

/** Documents that are in memory, because no index holds them. */
interface Scanned {
  place: Place;
  document: KeywordDocument;
}

/** Candidates that are looked at: more than any result shows, so that a smaller `k` is the beginning of a larger one. */
const MAX_CANDIDATES = 200;

/** Messages of a scope by their words, best first, and how many documents there are at all. */
export async function keywordCandidates(
  engine: Engine,
  scope: KeywordScope,
  query: PostingQuery,
  signal?: AbortSignal,
): Promise<{ candidates: KeywordCandidate[]; documents: number }> {
  const store = await engine.store();
  const scanned = await scan(engine, store, scope, query.groups, signal);
  const indexed = await store.keyword?.postings(engine.owner, scope, query, callOf(signal));
  const documents = (indexed?.documents ?? 0) + scanned.length;
  if (documents === 0) return { candidates: [], documents };
  const ranked = rankPostings({
    documents,
    totalLength: (indexed?.totalLength ?? 0) + scanned.reduce((sum, { document }) => sum + document.length, 0),
    terms: mergeScanned(query.terms, query, indexed, scanned),
  });
  // All that score like the last one too: ties are broken by time, which only the messages know.
  let end = Math.min(ranked.length, MAX_CANDIDATES);
  while (end < ranked.length && end < 2 * MAX_CANDIDATES && ranked[end]?.score === ranked[end - 1]?.score) end++;
  const top = ranked.slice(0, end);
  const places = await placesOf(engine, store, top, scanned, signal);
  const candidates = top.flatMap(({ document, score }) => {
    const place = places.get(document);
    return place ? [{ place, score }] : [];
  });
  return { candidates, documents };
}

/** Numbers of scanned documents begin here, above any that a store gives: what isn't indexed yet is the newest. */
const SCANNED_FROM = 2 ** 50;

/** Turns of the scope that no index holds: the tail behind the watermark, or all of them. */
async function scan(
  engine: Engine,
  store: MemoryStore,
  scope: KeywordScope,
  groups: readonly KeywordGroup[],
  signal: AbortSignal | undefined,
): Promise<Scanned[]> {
  const scanned: Scanned[] = [];
  for await (const { conversation, after } of unindexed(engine, store, scope, signal)) {
    const owner = { ...engine.owner, conversation };
    for await (const turn of allTurns(engine, owner, { after }, callOf(signal))) {
      for (const document of keywordDocuments(turn)) {
        if (!groups.includes(document.group)) continue;
        const place = { conversation, turn: turn.id, seq: turn.seq, message: document.message, subject: turn.subject };
        // A turn filed under another subject than its conversation's is that one's to find.
        if (scope.kind === "subject" && place.subject !== scope.subject) continue;
        scanned.push({ place, document });
      }
    }
  }
  return scanned.sort((a, b) => (a.document.createdAt < b.document.createdAt ? -1 : 1));
}

/** Conversations of the scope with turns that no index holds. */
async function* unindexed(
  engine: Engine,
  store: MemoryStore,
  scope: KeywordScope,
  signal: AbortSignal | undefined,
): AsyncGenerator<{ conversation: string; after: number }> {
  if (store.keyword) {
    yield* await store.keyword.behind(engine.owner, scope, { limit: 10_000 }, callOf(signal));
    return;
  }
  for await (const row of conversationsIn(engine, scope, signal)) {
    yield { conversation: row.id, after: 0 };
  }
}

/** The postings of an index, with those of scanned documents added to them. */
function mergeScanned(
  terms: readonly string[],
  query: PostingQuery,
  indexed: { terms: readonly (TermPostings & { term: string })[] } | undefined,
  scanned: readonly Scanned[],
): TermPostings[] {
  const stored = new Map(indexed?.terms.map((entry) => [entry.term, entry]));
  const counted = scanned.map(({ document }) => new Map(document.terms));
  return terms.map((term) => {
    const base = stored.get(term);
    const merged = {
      documentFrequency: base?.documentFrequency ?? 0,
      documents: [...(base?.documents ?? [])],
      frequencies: [...(base?.frequencies ?? [])],
      lengths: [...(base?.lengths ?? [])],
    };
    scanned.forEach((entry, index) => {
      const frequency = counted[index]?.get(term);
      if (frequency === undefined) return;
      merged.documentFrequency++;
      if (!passes(entry, query)) return;
      merged.documents.push(SCANNED_FROM + index);
      merged.frequencies.push(frequency);
      merged.lengths.push(entry.document.length);
    });
    return merged;
  });
}

function passes({ place, document }: Scanned, query: PostingQuery): boolean {
  return (
    (query.role === undefined || document.role === query.role) &&
    (query.from === undefined || document.createdAt >= query.from) &&
    (query.to === undefined || document.createdAt < query.to) &&
    (query.conversation === undefined || place.conversation === query.conversation) &&
    !(query.exclude && place.conversation === query.exclude.conversation && document.seq > query.exclude.after)
  );
}

async function placesOf(
  engine: Engine,
  store: MemoryStore,
  batch: readonly Ranked[],
  scanned: readonly Scanned[],
  signal: AbortSignal | undefined,
): Promise<Map<number, Place>> {
  const places = new Map<number, Place>();
  const stored: number[] = [];
  for (const { document } of batch) {
    if (document >= SCANNED_FROM) places.set(document, (scanned[document - SCANNED_FROM] as Scanned).place);
    else stored.push(document);
  }
  if (stored.length > 0 && store.keyword) {
    for (const row of await store.keyword.documents(engine.owner, stored, callOf(signal))) {
      const { document, conversation, turn, seq, message, subject } = row;
      places.set(document, { conversation, turn, seq, message, subject });
    }
  }
  return places;
}
