import { isoTime } from "../checks/duration.ts";
import type { SearchFilter, SearchHit, SearchResult } from "../contract/conversation.ts";
import type { Embedder } from "../contract/models.ts";
import type { KeywordScope, PostingQuery } from "../contract/store-keyword.ts";
import { MemoryError } from "../errors/memory-error.ts";
import type { Engine } from "../memory/engine.ts";
import { codeOf, throwIfAborted } from "../memory/resilience.ts";
import { askedPart } from "./asked-part.ts";
import { checkFilter } from "./check-filter.ts";
import { termsOfPeriod } from "./date-terms.ts";
import { DEFAULT_FAR, DEFAULT_FLOOR, embeddingState } from "./embedding-model.ts";
import { factKeys } from "./fact-keys.ts";
import { type FoundTurns, foundTurns } from "./found-turns.ts";
import { aboutTerms, phraseTerms } from "./index-terms.ts";
import { type KeywordCandidates, keywordCandidates, NO_CANDIDATES } from "./keyword-candidates.ts";
import { loadHits, MORE_HITS, type RankedPlace, wantedHits } from "./load-hits.ts";
import { meaningAround } from "./meaning-around.ts";
import { questionTerms } from "./message-terms.ts";
import type { Period } from "./period-of.ts";
import { phrasesIn } from "./phrases.ts";
import { queryTimes } from "./query-times.ts";
import { questionVector } from "./question-vector.ts";
import { quotedBy, quotedFirst } from "./quoted.ts";
import { type Candidates, type Ranking, rankCandidates } from "./rank-candidates.ts";
import {
  nearAhead,
  nearQuery,
  type ReadTogether,
  readTogether,
  type SearchScope,
  semanticFloor,
  type Wanted,
} from "./read-together.ts";
import { type NearPlace, nearest } from "./semantic.ts";
import { besideFewWords, standingOut } from "./stands-out.ts";
import { extractTerms } from "./terms.ts";
import { WEIGHTS } from "./weights.ts";
import { within } from "./within.ts";

/** What a search is narrowed by inside the library. */
type InnerFilter = SearchFilter & {
  exclude?: { conversation: string; after: number } | undefined;
  /** The time zone that a question's "yesterday" is meant in. @default the app's */
  zone?: () => Promise<string>;
  /** Only what holds what the question has in quotation marks. */
  isQuote?: true;
};

/** Share of a question's words. */
const MOST_OF_A_QUESTION = 0.5;

