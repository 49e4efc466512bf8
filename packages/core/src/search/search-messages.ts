import { isoTime } from "../checks/duration.ts";
import { checkOptionalId } from "../checks/ids.ts";
import type { SearchFilter, SearchHit, SearchResult } from "../contract/conversation.ts";
import type { MemoryStore } from "../contract/memory-store.ts";
import type { Message, Turn } from "../contract/message.ts";
import type { KeywordScope, PostingQuery } from "../contract/store-keyword.ts";
import type { TurnRow } from "../contract/store-rows.ts";
import { publicTurn } from "../conversation/public-turn.ts";
import { MemoryError } from "../errors/memory-error.ts";
import { callOf } from "../memory/call-options.ts";
import type { Engine } from "../memory/engine.ts";
import { codeOf, throwIfAborted } from "../memory/resilience.ts";
import { embedTexts } from "./embed-conversation.ts";
import { embeddingState } from "./embedding-model.ts";
import { fuse } from "./fuse.ts";
import { type KeywordCandidate, keywordCandidates, type Place } from "./keyword-candidates.ts";
import { nearest } from "./semantic.ts";
import { extractTerms } from "./terms.ts";

/** What a search is narrowed by inside the library. */
type InnerFilter = SearchFilter & { exclude?: { conversation: string; after: number } | undefined };

const MAX_K = 100;
const MAX_NEIGHBOURS = 5;
const MAX_NEAR = 200;
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
  const semantic = mode === "keyword" ? NO_VECTORS : await searchVectors(engine, scope, query, postingQuery, filter);
  if (mode === "semantic" && semantic.code !== undefined) {
    throw new MemoryError(semantic.code, semantic.reason ?? "Semantic search is not possible.");
  }
  const byWords = mode !== "semantic" && postingQuery.terms.length > 0;
  const { candidates, documents } = byWords
    ? await keywordCandidates(engine, scope, postingQuery, filter.signal)
    : { candidates: [], documents: 0 };
  const hits = await loadHits(engine, scope, rankCandidates(engine, candidates, semantic.near), filter);
  engine.emit({ type: "memory.searched", hits: hits.length });
  const code = semantic.code === undefined ? {} : { code: semantic.code };
  if (hits.length > 0) return { hits, ...code };
  return { hits, reason: emptyReason(byWords, documents, semantic), ...code };
}

function emptyReason(byWords: boolean, documents: number, semantic: SemanticResult): string {
  if (!byWords && semantic.reason === undefined && semantic !== NO_VECTORS) {
    return "Nothing that was said is near enough.";
  }
  if (!byWords) return semantic.reason ?? "The query holds no word to search by.";
  return documents === 0 ? "Nothing was said here yet." : "No message that may be shown holds these words.";
}

const toPostingQuery = (query: string, filter: InnerFilter): PostingQuery => ({
  terms: [...new Set(extractTerms(query))],
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
  place: Place;
  score: number;
  matched: SearchHit["matched"];
}

const placeKey = ({ conversation, turn, seq, message }: Place): string =>
  JSON.stringify([conversation, turn, seq, message]);

function rankCandidates(
  engine: Engine,
  words: readonly KeywordCandidate[],
  near: readonly { place: Place; score: number }[],
): RankedPlace[] {
  const places = new Map([...near, ...words].map(({ place }) => [placeKey(place), place]));
  const scored = (list: readonly { place: Place; score: number }[]) =>
    list.map(({ place, score }) => ({ key: placeKey(place), score }));
  return fuse(scored(words), scored(near), engine.options.semanticFloor ?? DEFAULT_FLOOR).map(
    ({ key, score, matched }) => ({
      place: places.get(key) as Place,
      score,
      matched,
    }),
  );
}

/** Loads the best `k` that are still there to be shown. */
async function loadHits(
  engine: Engine,
  scope: KeywordScope,
  ranked: readonly RankedPlace[],
  filter: InnerFilter,
): Promise<SearchHit[]> {
  const store = await engine.store();
  const k = Math.min(MAX_K, Math.max(0, Math.floor(filter.k ?? 10)));
  const hits: SearchHit[] = [];
  for (let from = 0; hits.length < k && from < ranked.length; ) {
    // A few more than are missing, since some may be gone, and all that score like the last: ties are broken by time.
    let to = Math.min(ranked.length, from + (k - hits.length) + 4);
    while (to < ranked.length && ranked[to]?.score === ranked[to - 1]?.score) to++;
    const batch = ranked.slice(from, to);
    from = to;
    const turns = await turnsAt(
      engine,
      store,
      batch.map((entry) => entry.place),
      filter.signal,
    );
    for (const { place, score, matched } of batch) {
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
        score,
        matched,
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
