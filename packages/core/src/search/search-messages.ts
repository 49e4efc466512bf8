import { isoTime } from "../checks/duration.ts";
import { checkOptionalId } from "../checks/ids.ts";
import type { SearchFilter, SearchHit, SearchResult } from "../contract/conversation.ts";
import type { MemoryStore } from "../contract/memory-store.ts";
import type { Message, Turn } from "../contract/message.ts";
import type { KeywordScope, PostingQuery } from "../contract/store-keyword.ts";
import { publicTurn } from "../conversation/public-turn.ts";
import { MemoryError } from "../errors/memory-error.ts";
import { callOf } from "../memory/call-options.ts";
import type { Engine } from "../memory/engine.ts";
import { codeOf, throwIfAborted } from "../memory/resilience.ts";
import { datesIn } from "./date-terms.ts";
import { embedTexts } from "./embed-conversation.ts";
import { embeddingState } from "./embedding-model.ts";
import { type FactKey, factKeys } from "./fact-keys.ts";
import { fuse } from "./fuse.ts";
import { queryTerms } from "./index-terms.ts";
import { type KeywordCandidates, keywordCandidates, NO_CANDIDATES, type Place } from "./keyword-candidates.ts";
import { nearest } from "./semantic.ts";
import { readTurnsAt, turnKey } from "./turns-at.ts";
import { WEIGHTS } from "./weights.ts";

/** What a search is narrowed by inside the library. */
type InnerFilter = SearchFilter & { exclude?: { conversation: string; after: number } | undefined };

const MAX_K = 100;
const MAX_NEIGHBOURS = 5;
const MAX_NEAR = 200;
/** Share of a question's words. */
const MOST_OF_A_QUESTION = 0.5;
/** Cosine below which a message is not near, until a model is calibrated. */
const DEFAULT_FLOOR = 0.35;

/** Finds messages of a scope by their words and, with an embedder, by their meaning, best first. */
export async function searchMessages(
  engine: Engine,
  scope: KeywordScope,
  query: string,
  filter: InnerFilter = {},
): Promise<SearchResult> {
  throwIfAborted(filter.signal, "search");
  if (typeof query !== "string") throw new MemoryError("INVALID_ARGUMENT", "A search needs its words as a text.");
  checkOptionalId(filter.conversation, "conversation id");
  const mode = filter.mode ?? "hybrid";
  if (query.trim() === "") return { hits: [], reason: "The query is empty." };
  const postingQuery = toPostingQuery(query, filter);
  const byWords = mode !== "semantic" && postingQuery.terms.length > 0;
  const [semantic, found, remembered] = await Promise.all([
    mode === "keyword" ? NO_VECTORS : searchVectors(engine, scope, query, postingQuery, filter),
    byWords ? keywordCandidates(engine, scope, postingQuery, filter.signal) : NO_CANDIDATES,
    byWords ? factKeys(engine, scope, query, postingQuery, filter.signal) : [],
  ]);
  if (mode === "semantic" && semantic.code !== undefined) {
    throw new MemoryError(semantic.code, semantic.reason ?? "Semantic search is not possible.");
  }
  const isRelevant = found.relevance >= floorOf(engine, found.documents);
  const words = isRelevant ? found : { ...found, units: [] };
  // Where too little was said, only a fact that holds most of the question answers it.
  const facts = isRelevant ? remembered : remembered.filter(({ holds }) => holds > MOST_OF_A_QUESTION);
  const ranked = await rankCandidates(engine, words, semantic.near, facts);
  const hits = await loadHits(engine, scope, { ranked, places: words.places }, filter);
  engine.emit({ type: "memory.searched", hits: hits.length });
  const rest = {
    ...(found === NO_CANDIDATES ? {} : { relevance: found.relevance }),
    ...(semantic.code === undefined ? {} : { code: semantic.code }),
  };
  if (hits.length > 0) return { hits, ...rest };
  return { hits, reason: emptyReason(byWords, found, semantic), ...rest };
}

/** The share of a question that must be there: less where little was said, and it isn't known yet which words are rare. */
const floorOf = ({ options }: Engine, documents: number): number =>
  (options.keywordFloor ?? WEIGHTS.floor) * Math.min(1, documents / WEIGHTS.floorFrom);

function emptyReason(byWords: boolean, found: KeywordCandidates, semantic: SemanticResult): string {
  if (!byWords && semantic.reason === undefined && semantic !== NO_VECTORS) {
    return "Nothing that was said is near enough.";
  }
  if (!byWords) return semantic.reason ?? "The query holds no word to search by.";
  if (found.documents === 0) return "Nothing was said here yet.";
  if (found.units.length > 0) return "Too little of what is asked was said here to be an answer.";
  return "No message that may be shown holds these words.";
}

const toPostingQuery = (query: string, filter: InnerFilter): PostingQuery => ({
  terms: [...queryTerms(query), ...datesIn(query)],
  groups: filter.toolResults ? ["said", "tool"] : ["said"],
  ...(filter.role === undefined ? {} : { role: filter.role }),
  ...(filter.from === undefined ? {} : { from: isoTime(filter.from, "from") }),
  ...(filter.to === undefined ? {} : { to: isoTime(filter.to, "to") }),
  ...(filter.conversation === undefined ? {} : { conversation: filter.conversation }),
  ...(filter.exclude === undefined ? {} : { exclude: filter.exclude }),
});

interface SemanticResult {
  near: { place: Place; score: number }[];
  /** Why there is nothing by meaning. */
  code?: MemoryError["code"];
  reason?: string;
}

const NO_VECTORS: SemanticResult = { near: [] };

