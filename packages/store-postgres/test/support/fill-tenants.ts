import type { VectorModel } from "@throughline/core";
import type pg from "pg";
import { bucketOf, conversationNumber, hash64 } from "../../src/keyword/hashes.ts";
import { modelNumber } from "../../src/vectors/vector-model.ts";

/** How much of everything. */
export interface TenantSizes {
  tenants: number;
  /** Of each tenant. */
  conversations: number;
  /** Of each conversation; two messages each. */
  turns: number;
}

export const FILL_AGENT = "helper";
export const FILL_MODEL: VectorModel = { modelId: "m", dimensions: 2 };
const WORDS = 200;
const SUBJECTS = 3;
const TIME = "2026-01-01T00:01:00.000Z";

/**
 * Many tenants with the same data in every table, written by the server itself in the shapes that the store writes:
 * conversations `c1` …, subjects `s0` … `s2`, turns `t1` …, their messages `m1` …, words `w0` … `w199`, checkpoints `k10001` …,
 * and vectors of `FILL_MODEL`.
 */
export async function fillTenants(admin: pg.Client, schema: string, sizes: TenantSizes): Promise<void> {
  const { tenants, conversations, turns: turnsEach } = sizes;
  const s = `"${schema}"`;
  const all = `FROM generate_series(1, ${tenants}) t, generate_series(1, ${conversations}) c`;
  const turns = `${all}, generate_series(1, ${turnsEach}) n`;
  const messages = `${turns}, generate_series(1, 2) k`;
  const tenant = "'tenant' || t";
  const subject = `'s' || c % ${SUBJECTS}`;
  const buckets = Array.from({ length: SUBJECTS }, (_, index) => bucketOf(FILL_AGENT, "", `s${index}`));
  const words = Array.from({ length: WORDS }, (_, index) => hash64(`w${index}`));
  const bucket = `('{${buckets.join(",")}}'::bigint[])[c % ${SUBJECTS} + 1]`;
  const number = `(c * ${turnsEach} + n) * 2 + k`;
  const word = (place: string) => `('{${words.join(",")}}'::bigint[])[(n * 7 + k * 3 + ${place} * 13) % ${WORDS} + 1]`;
  const text = (of: string) =>
    `(SELECT string_agg('w' || (n * 7 + ${of} * 3 + p * 13) % ${WORDS}, ' ') FROM generate_series(1, 8) p)`;
  const message = (k: number, role: string) =>
    `json_build_object('id', 'm' || n * 2 + ${k}, 'role', '${role}', 'parts', json_build_array(json_build_object('type', 'text',
      'text', ${text(String(k))})), 'createdAt', '${TIME}', 'origin', '${role}')`;
  const body = `json_build_object('id', 't' || n, 'status', 'completed', 'startedAt', '${TIME}', 'endedAt', '${TIME}', 'messages',
    json_build_array(${message(1, "user")}, ${message(2, "assistant")}))::text`;
  const { rows } = await admin.query(
    "SELECT 1 FROM information_schema.columns WHERE table_schema = $1 AND table_name = 'vector' AND udt_name = 'bytea'",
    [schema],
  );
  const vector = rows.length > 0 ? "'\\x0000803f00000000'::bytea" : "'[1,0]'";
  const statements: Record<string, string> = {
    conversation: `(tenant, agent, id, subject, created_at, updated_at, last_seq, turns, messages, settled_seq, indexed_seq, summary,
        summaries)
      SELECT ${tenant}, '${FILL_AGENT}', 'c' || c, ${subject}, '${TIME}', '${TIME}', ${turnsEach}, ${turnsEach}, 2 * ${turnsEach},
        ${turnsEach} - (c % 10 = 1)::int, ${turnsEach} - (c % 10 = 1)::int, 2, 2 ${all}`,
    turn: `(tenant, agent, conversation, seq, id, subject, body, size, counted, tokens)
      SELECT ${tenant}, '${FILL_AGENT}', 'c' || c, n, 't' || n, ${subject}, ${body}, 2, 2, 40 ${turns} ORDER BY t, n, c`,
    message: `(tenant, agent, conversation, id, seq)
      SELECT ${tenant}, '${FILL_AGENT}', 'c' || c, 'm' || n * 2 + k, n ${messages} ORDER BY t, n, c`,
    document: `(tenant, document, agent, subject, conversation, seq, position, message, role, tool, length, created_at, filed,
        bucket, terms, place)
      SELECT ${tenant}, ${number}, '${FILL_AGENT}', ${subject}, 'c' || c, n, k - 1, 'm' || n * 2 + k,
        (ARRAY['user', 'assistant'])[k], false, 8, '${TIME}', true, ${bucket},
        ARRAY[${Array.from({ length: 8 }, (_, place) => word(String(place))).join(", ")}], n * 1024 ${messages} ORDER BY t, n, c`,
    posting: `(tenant, bucket, term, document, place, number, frequency, length, seq, tool)
      SELECT tenant, bucket, unnest(terms), document, place, ${conversationNumber("conversation")}, 1, length, seq, tool
      FROM ${s}.document`,
    vector: `(tenant, agent, conversation, seq, message, model, turn, position, role, subject, created_at, filed, stamp,
        v)
      SELECT ${tenant}, '${FILL_AGENT}', 'c' || c, n, 'm' || n * 2 + k, ${modelNumber(FILL_MODEL)}, 't' || n, k - 1,
        (ARRAY['user', 'assistant'])[k], ${subject}, '${TIME}', true, n * 2 + k, ${vector} ${messages} ORDER BY t, n, c`,
    fact_owner: `(tenant, agent, scope, id, version)
      SELECT ${tenant}, '${FILL_AGENT}', 'user', 's' || c, 1 ${all}`,
    fact: `(tenant, agent, scope, owner, id, key, type, tags, updated_at, expires_at, valid_from, body)
      SELECT ${tenant}, '${FILL_AGENT}', 'user', 's' || c, 'f' || n, 'k' || n, 'fact', ARRAY['tag'], '${TIME}',
        CASE WHEN n % 10 = 0 THEN '2025-01-01T00:00:00.000Z' END, '${TIME}', '{}' ${turns}`,
    record: `(tenant, agent, namespace, key, version, created_at, updated_at, expires_at, subject, value)
      SELECT ${tenant}, '${FILL_AGENT}', '\\x006e'::bytea, ('k' || n || c)::bytea, 1, '${TIME}', '${TIME}',
        CASE WHEN n % 10 = 0 THEN '2025-01-01T00:00:00.000Z' END, ${subject}, '1' ${turns} ON CONFLICT DO NOTHING`,
    item: `(tenant, agent, conversation, key, data)
      SELECT ${tenant}, '${FILL_AGENT}', 'c' || c, ('k' || n)::bytea, 'x' ${turns}`,
    identity: `(tenant, agent, identity, subject, since)
      SELECT ${tenant}, '${FILL_AGENT}', 'i' || c, ${subject}, '${TIME}' ${all}`,
    former_subject: `(tenant, agent, subject, conversation)
      SELECT ${tenant}, '${FILL_AGENT}', 'x' || c, 'c' || c ${all}`,
    summary: `(tenant, agent, conversation, version, body, through, through_turn, turns, tokens, created_at)
      SELECT ${tenant}, '${FILL_AGENT}', 'c' || c, n, 'x', 0, '', 0, 0, '${TIME}' ${all}, generate_series(1, 2) n`,
    tombstone: `(tenant, agent, scope, owner, hash)
      SELECT ${tenant}, '${FILL_AGENT}', 'user', 's' || c, 'h' || n ${turns}`,
    operation: `(tenant, agent, scope, owner, key, at, result)
      SELECT ${tenant}, '${FILL_AGENT}', 'user', 's' || c, 'o' || n, '${TIME}', '""' ${turns}`,
    lease: `(tenant, agent, name, holder, until)
      SELECT ${tenant}, '${FILL_AGENT}', 'l' || n || '-' || c, 'w', '${TIME}' ${turns}`,
    checkpoint_thread: `(tenant, agent, conversation, thread, subject, created_at, updated_at)
      SELECT ${tenant}, '${FILL_AGENT}', 'c' || c, c, ${subject}, '${TIME}', '${TIME}' ${all}`,
    checkpoint_subject: `(tenant, agent, subject, conversation)
      SELECT ${tenant}, '${FILL_AGENT}', ${subject}, 'c' || c ${all}`,
    checkpoint: `(tenant, thread, space, id, parent, at, names, inlines, runs, tags, body)
      SELECT ${tenant}, c, '', 'k' || 10000 + n, CASE WHEN n > 1 THEN 'k' || 9999 + n END, '${TIME}', '{m}', '{NULL}',
        ARRAY[1, 1, n], '{}', '{}' ${turns}`,
    checkpoint_element: `(tenant, thread, name, number, hash, data)
      SELECT ${tenant}, c, 'm', n, substring(sha256(('"' || n || '"')::bytea) FOR 8), '"' || n || '"' ${turns}`,
    checkpoint_write: `(tenant, thread, space, checkpoint, task, idx, path, name, data)
      SELECT ${tenant}, c, '', 'k' || 10000 + n, 'task', 0, '', 'm', '1' ${turns}`,
    erasure: `(tenant, mark, at)
      SELECT ${tenant}, sha256(('x' || n || c)::bytea), '' ${turns} ON CONFLICT DO NOTHING`,
  };
  for (const [table, insert] of Object.entries(statements)) {
    await admin.query(`INSERT INTO ${s}.${table} ${insert}`);
    await admin.query(`VACUUM ANALYZE ${s}.${table}`);
  }
}
