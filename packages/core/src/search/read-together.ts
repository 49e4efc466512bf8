import type { Embedder } from "../contract/models.ts";
import type { KeywordScope, PostingQuery } from "../contract/store-keyword.ts";
import type { SearchRows } from "../contract/store-search.ts";
import type { VectorQuery } from "../contract/store-vectors.ts";
import { callOf } from "../memory/call-options.ts";
import { canonicalSubject } from "../memory/canonical-subject.ts";
import type { Engine } from "../memory/engine.ts";
import { DEFAULT_FLOOR, type EmbeddingState, embeddingRecords, embeddingStateOf } from "./embedding-model.ts";
import { questionVector } from "./question-vector.ts";
import { widened } from "./semantic.ts";
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

/** What was read in one trip. */
export interface ReadTogether {
  rows: SearchRows;
  /** How the vectors relate to the embedder, where there is one. */
  state?: EmbeddingState;
  /** The question's vector, where it was asked for beforehand. */
  vector?: Promise<Float32Array>;
  /** Floor of what is near, where that was read. */
  floor?: number;
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
  const { query, words, byWords, embedder, signal } = wanted;
  if (store.readSearch === undefined || asked.kind === "agent") {
    if (asked.kind !== "named") return { scope: asked };
    return { scope: { kind: "subject", subject: await canonicalSubject(engine, asked.subject, callOf(signal)) } };
  }
  const { last } = engine.embedding;
  const read: Omit<ReadTogether, "rows"> = {};
  let near: VectorQuery | undefined;
  // Where it isn't known whether there are vectors, no call of the embedder is made for nothing: that is read first.
  if (embedder !== undefined && last?.vectors === "current") {
    read.vector = questionVector(engine, embedder, query, signal);
    // What became of it is for the search by meaning to say.
    const vector = await read.vector.catch(() => undefined);
    if (vector !== undefined) {
      read.floor = semanticFloor(engine, last);
      near = widened(nearQuery(embedder, words, vector, read.floor));
    }
  }
  const { subject: named } = asked.kind === "conversation" ? { subject: undefined } : asked;
  const rows = await store.readSearch(
    engine.owner,
    {
      scope: asked.kind === "named" ? { kind: "subject", subject: asked.subject } : asked,
      resolve: asked.kind === "named",
      now: engine.now(),
      ...(byWords ? { words: { ...words, unindexed: UNINDEXED } } : {}),
      ...(byWords && engine.policy.longTerm.enabled ? { facts: { limit: WEIGHTS.facts.read } } : {}),
      ...(near === undefined ? {} : { near }),
      ...(embedder === undefined ? {} : { records: embeddingRecords(embedder) }),
    },
    callOf(signal),
  );
  const subject = rows.subject ?? named;
  const scope: KeywordScope =
    asked.kind === "conversation" || subject === undefined ? (asked as KeywordScope) : { kind: "subject", subject };
  if (embedder === undefined) return { scope, read: { ...read, rows } };
  const state = embeddingStateOf(embedder, rows.records ?? []);
  engine.embedding.last = state;
  return { scope, read: { ...read, rows, state } };
}
