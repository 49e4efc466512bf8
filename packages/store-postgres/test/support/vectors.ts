import type { MemoryStore, NearMessage, VectorModel, VectorQuery } from "@throughline/core";
import type { PostgresClient } from "@throughline/store-postgres";
import { at, chat, turnOf } from "./fixtures.ts";

export const MODEL: VectorModel = { modelId: "directions@1", dimensions: 8 };

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

/** Records a turn for each vector in a conversation, and keeps them. */
export async function say(
  store: MemoryStore,
  conversation: string,
  vectors: readonly Float32Array[],
  { model = MODEL, from = 1 }: { model?: VectorModel; from?: number } = {},
): Promise<void> {
  const seqs = vectors.map((_, index) => from + index);
  for (const seq of seqs) await store.commitTurn(chat(conversation), turnOf(`t${seq}`, { subject: "ann" }));
  const documents = vectors.map((vector, index) => {
    const seq = from + index;
    const place = { turn: `t${seq}`, seq, position: 0, message: `t${seq}-q` };
    return { ...place, role: "user" as const, createdAt: at(seq), vector };
  });
  await store.vectors?.put(chat(conversation), { model, documents });
}

/** What is near among everything of the subject. */
export async function near(
  store: MemoryStore,
  vector: Float32Array,
  query: Partial<VectorQuery> & { subject?: string; tenant?: string } = {},
): Promise<NearMessage[]> {
  const { subject = "ann", tenant = "acme", ...rest } = query;
  const asked = { model: MODEL, vector, limit: 50, floor: -2, ...rest };
  const owner = { tenant, agent: "helper" };
  return (await store.vectors?.nearest(owner, { kind: "subject", subject }, asked)) ?? [];
}

/** Messages and cosines to five digits. */
export const rounded = (found: readonly NearMessage[]): [string, string][] =>
  found.map(({ message, score }) => [message, (Math.round(score * 1e5) / 1e5 + 0).toFixed(5)]);

/** Puts vectors of owners straight into the table: so many, and of clusters, as texts of people are. */
export async function fillVectors(
  client: PostgresClient,
  schema: string,
  rows: { tenant: string; subject: string; count: number; model: string; dimensions: number },
): Promise<void> {
  const { tenant, subject, count, model, dimensions } = rows;
  await client.query(
    `INSERT INTO "${schema}".vector (tenant, agent, conversation, seq, message, model, turn, position, role, subject,
        created_at, filed, stamp, v)
      SELECT $1, 'helper', 'c-' || $2::text, n, 'm' || n, $4::bigint, 't' || n, 0, CASE n / 40 % 2 WHEN 0 THEN 'user' ELSE 'assistant' END,
        $2, to_char(n, 'FM0000000'), true, n, v.v::vector
      FROM generate_series(1, $3::integer) n, LATERAL (
        SELECT array_agg((0.6 * sin((n % 40 + 1) * i * 1.7) + random() - 0.5)::real ORDER BY i) AS v
        FROM generate_series(1, $5::integer) i WHERE n = n) v`,
    [tenant, subject, count, model, dimensions],
  );
  await client.query(
    `UPDATE "${schema}".vector SET v = l2_normalize(v) WHERE tenant = $1 AND subject = $2 AND model = $3::bigint`,
    [tenant, subject, model],
  );
}
