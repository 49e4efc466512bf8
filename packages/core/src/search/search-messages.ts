import { isoTime } from "../checks/duration.ts";
import { checkOptionalId } from "../checks/ids.ts";
import type { SearchFilter, SearchHit, SearchResult } from "../contract/conversation.ts";
import type { KeywordScope, PostingQuery } from "../contract/store-keyword.ts";
import { MemoryError } from "../errors/memory-error.ts";
import type { Engine } from "../memory/engine.ts";
import { codeOf, throwIfAborted } from "../memory/resilience.ts";
import { embedTexts } from "./embed-conversation.ts";
import { embeddingState } from "./embedding-model.ts";
import { factKeys } from "./fact-keys.ts";
import { queryTerms } from "./index-terms.ts";
import { type KeywordCandidates, keywordCandidates, NO_CANDIDATES, type Place } from "./keyword-candidates.ts";
import { loadHits, MORE_HITS, wantedHits } from "./load-hits.ts";
import { queryTimes } from "./query-times.ts";
import { type Candidates, type Ranking, rankCandidates } from "./rank-candidates.ts";
import { nearest } from "./semantic.ts";
import { WEIGHTS } from "./weights.ts";

/** What a search is narrowed by inside the library. */
type InnerFilter = SearchFilter & { exclude?: { conversation: string; after: number } | undefined };

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
  const postingQuery = await toPostingQuery(engine, query, filter);
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
  const hits = await bestHits(
    engine,
    scope,
    { words, near: semantic.near, facts, floor: semanticFloor(engine) },
    filter,
  );
  engine.emit({ type: "memory.searched", hits: hits.length });
  const rest = {
    ...(found === NO_CANDIDATES ? {} : { relevance: found.relevance }),
    ...(semantic.code === undefined ? {} : { code: semantic.code }),
  };
  if (hits.length > 0) return { hits, ...rest };
  return { hits, reason: emptyReason(byWords, found, semantic), ...rest };
}

/** Loads the best: of a ranking that goes as far as is likely needed, and where too much of that is gone, of the whole one. */
async function bestHits(
  engine: Engine,
  scope: KeywordScope,
  candidates: Candidates,
  filter: InnerFilter,
): Promise<SearchHit[]> {
  const k = wantedHits(filter.k);
  const load = ({ ranked }: Ranking) =>
    loadHits(engine, scope, { ranked, places: candidates.words.places }, { ...filter, k });
  const ranking = await rankCandidates(candidates, k + MORE_HITS);
  const hits = await load(ranking);
  return hits.length >= k || ranking.isWhole ? hits : load(await rankCandidates(candidates));
}

const semanticFloor = ({ options }: Engine): number => options.semanticFloor ?? DEFAULT_FLOOR;

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

async function toPostingQuery(engine: Engine, query: string, filter: InnerFilter): Promise<PostingQuery> {
  const { terms: times, rest } = queryTimes(engine, query);
  return { terms: [...queryTerms(rest), ...times], ...toFilter(filter) };
}

const toFilter = (filter: InnerFilter): Omit<PostingQuery, "terms"> => ({
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
    const floor = semanticFloor(engine);
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
