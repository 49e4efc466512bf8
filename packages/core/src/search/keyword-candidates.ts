import type { MemoryStore } from "../contract/memory-store.ts";
import type { KeywordDocument, KeywordGroup, KeywordScope, PostingQuery } from "../contract/store-keyword.ts";
import type { SearchRows } from "../contract/store-search.ts";
import { allTurns } from "../conversation/all-turns.ts";
import { callOf } from "../memory/call-options.ts";
import type { Engine } from "../memory/engine.ts";
import type { FoundTurns } from "./found-turns.ts";
import type { UnitPostings } from "./gather-units.ts";
import { keywordDocuments } from "./index-work.ts";
import { type RankedUnit, rankUnits } from "./rank-units.ts";
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

/** Documents that are in memory, because no index holds them. */
interface Scanned {
  place: Place;
  document: KeywordDocument;
  /** The number of its conversation in postings. */
  conversation: number;
}

/** What a scope holds of a question's words. */
export interface KeywordCandidates {
  /** Best first; of a long message there may be several pieces. */
  units: readonly RankedUnit[];
  /** Share of the question that stands around one of the best. */
  relevance: number;
  /** How many there are at all. */
  documents: number;
  /** Where some of them are; those that are gone are left out. `beside`: what else may be shown, for turns to be read with them. */
  places(documents: readonly number[], beside?: readonly Place[]): Promise<Map<number, Place>>;
}

export const NO_CANDIDATES: KeywordCandidates = {
  units: [],
  relevance: 0,
  documents: 0,
  places: () => Promise.resolve(new Map()),
};

/** Messages of a scope by their words, best first, and how many documents there are at all; `phrases` are the terms of each. */
export async function keywordCandidates(
  engine: Engine,
  scope: KeywordScope,
  query: PostingQuery,
  { phrases = [], turns, read, signal }: KeywordReading,
): Promise<KeywordCandidates> {
  const store = await engine.store();
  const scanned = await scan(engine, { store, scope, read }, query.groups, signal);
  const indexed = read?.postings ?? (await store.keyword?.postings(engine.owner, scope, query, callOf(signal)));
  const documents = (indexed?.documents ?? 0) + scanned.length;
  if (documents === 0) return NO_CANDIDATES;
  const ranking = rankUnits({
    documents,
    totalLength: (indexed?.totalLength ?? 0) + scanned.reduce((sum, { document }) => sum + document.length, 0),
    terms: mergeScanned(query.terms, query, indexed, scanned),
    phrases,
  });
  return { ...ranking, documents, places: (batch, beside) => placesOf(turns, batch, scanned, beside) };
}

/** How candidates are read. */
interface KeywordReading {
  /** Terms of quoted phrases. */
  phrases?: readonly (readonly string[])[];
  turns: FoundTurns;
  /** What was read already. */
  read?: Pick<SearchRows, "postings" | "behind" | "unindexed"> | undefined;
  signal?: AbortSignal | undefined;
}

/** Where unindexed turns come from. */
interface Tail {
  store: MemoryStore;
  scope: KeywordScope;
  read: KeywordReading["read"];
}

/** Numbers of scanned documents begin here, above any that a store gives: what isn't indexed yet is the newest. */
const SCANNED_FROM = 2 ** 50;

/** Turns of the scope that no index holds: the tail behind the watermark, or all of them. */
async function scan(
  engine: Engine,
  tail: Tail,
  groups: readonly KeywordGroup[],
  signal: AbortSignal | undefined,
): Promise<Scanned[]> {
  const { scope, read } = tail;
  const scanned: Scanned[] = [];
  for await (const { conversation, after, number } of unindexed(engine, tail, signal)) {
    const owner = { ...engine.owner, conversation };
    const known = read?.unindexed?.filter((turn) => turn.conversation === conversation);
    for await (const turn of known ?? allTurns(engine, owner, { after }, callOf(signal))) {
      for (const document of keywordDocuments(turn)) {
        if (!groups.includes(document.group)) continue;
        const place = { conversation, turn: turn.id, seq: turn.seq, message: document.message, subject: turn.subject };
        // A turn filed under another subject than its conversation's is that one's to find.
        if (scope.kind === "subject" && place.subject !== scope.subject) continue;
        scanned.push({ place, document, conversation: number });
      }
    }
  }
  return scanned.sort((a, b) => (a.document.createdAt < b.document.createdAt ? -1 : 1));
}

/** Conversations of the scope with turns that no index holds. */
async function* unindexed(
  engine: Engine,
  { store, scope, read }: Tail,
  signal: AbortSignal | undefined,
): AsyncGenerator<{ conversation: string; after: number; number: number }> {
  if (read?.behind !== undefined) {
    yield* read.behind;
    return;
  }
  if (store.keyword) {
    yield* await store.keyword.behind(engine.owner, scope, { limit: 10_000 }, callOf(signal));
    return;
  }
  let number = 0;
  for await (const row of conversationsIn(engine, scope, signal)) {
    yield { conversation: row.id, after: 0, number: number++ };
  }
}

/** The postings of an index, with those of scanned documents added to them. */
function mergeScanned(
  terms: readonly string[],
  query: PostingQuery,
  indexed: { terms: readonly UnitPostings[] } | undefined,
  scanned: readonly Scanned[],
): UnitPostings[] {
  const stored = new Map(indexed?.terms.map((entry) => [entry.term, entry]));
  const counted = scanned.map(({ document }) => new Map(document.terms));
  return terms.map((term) => {
    const base = stored.get(term);
    if (base !== undefined && scanned.length === 0) return base;
    const merged = {
      term,
      documentFrequency: base?.documentFrequency ?? 0,
      documents: [...(base?.documents ?? [])],
      frequencies: [...(base?.frequencies ?? [])],
      lengths: [...(base?.lengths ?? [])],
      conversations: [...(base?.conversations ?? [])],
      places: [...(base?.places ?? [])],
    };
    scanned.forEach((entry, index) => {
      const frequency = counted[index]?.get(term);
      if (frequency === undefined) return;
      merged.documentFrequency++;
      if (!passes(entry, query)) return;
      merged.documents.push(SCANNED_FROM + index);
      merged.frequencies.push(frequency);
      merged.lengths.push(entry.document.length);
      merged.conversations.push(entry.conversation);
      merged.places.push(entry.document.place);
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
  turns: FoundTurns,
  batch: readonly number[],
  scanned: readonly Scanned[],
  beside: readonly Place[] = [],
): Promise<Map<number, Place>> {
  const places = new Map<number, Place>();
  const stored: number[] = [];
  for (const document of batch) {
    if (document >= SCANNED_FROM) places.set(document, (scanned[document - SCANNED_FROM] as Scanned).place);
    else stored.push(document);
  }
  for (const row of await turns.documents(stored, [...places.values(), ...beside])) {
    const { document, conversation, turn, seq, message, subject } = row;
    places.set(document, { conversation, turn, seq, message, subject });
  }
  return places;
}