/** Finds messages of a scope by their words and, with an embedder, by their meaning, best first. */
export async function searchMessages(
  engine: Engine,
  asked: SearchScope,
  question: string,
  filter: InnerFilter = {},
): Promise<SearchResult> {
  throwIfAborted(filter.signal, "search");
  if (typeof question !== "string") throw new MemoryError("INVALID_ARGUMENT", "A search needs its words as a text.");
  const query = askedPart(question);
  checkFilter(filter);
  const mode = filter.mode ?? "hybrid";
  if (mode === "semantic") refuseWithoutMeaning(engine);
  if (query.trim() === "") return { hits: [], reason: "The query is empty." };
  const phrases = mode === "semantic" ? [] : phrasesIn(query);
  const termsOfPhrases = phrases.map(phraseTerms);
  const asking = await toPostingQuery(engine, query, termsOfPhrases.flat(), filter);
  const { words: postingQuery, beside, isOfTime, saidThen } = asking;
  const byWords = mode !== "semantic" && postingQuery.terms.length > 0;
  const { signal } = filter;
  const byMeaning = mode !== "keyword" && engine.policy.search.enabled;
  const embedder = byMeaning ? engine.options.embedder : undefined;
  const wants = { query, words: postingQuery, byWords, embedder, signal };
  const { scope, read } = await readTogether(engine, asked, wants);
  const turns = foundTurns(engine, signal);
  const phrased = { phrases: termsOfPhrases, beside, saidThen, turns, read: read?.rows, signal };
  const [semantic, found, remembered] = await Promise.all([
    embedder === undefined ? NO_VECTORS : searchVectors(engine, scope, { ...wants, embedder }, read),
    byWords ? keywordCandidates(engine, scope, postingQuery, phrased) : NO_CANDIDATES,
    byWords ? factKeys(engine, scope, query, postingQuery, { read: read?.rows.facts, signal }) : [],
  ]);
  if (mode === "semantic" && semantic.code !== undefined) {
    throw new MemoryError(semantic.code, semantic.reason ?? "Semantic search is not possible.", {
      cause: semantic.cause,
    });
  }
  const border = floorOf(engine, found.documents);
  const isRelevant = filter.isQuote !== true && found.relevance >= border;
  const quoted = await quotedBy(turns, found, phrases);
  // What holds a quoted phrase answers, however little else was said.
  const words = isRelevant ? found : { ...found, units: found.units.filter(({ document }) => quoted.has(document)) };
  // Where too little was said, only a fact that holds most of the question answers it.
  const facts = isRelevant
    ? remembered
    : remembered.filter(({ holds }) => filter.isQuote !== true && holds > MOST_OF_A_QUESTION);
  const { floor } = semantic;
  const weight = semantic.tells ? WEIGHTS.semantic : WEIGHTS.semanticUntold;
  const standsOut = standingOut(semantic.near, semantic);
  const [top] = semantic.near;
  const meaning = top === undefined ? 0 : standsOut(top.score);
  const needed = partNeeded(found.documents);
  const isNear = isRelevant || (top !== undefined && (meaning >= needed || semantic.isGiven === true));
  // A floor of 0 says that any words are enough, a fact that holds most of the question is, and a model that tells nothing can't say.
  const areEnough = border === 0 || !semantic.tells || facts.some(({ holds }) => holds > MOST_OF_A_QUESTION);
  const besides = (cosine: number): number =>
    areEnough ? 0 : besideFewWords(found.relevance / border, standsOut(cosine) / needed);
  const isBeside = words.units.length > 0 || facts.length > 0;
  // By meaning alone cosines are what is answered; beside something else they are one part of it.
  const near = !isNear ? [] : isBeside ? meaningAround(semantic.near, floor, besides) : semantic.near;
  const first = (ranked: RankedPlace[]): RankedPlace[] => quotedFirst(ranked, quoted, phrases.length);
  // What quotes may stand anywhere in the ranking, so all of it is needed.
  const wanted = quoted.size > 0 ? undefined : wantedHits(filter.k) + MORE_HITS;
  const hits = await bestHits(engine, scope, { words, near, facts, floor, weight }, { filter, first, wanted, turns });
  // Nothing was said then; what was said of that day on another one says its date.
  const dates = hits.length === 0 && filter.k !== 0 && isOfTime && mode !== "semantic" ? asking.written : [];
  if (dates.length > 0) {
    const ofDates = await searchMessages(engine, asked, dates.map((date) => `"${date}"`).join(" "), {
      ...filter,
      mode: "keyword",
      isQuote: true,
    });
    return ofDates.hits.length > 0 ? ofDates : { hits: [], reason: "Nothing was said then.", relevance: 0 };
  }
  engine.emit({ type: "memory.searched", hits: hits.length });
  const rest = {
    ...(found === NO_CANDIDATES ? {} : { relevance: Math.max(found.relevance, Math.min(1, WEIGHTS.floor * meaning)) }),
    ...(semantic.code === undefined ? {} : { code: semantic.code }),
  };
  if (hits.length > 0) return { hits, ...rest };
  const reason =
    filter.k === 0
      ? "No hit was asked for: k is 0."
      : isOfTime
        ? "Nothing was said then."
        : emptyReason(byWords, found, semantic);
  return { hits, reason, ...rest };
}

/** By meaning alone is what was asked for: that there is no way to is no "nothing found". */
function refuseWithoutMeaning({ policy, options }: Engine): void {
  if (!policy.search.enabled) {
    throw new MemoryError("TIER_OFF", 'The policy switches search by meaning off; use mode "hybrid" or "keyword".');
  }
  if (options.embedder !== undefined) return;
  throw new MemoryError("INVALID_ARGUMENT", 'search: mode "semantic" needs an embedder; pass one to createMemory.');
}

/** Loads the best: of a ranking that goes as far as is likely needed, and where too much of that is gone, of the whole one. */
async function bestHits(
  engine: Engine,
  scope: KeywordScope,
  candidates: Candidates,
  {
    filter,
    first,
    wanted,
    turns,
  }: {
    filter: InnerFilter;
    first: (ranked: RankedPlace[]) => RankedPlace[];
    wanted: number | undefined;
    turns: FoundTurns;
  },
): Promise<SearchHit[]> {
  const load = ({ ranked }: Ranking) =>
    loadHits(engine, scope, { ranked: first(ranked), places: candidates.words.places, turns }, filter);
  const ranking = await rankCandidates(candidates, wanted);
  const hits = await load(ranking);
  return hits.length >= wantedHits(filter.k) || ranking.isWhole ? hits : load(await rankCandidates(candidates));
}

