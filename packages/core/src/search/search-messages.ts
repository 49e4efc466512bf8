import { isoTime } from "../checks/duration.ts";
import { checkOptionalId } from "../checks/ids.ts";
import type { SearchFilter, SearchHit, SearchResult } from "../contract/conversation.ts";
import type { MemoryStore } from "../contract/memory-store.ts";
import type { Message, Turn } from "../contract/message.ts";
import type { KeywordDocument, KeywordGroup, KeywordScope, PostingQuery } from "../contract/store-keyword.ts";
import type { ConversationRow, TurnRow } from "../contract/store-rows.ts";
import { publicTurn } from "../conversation/public-turn.ts";
import { MemoryError } from "../errors/memory-error.ts";
import type { Engine } from "../memory/engine.ts";
import { throwIfAborted } from "../memory/resilience.ts";
import { keywordDocuments } from "./index-work.ts";
import { type Ranked, rankPostings, type TermPostings } from "./rank.ts";
import { extractTerms } from "./terms.ts";

/** Where a message is: what a hit is loaded by. */
interface Place {
  conversation: string;
  turn: string;
  position: number;
  subject: string | undefined;
}

/** Documents that are in memory, because no index holds them. */
interface Scanned {
  place: Place;
  document: KeywordDocument;
}

const MAX_K = 100;
const MAX_NEIGHBOURS = 5;
const SCAN_TURNS = 64;
/** Documents of equal score that are looked at together. */
const MAX_TIES = 200;

/** Finds messages of a scope by their words, best first. */
export async function searchMessages(
  engine: Engine,
  scope: KeywordScope,
  query: string,
  filter: SearchFilter & { exclude?: { conversation: string; after: number } | undefined } = {},
): Promise<SearchResult> {
  throwIfAborted(filter.signal, "search");
  if (typeof query !== "string") throw new MemoryError("INVALID_ARGUMENT", "A search needs its words as a text.");
  checkOptionalId(filter.conversation, "conversation id");
  const terms = [...new Set(extractTerms(query))];
  if (terms.length === 0) return { hits: [], reason: "The query holds no word to search by." };
  const groups: KeywordGroup[] = filter.toolResults ? ["said", "tool"] : ["said"];
  const postingQuery: PostingQuery = {
    terms,
    groups,
    ...(filter.role === undefined ? {} : { role: filter.role }),
    ...(filter.from === undefined ? {} : { from: isoTime(filter.from, "from") }),
    ...(filter.to === undefined ? {} : { to: isoTime(filter.to, "to") }),
    ...(filter.conversation === undefined ? {} : { conversation: filter.conversation }),
    ...(filter.exclude === undefined ? {} : { exclude: filter.exclude }),
  };
  const store = await engine.store();
  const scanned = await scan(engine, store, scope, groups, filter.signal);
  const indexed = await store.keyword?.postings(engine.owner, scope, postingQuery, callOf(filter.signal));
  const documents = (indexed?.documents ?? 0) + scanned.length;
  if (documents === 0) return { hits: [], reason: "Nothing was said here yet." };
  const merged = mergeScanned(terms, postingQuery, indexed, scanned);
  const ranked = rankPostings({
    documents,
    totalLength: (indexed?.totalLength ?? 0) + scanned.reduce((sum, { document }) => sum + document.length, 0),
    terms: merged,
  });
  const k = Math.min(MAX_K, Math.max(0, Math.floor(filter.k ?? 10)));
  const hits = await loadHits(engine, store, ranked, scanned, k, filter);
  engine.emit({ type: "memory.searched", hits: hits.length });
  return hits.length > 0 ? { hits } : { hits, reason: "No message that may be shown holds these words." };
}

