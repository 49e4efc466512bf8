import type { Embedder } from "../contract/models.ts";
import type { KeywordScope, PostingQuery } from "../contract/store-keyword.ts";
import type { SearchRows } from "../contract/store-search.ts";
import type { VectorQuery } from "../contract/store-vectors.ts";
import { callOf } from "../memory/call-options.ts";
import { canonicalSubject } from "../memory/canonical-subject.ts";
import type { Engine } from "../memory/engine.ts";
import { DEFAULT_FLOOR, type EmbeddingState, embeddingRecords, embeddingStateOf } from "./embedding-model.ts";
import { questionVector } from "./question-vector.ts";
import { type NearPlace, nearest } from "./semantic.ts";
import { WEIGHTS } from "./weights.ts";

/** What a search goes through. One that is `named` by the app may be an identity of the subject. */
export type SearchScope = KeywordScope | { kind: "named"; subject: string };

/** Turns that no index holds and that are read along, at most. */
const UNINDEXED = 100;

/** What one search wants. */
export interface Wanted {
  query: string;
  words: PostingQuery;
  /** Whether the words count; what they are narrowed by does always. */
  byWords: boolean;
  /** Absent where meaning doesn't count. */
  embedder: Embedder | undefined;
  signal: AbortSignal | undefined;
}

/** What was asked for by meaning on the strength of what was known before. */
interface Ahead {
  scope: KeywordScope;
  floor: number;
  vector: Promise<Float32Array>;
  near: Promise<NearPlace[]>;
}

/** What was read in one trip. */
export interface ReadTogether {
  rows: SearchRows;
  /** How the vectors relate to the embedder, where there is one. */
  state?: EmbeddingState;
  /** What was asked for beside it. */
  ahead?: Ahead;
}

/** Cosine that a near message reaches. */
export const semanticFloor = ({ options }: Engine, state: EmbeddingState): number =>
  options.semanticFloor ?? state.floors?.floor ?? DEFAULT_FLOOR;

/** What is asked for by meaning. */
export function nearQuery(
  { modelId, dimensions }: Embedder,
  { terms: _terms, groups: _groups, ...narrowed }: PostingQuery,
  vector: Float32Array,
  floor: number,
): VectorQuery {
  return { ...narrowed, model: { modelId, dimensions }, vector, floor, limit: WEIGHTS.near };
}

/** The scope with its identity resolved and, where the store can, all that a search begins with; read in one trip. */
export async function readTogether(
  engine: Engine,
  asked: SearchScope,
  wanted: Wanted,
): Promise<{ scope: KeywordScope; read?: ReadTogether }> {
  const store = await engine.store();
  const { words, byWords, embedder, signal } = wanted;
  if (store.readSearch === undefined || asked.kind === "agent") {
    if (asked.kind !== "named") return { scope: asked };
    return { scope: { kind: "subject", subject: await canonicalSubject(engine, asked.subject, callOf(signal)) } };
  }
  const within: Exclude<KeywordScope, { kind: "agent" }> =
    asked.kind === "named" ? { kind: "subject", subject: asked.subject } : asked;
  const { last } = engine.embedding;
  // Where it isn't known whether there are vectors, no call of the embedder is made for nothing: that is read first.
  const ahead = last?.vectors === "current" ? askAhead(engine, within, wanted, semanticFloor(engine, last)) : undefined;
  const rows = await store.readSearch(
    engine.owner,
    {
      scope: within,
      resolve: asked.kind === "named",
      now: engine.now(),
      ...(byWords ? { words: { ...words, unindexed: UNINDEXED } } : {}),
      ...(byWords && engine.policy.longTerm.enabled ? { facts: { limit: WEIGHTS.facts.read } } : {}),
      ...(embedder === undefined ? {} : { records: embeddingRecords(embedder) }),
    },
    callOf(signal),
  );
  const scope: KeywordScope =
    within.kind === "subject" ? { kind: "subject", subject: rows.subject ?? within.subject } : within;
  const read = { rows, ...(ahead === undefined ? {} : { ahead }) };
  if (embedder === undefined) return { scope, read };
  const state = embeddingStateOf(embedder, rows.records ?? []);
  engine.embedding.last = state;
  return { scope, read: { ...read, state } };
}

/** Asks for what is near while the rest is read, as if a subject were nobody's identity and no model had changed. */
function askAhead(
  engine: Engine,
  scope: KeywordScope,
  { query, words, embedder, signal }: Wanted,
  floor: number,
): Ahead | undefined {
  if (embedder === undefined) return undefined;
  const vector = questionVector(engine, embedder, query, signal);
  const near = vector.then((found) => nearest(engine, scope, nearQuery(embedder, words, found, floor), signal));
  // What became of it is for the search by meaning to say, if it is asked.
  near.catch(() => undefined);
  return { scope, floor, vector, near };
}

/** What was asked for ahead, where that was right. */
export const nearAhead = (ahead: Ahead | undefined, scope: KeywordScope, floor: number): Ahead["near"] | undefined =>
  ahead !== undefined && ahead.floor === floor && subjectOf(ahead.scope) === subjectOf(scope) ? ahead.near : undefined;

const subjectOf = (scope: KeywordScope): string | undefined => (scope.kind === "subject" ? scope.subject : undefined);