/** The part of a long history's borders that must be reached: less where little was said, and it isn't known yet what is rare. */
const partNeeded = (documents: number): number => Math.min(1, documents / WEIGHTS.floorFrom);

/** The share of a question that must be there. */
const floorOf = ({ options }: Engine, documents: number): number =>
  (options.keywordFloor ?? WEIGHTS.floor) * partNeeded(documents);

function emptyReason(byWords: boolean, found: KeywordCandidates, semantic: SemanticResult): string {
  if (!byWords && semantic.reason === undefined && semantic !== NO_VECTORS) {
    return "Nothing that was said is near enough.";
  }
  if (!byWords) return semantic.reason ?? "The query holds no word to search by.";
  if (found.documents === 0) return "Nothing was said here yet.";
  if (found.units.length > 0) return "Too little of what is asked was said here to be an answer.";
  const byMeaning = semantic === NO_VECTORS || semantic.code !== undefined ? "" : ", and none is near enough";
  return `No message that may be shown holds these words${byMeaning}.`;
}

/** What a question asks for. */
interface Asking {
  words: PostingQuery;
  /** Terms that are no words of the question, but other spellings of one, or of a time. */
  beside: ReadonlySet<string>;
  /** A time is all that is asked for. */
  isOfTime: boolean;
  /** Where other words are asked for, the days that it names. */
  saidThen?: Period;
  /** Its dates, as they are written. */
  written: readonly string[];
}

async function toPostingQuery(
  engine: Engine,
  query: string,
  quoted: readonly string[],
  filter: InnerFilter,
): Promise<Asking> {
  const { terms: times, rest, besides, period, isOfTime, written } = await queryTimes(engine, query, filter.zone);
  // What asks for nothing but a time is answered by what was said then, and by nothing else.
  if (isOfTime && period !== undefined && quoted.length === 0) {
    const words = { terms: termsOfPeriod(period), ...within(toFilter(filter), period) };
    return { words, beside: new Set(), isOfTime, written };
  }
  const { terms, forms, spellings } = questionTerms(rest);
  const all = new Set([...terms, ...quoted, ...forms, ...(filter.isQuote ? [] : times)]);
  const beside = new Set([...spellings, ...aboutTerms(extractTerms(besides))].filter((term) => !all.has(term)));
  return {
    words: { terms: [...all, ...beside], ...toFilter(filter) },
    beside,
    isOfTime: false,
    ...(period === undefined || filter.isQuote ? {} : { saidThen: period }),
    written,
  };
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
  near: readonly NearPlace[];
  /** What each of them reaches. */
  floor: number;
  /** What answers something else is as near as this. */
  far: number;
  /** The app gave the floor: it is the only one. */
  isGiven?: boolean;
  /** Whether the model tells answers from other things said, as far as is known. */
  tells: boolean;
  /** Why there is nothing by meaning. */
  code?: MemoryError["code"];
  reason?: string;
  /** What the embedder threw. */
  cause?: unknown;
}

const NO_VECTORS: SemanticResult = { near: [], floor: DEFAULT_FLOOR, far: DEFAULT_FAR, tells: true };

/** What is near the query. Without vectors, or with another model's: nothing, and why. */
async function searchVectors(
  engine: Engine,
  scope: KeywordScope,
  { query, words, embedder, signal }: Wanted & { embedder: Embedder },
  read: ReadTogether | undefined,
): Promise<SemanticResult> {
  const state = read?.state ?? (await embeddingState(engine, embedder));
  if (state.vectors === "none") return NO_VECTORS;
  if (state.vectors === "other") {
    const reason = `The stored vectors come from another model than "${embedder.modelId}"; run reindex().`;
    return { ...NO_VECTORS, code: "EMBEDDING_MODEL_MISMATCH", reason };
  }
  try {
    const vector = await (read?.ahead?.vector ?? questionVector(engine, embedder, query, signal));
    const floor = semanticFloor(engine, state);
    const near = await (nearAhead(read?.ahead, scope, floor) ??
      nearest(engine, scope, nearQuery(embedder, words, vector, floor), signal));
    return {
      floor,
      far: state.floors?.far ?? DEFAULT_FAR,
      isGiven: engine.options.semanticFloor !== undefined,
      tells: state.floors !== null,
      near,
    };
  } catch (error) {
    throwIfAborted(signal, "search");
    engine.emit({ type: "memory.read_failed", operation: "semantic search", code: codeOf(error) }, error);
    return { ...NO_VECTORS, code: "EMBEDDER_FAILED", reason: "The embedder could not take the query.", cause: error };
  }
}
