import type {
  AgentOwner,
  ConversationOwner,
  KeywordScope,
  MemoryStore,
  NearMessage,
  VectorDocument,
  VectorIndex,
  VectorModel,
  VectorQuery,
} from "@throughline/core";
import { expect } from "vitest";
import { AGENT, at, record, turnOf } from "../fixtures.ts";

export const MODEL: VectorModel = { modelId: "directions@1", dimensions: 8 };
export const EVERYBODY: KeywordScope = { kind: "agent" };
export const ANN: KeywordScope = { kind: "subject", subject: "ann" };
export const scopeOf = (conversation: string): KeywordScope => ({ kind: "conversation", conversation });
/** A query that everything is near enough for, from the direction of the first axis. */
export const WIDEST: VectorQuery = { model: MODEL, vector: axis(0), limit: 1_000, floor: -2 };

export function vectorsOf(store: MemoryStore): VectorIndex {
  return store.vectors ?? expect.fail("The store says that it searches vectors and has no `vectors`.");
}

/** The vector along one axis. */
export function axis(index: number, dimensions = MODEL.dimensions): Float32Array {
  return new Float32Array(dimensions).fill(1, index, index + 1);
}

/** The vector at an angle of so many degrees from the first axis. */
export function degrees(angle: number): Float32Array {
  const vector = axis(0);
  vector.set([Math.cos((angle * Math.PI) / 180), Math.sin((angle * Math.PI) / 180)]);
  return vector;
}

/** Directions that are the same in every run, of length 1. */
export function directions(count: number, dimensions = MODEL.dimensions, seed = 1): Float32Array[] {
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32 - 0.5;
  };
  return Array.from({ length: count }, () => {
    const vector = Float32Array.from({ length: dimensions }, next);
    const length = Math.hypot(...vector);
    return vector.map((value) => value / length);
  });
}

/** The plain definition of a score. */
export function cosine(left: Float32Array, right: Float32Array): number {
  return left.reduce((sum, value, index) => sum + value * (right[index] ?? Number.NaN), 0);
}

/** The question of a turn with its vector. */
export function questionOf(
  turn: string,
  seq: number,
  vector: Float32Array,
  options: Partial<VectorDocument> = {},
): VectorDocument {
  return { turn, seq, position: 0, message: `${turn}-q`, role: "user", createdAt: at(seq), vector, ...options };
}

/** Records turns `t1`, `t2` … whose questions have these vectors. */
export async function say(
  store: MemoryStore,
  owner: ConversationOwner,
  vectors: readonly Float32Array[],
  options: { subject?: string; model?: VectorModel } = {},
): Promise<VectorDocument[]> {
  const { model = MODEL, ...write } = options;
  const names = vectors.map((_, index) => `t${index + 1}`);
  await record(store, owner, ...names.map((name, index) => turnOf(name, { minute: index + 1, ...write })));
  const documents = vectors.map((vector, index) => questionOf(`t${index + 1}`, index + 1, vector));
  expect(await vectorsOf(store).put(owner, { model, documents })).toBe(vectors.length);
  return documents;
}

/** What is near, best first. */
export function near(
  store: MemoryStore,
  scope: KeywordScope = EVERYBODY,
  query: Partial<VectorQuery> = {},
  owner: AgentOwner = AGENT,
): Promise<NearMessage[]> {
  return vectorsOf(store).nearest(owner, scope, { ...WIDEST, ...query });
}

/** What is near as `conversation/turn`, best first. */
export async function find(...given: Parameters<typeof near>): Promise<string[]> {
  return (await near(...given)).map(({ conversation, turn }) => `${conversation}/${turn}`);
}

/** What is near as `conversation/turn`, sorted. */
export async function findAll(...given: Parameters<typeof near>): Promise<string[]> {
  return (await find(...given)).toSorted();
}