const callOf = (signal: AbortSignal | undefined) => (signal === undefined ? {} : { signal });

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
  for await (const { conversation, after, subject } of unindexed(engine, store, scope, signal)) {
    const owner = { ...engine.owner, conversation };
    for (let from = after; ; ) {
      const turns = await store.readTurns(owner, { after: from, limit: SCAN_TURNS }, callOf(signal));
      for (const turn of turns) {
        for (const document of keywordDocuments(turn)) {
          if (!groups.includes(document.group)) continue;
          const place = { conversation, turn: turn.id, position: document.position, subject: turn.subject ?? subject };
          // A turn filed under another subject than its conversation's is that one's to find.
          if (scope.kind === "subject" && place.subject !== scope.subject) continue;
          scanned.push({ place, document });
        }
      }
      const last = turns.at(-1);
      if (turns.length < SCAN_TURNS || last === undefined) break;
      from = last.seq;
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
): AsyncGenerator<{ conversation: string; after: number; subject?: string | undefined }> {
  if (store.keyword) {
    yield* await store.keyword.behind(engine.owner, scope, { limit: 10_000 }, callOf(signal));
    return;
  }
  if (scope.kind === "conversation") {
    const row = await store.readConversation({ ...engine.owner, conversation: scope.conversation }, callOf(signal));
    if (row) yield { conversation: row.id, after: 0, subject: row.subject };
    return;
  }
  const query = scope.kind === "subject" ? { subject: scope.subject, limit: 100 } : { limit: 100 };
  let after: { updatedAt: string; id: string } | undefined;
  for (;;) {
    const page: ConversationRow[] = await store.listConversations(
      engine.owner,
      after === undefined ? query : { ...query, after },
      callOf(signal),
    );
    for (const row of page) yield { conversation: row.id, after: 0, subject: row.subject };
    const last = page.at(-1);
    if (page.length < 100 || last === undefined) return;
    after = { updatedAt: last.updatedAt, id: last.id };
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

/** Loads the best `k` that are still there to be shown. */
async function loadHits(
  engine: Engine,
  store: MemoryStore,
  ranked: readonly Ranked[],
  scanned: readonly Scanned[],
  k: number,
  filter: SearchFilter,
): Promise<SearchHit[]> {
  const hits: SearchHit[] = [];
  for (let from = 0; hits.length < k && from < ranked.length; ) {
    // A few more than are missing, since some may be gone, and all that score like the last: ties are broken by time.
    let to = Math.min(ranked.length, from + (k - hits.length) + 4);
    while (to < ranked.length && to - from < MAX_TIES && ranked[to]?.score === ranked[to - 1]?.score) to++;
    const batch = ranked.slice(from, to);
    from = to;
    const places = await placesOf(engine, store, batch, scanned, filter.signal);
    const turns = await turnsAt(engine, store, [...places.values()], filter.signal);
    for (const { document, score } of batch) {
      const place = places.get(document);
      const turn = place && turns.get(turnKey(place));
      const message = place && turn?.messages[place.position];
      if (!place || !turn || !message) continue;
      hits.push({
        message: { ...message, seq: turn.seq, turn: turn.id } satisfies Message,
        conversation: place.conversation,
        turn: turn.id,
        ...(turn.subject === undefined ? {} : { subject: turn.subject }),
        score,
        matched: "keyword",
      });
    }
  }
  hits.sort(byScoreAndTime);
  hits.length = Math.min(hits.length, k);
  const around = Math.min(MAX_NEIGHBOURS, Math.floor(filter.neighbours ?? 0));
  if (around > 0)
    for (const hit of hits) hit.neighbours = await neighboursOf(engine, store, hit, around, filter.signal);
  return hits;
}

/** Best first; among equals the newest, then by conversation and position, so that every store orders alike. */
function byScoreAndTime(a: SearchHit, b: SearchHit): number {
  if (a.score !== b.score) return b.score - a.score;
  if (a.message.createdAt !== b.message.createdAt) return a.message.createdAt < b.message.createdAt ? 1 : -1;
  if (a.conversation !== b.conversation) return a.conversation < b.conversation ? -1 : 1;
  return (b.message.seq ?? 0) - (a.message.seq ?? 0);
}

const turnKey = (place: Place): string => JSON.stringify([place.conversation, place.turn]);

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
      const { document, conversation, turn, position, subject } = row;
      places.set(document, { conversation, turn, position, subject });
    }
  }
  return places;
}

async function turnsAt(
  engine: Engine,
  store: MemoryStore,
  places: readonly Place[],
  signal: AbortSignal | undefined,
): Promise<Map<string, TurnRow>> {
  const byConversation = new Map<string, Set<string>>();
  for (const { conversation, turn } of places) {
    const ids = byConversation.get(conversation) ?? new Set();
    byConversation.set(conversation, ids.add(turn));
  }
  const turns = new Map<string, TurnRow>();
  for (const [conversation, ids] of byConversation) {
    const owner = { ...engine.owner, conversation };
    const rows = await store.readTurns(owner, { ids: [...ids], limit: ids.size }, callOf(signal));
    for (const row of rows) turns.set(JSON.stringify([conversation, row.id]), row);
  }
  return turns;
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
