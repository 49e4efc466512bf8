import type { ConversationOwner, MemoryStore, NearMessage, VectorDocument, VectorModel } from "@throughline/core";
import { compareNear, dotProduct } from "@throughline/core/store-kit";
import { expect } from "vitest";
import { AGENT, at, turnOf } from "./fixtures.ts";

export const MODEL: VectorModel = { modelId: "directions@1", dimensions: 24 };

/** Directions that are the same in every run, of length 1; a few of them very near to each other. */
export function directions(count: number, seed = 1): Float32Array[] {
  let state = seed;
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32 - 0.5;
  };
  const common = Float32Array.from({ length: MODEL.dimensions }, next);
  return Array.from({ length: count }, (_, index) => {
    const spread = index % 3 === 0 ? 0.01 : 1;
    const vector = common.map((value) => value + spread * next());
    const length = Math.hypot(...vector);
    return vector.map((value) => value / length);
  });
}

/** What a conversation's questions were embedded to, by turn. */
export interface Said {
  owner: ConversationOwner;
  subject: string;
  documents: VectorDocument[];
}

/** Records turns and the vectors of their questions. */
export async function sayAll(
  store: MemoryStore,
  owner: ConversationOwner,
  subject: string,
  vectors: readonly Float32Array[],
): Promise<Said> {
  const documents: VectorDocument[] = [];
  for (const [index, vector] of vectors.entries()) {
    const turn = `t${index + 1}`;
    const committed = await store.commitTurn(owner, turnOf(turn, undefined, { subject }));
    const seq = committed.status === "stored" ? committed.seq : expect.fail(committed.status);
    documents.push({
      turn,
      seq,
      position: 0,
      message: `${turn}-q`,
      role: "user",
      createdAt: at(index % 7),
      vector,
    });
  }
  expect(await store.vectors?.put(owner, { model: MODEL, documents })).toBe(vectors.length);
  return { owner, subject, documents };
}

/** The plain definition of what is nearest. */
export function exactly(said: readonly Said[], vector: Float32Array, limit: number, floor = -2): NearMessage[] {
  return said
    .flatMap(({ owner, subject, documents }) =>
      documents.map(({ vector: own, ...place }) => ({
        conversation: owner.conversation,
        ...place,
        subject,
        score: dotProduct(own, vector),
      })),
    )
    .filter(({ score }) => score >= floor)
    .sort(compareNear)
    .slice(0, limit);
}

/** What a store finds of a subject. */
export async function near(
  store: MemoryStore,
  subject: string,
  vector: Float32Array,
  query: { limit?: number; floor?: number } = {},
): Promise<NearMessage[]> {
  const { limit = 10, floor = -2 } = query;
  const { vectors } = store;
  if (!vectors) return expect.fail("The store searches no vectors.");
  return vectors.nearest(AGENT, { kind: "subject", subject }, { model: MODEL, vector, limit, floor });
}
