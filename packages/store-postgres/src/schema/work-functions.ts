import { numberOf, SETTINGS, TELL_TENANT, turnOf } from "./search-functions.ts";
import { STAMP } from "./stamp.ts";

const OF_CONVERSATION = "x.tenant = p_tenant AND x.agent = p_agent AND x.id = p_id";
/**
 * Work is found again from what it wrote, or didn't: its transactions don't wait for the disk. Those after it that do are
 * never there without it.
 */
const DONT_WAIT = "PERFORM set_config('synchronous_commit', 'off', true);";

/** The turn and the message that `g` is made of, as they were when they were read. */
const STILL_SAID = `JOIN #turn t ON t.tenant = p_tenant AND t.agent = p_agent AND t.conversation = p_id AND t.seq = g.seq
          AND t.id = g.turn AND NOT t.hidden AND NOT t.rewritten
        JOIN #message m ON m.tenant = p_tenant AND m.agent = p_agent AND m.conversation = p_id AND m.id = g.message
          AND m.seq = g.seq`;

/** Version 1 of the functions about derived work: what it begins with, and what came of it. One trip each. */
export const WORK_FUNCTIONS: readonly string[] = [
  // Where a subject's documents are filed, or those of a conversation of nobody. As `bucketOf` makes it.
  `CREATE FUNCTION #bucket(p_agent text, p_conversation text, p_subject text) RETURNS bigint LANGUAGE sql IMMUTABLE
    RETURN ('x' || encode(substring(sha256(convert_to(octet_length(p_agent) || ':' || p_agent || CASE WHEN p_subject IS NULL
      THEN ' conversation ' || p_conversation ELSE ' subject ' || p_subject END, 'UTF8')) FOR 8), 'hex'))::bit(64)::bigint`,

  // NULL where the conversation isn't claimed. Whoever writes a turn to it is waited for.
  `CREATE FUNCTION #begin_work(p_rls boolean, p_tenant text, p_agent text, p_id text, p_holder text, p_now text, p_until text,
      p_behind text[], p_turns bigint, p_namespaces bytea[], p_keys bytea[])
    RETURNS text LANGUAGE plpgsql ${SETTINGS} AS $function$
  DECLARE
    c #conversation%ROWTYPE;
    v_after integer;
    v_count bigint := 0;
    v_turns text;
    v_records text;
  BEGIN
    ${TELL_TENANT}
    ${DONT_WAIT}
    UPDATE #conversation x SET lease_holder = p_holder, lease_until = p_until
      WHERE ${OF_CONVERSATION} AND x.settled_seq < x.last_seq
        AND (x.lease_until IS NULL OR x.lease_until <= p_now OR x.lease_holder = p_holder)
      RETURNING * INTO c;
    IF c.id IS NULL THEN RETURN NULL; END IF;
    IF p_turns IS NOT NULL THEN
      SELECT min(CASE b WHEN 'index' THEN c.indexed_seq ELSE coalesce((c.watermarks::json ->> b)::integer, 0) END)
        INTO v_after FROM unnest(p_behind) b;
      SELECT string_agg(${turnOf("t")}, ',' ORDER BY t.seq), count(*) INTO v_turns, v_count
        FROM (SELECT x.conversation, x.seq, x.counted, x.tokens, x.subject, x.body FROM #turn x
          WHERE x.tenant = p_tenant AND x.agent = p_agent AND x.conversation = p_id AND x.seq > v_after AND NOT x.hidden
          ORDER BY x.seq LIMIT p_turns + 1) t;
    END IF;
    SELECT string_agg(concat('[', a.place - 1, ',', x.value, ']'), ',') INTO v_records
      FROM unnest(p_namespaces, p_keys) WITH ORDINALITY a (namespace, key, place)
      JOIN #record x ON x.tenant = p_tenant AND x.agent = p_agent AND x.namespace = a.namespace AND x.key = a.key
      WHERE x.expires_at IS NULL OR x.expires_at > p_now;
    RETURN concat('{"conversation":', row_to_json(c)::text, ',"turns":', CASE WHEN p_turns IS NULL OR v_count > p_turns
      THEN 'null' ELSE concat('[', v_turns, ']') END, ',"records":[', v_records, ']}');
  END
  $function$`,

  // The ordinary result: of turns that are as they were read, and whose messages no index holds. TL001 where it is not that.
  `CREATE FUNCTION #finish_work(p_rls boolean, p_tenant text, p_agent text, p_id text, p_began text, p_after integer,
      p_through integer, p_first bigint, p_seqs integer[], p_turns text[], p_positions integer[], p_messages text[], p_roles text[],
      p_tools boolean[], p_lengths integer[], p_created text[], p_places bigint[], p_terms text[], p_frequencies text[],
      p_model bigint, p_table text, p_bytes boolean, p_vectors text, p_count integer,
      p_holder text, p_release boolean, p_marks text, p_indexed integer, p_settled integer)
    RETURNS text LANGUAGE plpgsql ${SETTINGS} AS $function$
  DECLARE
    c #conversation%ROWTYPE;
    v_marks text;
    v_written integer;
    v_vectors integer := 0;
    v_indexed boolean;
    v_gives boolean;
    v_number bigint := ${numberOf("p_id")};
  BEGIN
    ${TELL_TENANT}
    ${DONT_WAIT}
    SELECT * INTO c FROM #conversation x WHERE ${OF_CONVERSATION} FOR UPDATE;
    IF c.id IS NULL OR c.created_at <> p_began THEN RETURN '{"indexed":false,"vectors":0}'; END IF;
    v_indexed := coalesce(c.indexed_seq = p_after, false);
    IF v_indexed AND p_seqs <> '{}' THEN
      IF EXISTS (SELECT 1 FROM #document x WHERE x.tenant = p_tenant AND x.agent = p_agent AND x.conversation = p_id
          AND x.seq = ANY (p_seqs)) THEN
        RAISE EXCEPTION 'indexed' USING ERRCODE = 'TL001';
      END IF;
      WITH g AS MATERIALIZED (
        SELECT * FROM unnest(p_seqs, p_turns, p_positions, p_messages, p_roles, p_tools, p_lengths, p_created, p_places,
            p_terms, p_frequencies) WITH ORDINALITY g (seq, turn, position, message, role, tool, length, created_at, place,
            terms, frequencies, number)),
      d AS (INSERT INTO #document (tenant, agent, conversation, document, subject, seq, position, message, role, tool, length,
          created_at, filed, bucket, terms, place)
        SELECT p_tenant, p_agent, p_id, p_first + g.number, t.subject, g.seq, g.position, g.message, g.role, g.tool, g.length,
          g.created_at, true, #bucket(p_agent, p_id, t.subject), g.terms::bigint[], g.place
        FROM g ${STILL_SAID}
        RETURNING document, bucket, terms),
      p AS (INSERT INTO #posting (tenant, bucket, term, document, place, number, frequency, length, seq, tool)
        SELECT p_tenant, d.bucket, x.term, d.document, g.place, v_number, x.frequency, g.length, g.seq, g.tool
          FROM d JOIN g ON p_first + g.number = d.document
          CROSS JOIN LATERAL unnest(d.terms, g.frequencies::integer[]) x (term, frequency) ORDER BY 2, 3
        ON CONFLICT DO NOTHING)
      SELECT count(*) INTO v_written FROM d;
      IF v_written <> array_length(p_seqs, 1) THEN RAISE EXCEPTION 'changed' USING ERRCODE = 'TL001'; END IF;
    END IF;
    IF p_vectors IS NOT NULL THEN
      -- What is written as another column takes it might be taken for something else by this one.
      IF p_bytes IS DISTINCT FROM (SELECT a.atttypid = 'bytea'::regtype FROM pg_attribute a
          WHERE a.attrelid = to_regclass(p_table) AND a.attname = 'v') THEN
        RAISE EXCEPTION 'another column' USING ERRCODE = '42804';
      END IF;
      INSERT INTO #vector (tenant, agent, conversation, model, seq, message, turn, position, role, subject, created_at, filed,
          stamp, v)
        SELECT p_tenant, p_agent, p_id, p_model, g.seq, g.message, g.turn, g.position, g.role, t.subject, g.created_at, true,
          ${STAMP}, g.v FROM json_populate_recordset(NULL::#vector, p_vectors::json) g ${STILL_SAID}
        ON CONFLICT (tenant, agent, conversation, seq, message, model) DO UPDATE SET turn = excluded.turn,
          position = excluded.position, role = excluded.role, subject = excluded.subject,
          created_at = excluded.created_at, filed = excluded.filed, stamp = excluded.stamp, v = excluded.v;
      GET DIAGNOSTICS v_vectors = ROW_COUNT;
      IF v_vectors <> p_count THEN RAISE EXCEPTION 'changed' USING ERRCODE = 'TL001'; END IF;
    END IF;
    IF p_marks IS NOT NULL THEN
      SELECT json_object_agg(k.key, k.seq)::text INTO v_marks FROM (SELECT w.key, max(w.value::integer) AS seq
        FROM (SELECT * FROM json_each_text(coalesce(c.watermarks, '{}')::json)
          UNION ALL SELECT * FROM json_each_text(p_marks::json)) w GROUP BY w.key) k;
    END IF;
    v_gives := p_release AND coalesce(c.lease_holder = p_holder, false);
    UPDATE #conversation x SET watermarks = coalesce(v_marks, c.watermarks),
        indexed_seq = greatest(CASE WHEN v_indexed THEN p_through ELSE c.indexed_seq END, p_indexed),
        settled_seq = greatest(c.settled_seq, least(coalesce(p_settled, 0), c.last_seq)),
        lease_holder = CASE WHEN v_gives THEN NULL ELSE c.lease_holder END,
        lease_until = CASE WHEN v_gives THEN NULL ELSE c.lease_until END
      WHERE ${OF_CONVERSATION};
    RETURN json_build_object('indexed', v_indexed, 'vectors', v_vectors)::text;
  END
  $function$`,
];