/** What is near the query. Without an embedder, with search off or with another model's vectors: nothing, and why. */
async function searchVectors(
  engine: Engine,
  scope: KeywordScope,
  query: string,
  filter: PostingQuery,
  { signal }: InnerFilter,
): Promise<SemanticResult> {
  const { embedder } = engine.options;
  if (embedder === undefined || !engine.policy.search.enabled) return NO_VECTORS;
  const state = await embeddingState(engine, embedder);
  if (state === "none") return NO_VECTORS;
  if (state === "other") {
    const reason = `The stored vectors come from another model than "${embedder.modelId}"; run reindex().`;
    return { near: [], code: "EMBEDDING_MODEL_MISMATCH", reason };
  }
  try {
    const [vector] = await embedTexts(embedder, [query], "query", {
      // The rest of the time is for the words.
      ms: Math.max(1, engine.readTimeoutMs / 2),
      signal,
    });
    const floor = engine.options.semanticFloor ?? DEFAULT_FLOOR;
    const { terms: _terms, groups: _groups, ...narrowed } = filter;
    const { modelId, dimensions } = embedder;
    const near = {
      ...narrowed,
      model: { modelId, dimensions },
      vector: vector as Float32Array,
      floor,
      limit: MAX_NEAR,
    };
    const found = await nearest(engine, scope, near, signal);
    return {
      near: found.map(({ conversation, turn, seq, message, subject, score }) => ({
        place: { conversation, turn, seq, message, subject },
        score,
      })),
    };
  } catch (error) {
    throwIfAborted(signal, "search");
    engine.emit({ type: "memory.read_failed", operation: "semantic search", code: codeOf(error) }, error);
    return { near: [], code: "EMBEDDER_FAILED", reason: "The embedder could not take the query." };
  }
}

interface RankedPlace {
  /** Where it is, or the number by which that is looked up. */
  at: Place | number;
  score: number;
  matched: SearchHit["matched"];
  fact?: string;
}

const placeKey = ({ conversation, turn, seq, message }: Place): string =>
  JSON.stringify([conversation, turn, seq, message]);

/** One ranking of what the words and the meaning found. Where only one of them found something it stays as it is. */
async function rankCandidates(
  engine: Engine,
  words: Pick<KeywordCandidates, "units" | "places">,
  near: readonly { place: Place; score: number }[],
  facts: readonly FactKey[],
): Promise<RankedPlace[]> {
  if (near.length === 0 && facts.length === 0)
    return words.units.map(({ document, score }) => ({ at: document, score, matched: "keyword" }));
  const found = await words.places(words.units.map(({ document }) => document));
  const placed = words.units.flatMap(({ document, score }) => {
    const place = found.get(document);
    return place === undefined ? [] : [{ place, score }];
  });
  const places = new Map([...near, ...facts, ...placed].map(({ place }) => [placeKey(place), place]));
  const scored = (list: readonly { place: Place; score: number }[]) =>
    list.map(({ place, score }) => ({ key: placeKey(place), score }));
  const floor = engine.options.semanticFloor ?? DEFAULT_FLOOR;
  const factOf = new Map(facts.map(({ place, fact }) => [placeKey(place), fact]));
  const fused = fuse({ words: scored(placed), meaning: scored(near), facts: scored(facts), floor });
  return fused.map(({ key, score, matched }) => {
    const fact = factOf.get(key);
    // The keys are those of these places.
    return { at: places.get(key) as Place, score, matched, ...(fact === undefined ? {} : { fact }) };
  });
}

/** Loads the best `k` that are still there to be shown. */
async function loadHits(
  engine: Engine,
  scope: KeywordScope,
  { ranked, places }: { ranked: readonly RankedPlace[]; places: KeywordCandidates["places"] },
  filter: InnerFilter,
): Promise<SearchHit[]> {
  const store = await engine.store();
  const k = Math.min(MAX_K, Math.max(0, Math.floor(filter.k ?? 10)));
  const hits: SearchHit[] = [];
  const seen = new Set<string>();
  for (let from = 0; hits.length < k && from < ranked.length; ) {
    // A few more than are missing, since some may be gone, and all that score like the last: ties are broken by time.
    let to = Math.min(ranked.length, from + (k - hits.length) + 4);
    while (to < ranked.length && ranked[to]?.score === ranked[to - 1]?.score) to++;
    const part = ranked.slice(from, to);
    from = to;
    const found = await places(part.flatMap(({ at }) => (typeof at === "number" ? [at] : [])));
    const batch = part.flatMap(({ at, ...reason }) => {
      const place = typeof at === "number" ? found.get(at) : at;
      if (place === undefined || seen.has(placeKey(place))) return [];
      // Of a long message the best piece counts.
      seen.add(placeKey(place));
      return [{ place, ...reason }];
    });
    const turns = await readTurnsAt(
      engine,
      batch.map((entry) => entry.place),
      filter.signal,
    );
    for (const { place, ...reason } of batch) {
      const turn = turns.get(turnKey(place));
      const message = turn?.messages.find((candidate) => candidate.id === place.message);
      // Under another number it was written anew, and what it said before may have been something else.
      if (!turn || !message || turn.hidden || turn.seq !== place.seq) continue;
      // A turn filed under another subject than its conversation's is that one's to find.
      if (scope.kind === "subject" && turn.subject !== scope.subject) continue;
      hits.push({
        message: { ...message, seq: turn.seq, turn: turn.id } satisfies Message,
        conversation: place.conversation,
        turn: turn.id,
        ...(turn.subject === undefined ? {} : { subject: turn.subject }),
        ...reason,
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
