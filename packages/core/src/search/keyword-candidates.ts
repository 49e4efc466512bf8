import type { MemoryStore } from "../contract/memory-store.ts";
import type { KeywordGroup, KeywordScope, PostingQuery } from "../contract/store-keyword.ts";
import type { SearchRows } from "../contract/store-search.ts";
import { allTurns } from "../conversation/all-turns.ts";
import { callOf } from "../memory/call-options.ts";
import type { Engine } from "../memory/engine.ts";
import { Breath } from "./breath.ts";
import type { FoundTurns } from "./found-turns.ts";
import { keywordDocumentSlices } from "./keyword-documents.ts";
import { REACH } from "./near-units.ts";
import type { Period } from "./period-of.ts";
import { openBehind, rankFollowing } from "./rank-following.ts";
import { type HeldUnits, type RankedUnit, rankUnits } from "./rank-units.ts";
import { fewDays, postingsThen, withSaidThen } from "./said-then.ts";
import { ScannedPostings } from "./scanned-postings.ts";
import { conversationsIn } from "./scope-conversations.ts";
import { turnDocuments } from "./turn-documents.ts";

/** Where a message is: what a hit is loaded by. */
export interface Place {
  conversation: string;
  turn: string;
  seq: number;
  /** Id of the message. */
  message: string;
  subject?: string | undefined;
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
  { phrases = [], beside: uncounted, saidThen, turns, read, signal }: KeywordReading,
): Promise<KeywordCandidates> {
  const store = await engine.store();
  const breath = new Breath(signal);
  const then = fewDays(query.terms, saidThen);
  const scanned = new ScannedPostings(query, SCANNED_FROM, then);
  await scan(engine, { store, scope, read, groups: query.groups }, { scanned, breath }, signal);
  const [indexed, indexedThen] = await Promise.all([
    read?.postings ?? store.keyword?.postings(engine.owner, scope, query, callOf(signal)),
    then === undefined ? [] : postingsThen(engine, store, { scope, query, then }, signal),
  ]);
  const documents = (indexed?.documents ?? 0) + scanned.documents;
  if (documents === 0) return NO_CANDIDATES;
  const totalLength = (indexed?.totalLength ?? 0) + scanned.totalLength;
  const terms = withSaidThen(scanned.mergedWith((indexed?.terms ?? []).concat(indexedThen)));
  const { held, units, relevance } = await breath.through(
    rankUnits({ documents, totalLength, terms, phrases, beside: uncounted }),
  );
  const more = held === undefined ? [] : await following(engine, scope, query, { held, scanned, breath }, signal);
  return {
    units: more.length === 0 ? units : [...units, ...more].sort((left, right) => right.score - left.score),
    relevance,
    documents,
    places: (batch, beside) => placesOf(turns, batch, scanned, beside),
  };
}

/** What stands right behind the best and holds no word of the question, ranked. */
async function following(
  engine: Engine,
  scope: KeywordScope,
  { terms: _terms, ...query }: PostingQuery,
  { held, scanned, breath }: { held: HeldUnits; scanned: ScannedPostings; breath: Breath },
  signal: AbortSignal | undefined,
): Promise<RankedUnit[]> {
  const open = openBehind(held);
  const documents = open.map(({ document }) => document).filter((document) => document < SCANNED_FROM);
  const store = await engine.store();
  const stored =
    documents.length === 0
      ? []
      : ((await store.keyword?.following(engine.owner, scope, { ...query, documents, turns: REACH }, callOf(signal))) ??
        []);
  const known = new Set(stored.map(({ behind }) => behind));
  const tail = open.flatMap(({ document, conversation }) =>
    known.has(document) ? [] : scanned.following(document, conversation),
  );
  return breath.through(rankFollowing(held, [...stored, ...tail]));
}

/** How candidates are read. */
interface KeywordReading {
  /** Terms of quoted phrases. */
  phrases?: readonly (readonly string[])[];
  /** Terms that are other spellings of a word. */
  beside?: ReadonlySet<string> | undefined;
  /** The days that a question of other words names. */
  saidThen?: Period | undefined;
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
  groups: readonly KeywordGroup[];
}

/** Numbers of scanned documents begin here, above any that a store gives. */
const SCANNED_FROM = 2 ** 50;

/** Turns of the scope that no index holds: the tail behind the watermark, or all of them. */
async function scan(
  engine: Engine,
  tail: Tail,
  { scanned, breath }: { scanned: ScannedPostings; breath: Breath },
  signal: AbortSignal | undefined,
): Promise<void> {
  const { store, scope, read, groups } = tail;
  for await (const { conversation, after, number } of unindexed(engine, tail, signal)) {
    const owner = { ...engine.owner, conversation };
    const known = read?.unindexed?.filter((turn) => turn.conversation === conversation);
    for await (const turn of known ?? allTurns(engine, owner, { after }, callOf(signal))) {
      // A turn filed under another subject than its conversation's is that one's to find.
      if (scope.kind === "subject" && turn.subject !== scope.subject) continue;
      const at = { conversation, turn: turn.id, seq: turn.seq, subject: turn.subject };
      // Only what waits for an index is kept taken apart: where there is none, the next search finds none of it there.
      const slices = store.keyword === undefined ? keywordDocumentSlices(turn) : turnDocuments(engine, turn);
      const documents = await breath.through(slices);
      for (const document of documents) if (groups.includes(document.group)) scanned.add(at, document, number);
      await breath.take();
    }
  }
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

async function placesOf(
  turns: FoundTurns,
  batch: readonly number[],
  scanned: ScannedPostings,
  beside: readonly Place[] = [],
): Promise<Map<number, Place>> {
  const places = new Map<number, Place>();
  const stored: number[] = [];
  for (const document of batch) {
    const place = scanned.place(document);
    if (place === undefined) stored.push(document);
    else places.set(document, place);
  }
  for (const row of await turns.documents(stored, [...places.values(), ...beside])) {
    const { document, conversation, turn, seq, message, subject } = row;
    places.set(document, { conversation, turn, seq, message, subject });
  }
  return places;
}
