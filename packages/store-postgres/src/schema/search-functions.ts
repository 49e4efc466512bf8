/** As in the functions of a turn: everything is found by a key, and plans are made once. */
export const SETTINGS = `SET enable_seqscan = off SET plan_cache_mode = force_generic_plan SET enable_nestloop = on
    SET search_path = pg_catalog, pg_temp`;
export const TELL_TENANT = "IF p_rls THEN PERFORM set_config('throughline.tenant', p_tenant, true); END IF;";

/** The number of a conversation in postings: 52 bits. As `conversationNumber` makes it. */
export const numberOf = (column: string): string => `(hashtextextended(${column}, 0) & 4503599627370495)`;

/**
 * Postings up to which each one's document is looked up, however few documents there are. To look one up takes about four
 * times as long as to read one of all in the scope's order.
 */
const LOOK_UP_ANYWAY = 500;

/** Which of a scope's documents or vectors `d` pass the filters. What isn't given lets everything pass. */
export const PASSES = `(p_role IS NULL OR d.role = p_role) AND (p_from IS NULL OR d.created_at >= p_from)
          AND (p_to IS NULL OR d.created_at < p_to) AND (p_within IS NULL OR d.conversation = p_within)
          AND (p_without IS NULL OR NOT (d.conversation = p_without AND d.seq > p_through))`;

/** The scope's documents by an index, and then what else they have to be. */
const SCOPES = {
  subject: "d.tenant = p_tenant AND d.agent = p_agent AND d.subject = v_subject",
  conversation: "d.tenant = p_tenant AND d.agent = p_agent AND d.conversation = p_id",
} as const;
/** Whether a row's group was asked for. To look that up in the list of groups takes as long as all else of counting it. */
const inGroups = (row: string): string => `(v_both OR ${row}.tool = v_tool)`;

/** Counts a scope's documents; `v_hides` tells whether some of them are hidden. */
const counted = (scope: string): string => `
        SELECT count(*) FILTER (WHERE d.filed), coalesce(sum(d.length) FILTER (WHERE d.filed), 0),
            coalesce(bool_or(NOT d.filed), false)
          INTO v_documents, v_length, v_hides FROM #document d WHERE ${scope} AND ${inGroups("d")};`;

/** A term's postings: its place among the terms, how many there are at all, and five numbers of each that passes. */
const POSTINGS_OF_TERM = (passes: string, columns: string): string =>
  `concat('[', array_position(p_terms, p.term) - 1, ',', count(*), ',[',
                string_agg(concat_ws(',', p.document, p.frequency, ${columns}), ',') FILTER (WHERE ${passes}), ']]') AS text`;

/** Postings as they stand, of a subject that has no hidden documents, narrowed by nothing that stands in documents only. */
const PLAIN = `SELECT string_agg(g.text, ',') INTO v_postings FROM (
          SELECT ${POSTINGS_OF_TERM(
            `(p_within IS NULL OR p.number = v_within)
                  AND (p_without IS NULL OR NOT (p.number = v_without AND p.seq > p_through))`,
            "p.length, p.number, p.place",
          )}
            FROM #posting p WHERE p.tenant = p_tenant AND p.bucket = ANY (v_buckets) AND p.term = ANY (p_terms)
              AND ${inGroups("p")}
            GROUP BY p.term) g;`;

/** Finds a scope's postings by their documents. */
const wordsOf = (scope: string): string => `
        v_most := greatest(${LOOK_UP_ANYWAY}, v_documents / 4);
        IF (SELECT count(*) FROM (SELECT 1 FROM #posting p WHERE p.tenant = p_tenant AND p.bucket = ANY (v_buckets)
            AND p.term = ANY (p_terms) LIMIT v_most) x) = v_most THEN
          PERFORM set_config('enable_nestloop', 'off', true);
          ${postings(scope, "large")}
          PERFORM set_config('enable_nestloop', 'on', true);
        ELSE
          ${postings(scope, "small")}
        END IF;`;

/** Each way is a statement of its own, so that its plan is kept: the planner settings are those of its first run. */
const postings = (scope: string, way: string): string => `SELECT string_agg(g.text, ',') INTO v_postings FROM (
            SELECT ${POSTINGS_OF_TERM("d.passes", "d.length, d.number, d.place")}
              FROM #posting p JOIN (SELECT d.tenant, d.document, d.length, d.place, ${numberOf("d.conversation")} AS number,
                  ${PASSES} AS passes FROM #document d WHERE ${scope} AND d.filed AND ${inGroups("d")}) d
                ON d.tenant = p.tenant AND d.document = p.document
              WHERE p.tenant = p_tenant AND p.bucket = ANY (v_buckets) AND p.term = ANY (p_terms)
              GROUP BY p.term) g /* ${way} */;`;

/** A turn's columns as one list of JSON. */
export const turnOf = (t: string): string =>
  `concat('[', to_json(${t}.conversation), ',', ${t}.seq, ',', ${t}.counted, ',', ${t}.tokens, ',',
            coalesce(to_json(${t}.subject)::text, 'null'), ',', ${t}.body, ']')`;

/** Version 1 of the functions about searches: what one begins with, and what it found. One trip each, whatever the driver. */
export const SEARCH_FUNCTIONS: readonly string[] = [
  `CREATE FUNCTION #begin_search(p_rls boolean, p_tenant text, p_agent text, p_kind text, p_id text, p_resolve boolean,
      p_bucket bigint, p_now text, p_namespace bytea, p_keys bytea[], p_facts bigint, p_terms bigint[], p_unindexed bigint,
      p_tools boolean[], p_role text, p_from text, p_to text, p_within text, p_without text, p_through integer)
    RETURNS text LANGUAGE plpgsql STABLE ${SETTINGS} AS $function$
  DECLARE
    v_subject text;
    v_conversation text;
    v_records text;
    v_documents bigint := 0;
    v_length bigint := 0;
    v_most bigint;
    v_buckets bigint[];
    v_postings text;
    v_hides boolean;
    v_tool boolean := p_tools[1];
    v_both boolean := true = ANY (p_tools) AND false = ANY (p_tools);
    v_within bigint := ${numberOf("p_within")};
    v_without bigint := ${numberOf("p_without")};
    v_behind text;
    v_ids text[];
    v_afters integer[];
    v_looked bigint;
    v_unindexed text;
    v_scopes text[];
    v_facts text;
    v_some text;
  BEGIN
    ${TELL_TENANT}
    IF p_kind = 'subject' THEN
      v_subject := p_id;
      v_buckets := ARRAY[p_bucket];
      IF p_resolve THEN
        SELECT i.subject INTO v_subject FROM #identity i
          WHERE i.tenant = p_tenant AND i.agent = p_agent AND i.identity = p_id;
        v_subject := coalesce(v_subject, p_id);
        IF v_subject <> p_id THEN
          SELECT ARRAY[d.bucket] INTO v_buckets FROM #document d
            WHERE d.tenant = p_tenant AND d.agent = p_agent AND d.subject = v_subject LIMIT 1;
        END IF;
      END IF;
    ELSE
      v_conversation := p_id;
    END IF;

    IF p_keys IS NOT NULL THEN
      SELECT string_agg(concat('[', array_position(p_keys, r.key) - 1, ',', r.value, ']'), ',') INTO v_records
        FROM #record r WHERE r.tenant = p_tenant AND r.agent = p_agent AND r.namespace = p_namespace
          AND r.key = ANY (p_keys) AND (r.expires_at IS NULL OR r.expires_at > p_now);
    END IF;

    IF p_terms IS NOT NULL THEN
      IF p_kind = 'subject' THEN${counted(SCOPES.subject)}
        IF NOT v_hides AND num_nonnulls(p_role, p_from, p_to) = 0 THEN
          ${PLAIN}
        ELSE${wordsOf(SCOPES.subject)}
        END IF;
      ELSE${counted(SCOPES.conversation)}
        SELECT array_agg(DISTINCT d.bucket) INTO v_buckets FROM #document d WHERE ${SCOPES.conversation};${wordsOf(SCOPES.conversation)}
      END IF;
      SELECT string_agg(concat('[', to_json(c.id), ',', c.indexed_seq, ',', ${numberOf("c.id")}, ']'), ','),
          array_agg(c.id), array_agg(c.indexed_seq) INTO v_behind, v_ids, v_afters
        FROM (
          SELECT c.id, c.indexed_seq FROM #conversation c WHERE p_kind = 'subject'
            AND c.tenant = p_tenant AND c.agent = p_agent AND c.subject = v_subject AND c.indexed_seq < c.last_seq
          UNION ALL SELECT c.id, c.indexed_seq FROM #former_subject f JOIN #conversation c
            ON c.tenant = f.tenant AND c.agent = f.agent AND c.id = f.conversation WHERE p_kind = 'subject'
            AND f.tenant = p_tenant AND f.agent = p_agent AND f.subject = v_subject AND c.indexed_seq < c.last_seq
            AND c.subject IS DISTINCT FROM v_subject
          UNION ALL SELECT c.id, c.indexed_seq FROM #conversation c WHERE p_kind = 'conversation'
            AND c.tenant = p_tenant AND c.agent = p_agent AND c.id = p_id AND c.indexed_seq < c.last_seq
          LIMIT 10000) c;
      IF v_ids IS NOT NULL THEN
        SELECT string_agg(${turnOf("x")}, ',' ORDER BY x.conversation, x.seq), count(*) INTO v_unindexed, v_looked
          FROM (SELECT t.* FROM unnest(v_ids, v_afters) AS b (id, after) CROSS JOIN LATERAL (
              SELECT t.conversation, t.seq, t.counted, t.tokens, t.subject, t.body FROM #turn t
              WHERE t.tenant = p_tenant AND t.agent = p_agent AND t.conversation = b.id AND t.seq > b.after AND NOT t.hidden
              ORDER BY t.seq LIMIT p_unindexed + 1) t LIMIT p_unindexed + 1) x;
      END IF;
    END IF;

    IF p_facts IS NOT NULL THEN
      v_scopes := CASE p_kind WHEN 'subject' THEN ARRAY['user', 'global'] ELSE ARRAY['conversation'] END;
      FOR i IN 1 .. array_length(v_scopes, 1) LOOP
        SELECT string_agg(f.body, ',' ORDER BY f.updated_at DESC, f.id) INTO v_some
          FROM (SELECT x.body, x.updated_at, x.id FROM #fact x
            WHERE x.tenant = p_tenant AND x.agent = CASE v_scopes[i] WHEN 'global' THEN '' ELSE p_agent END
              AND x.scope = v_scopes[i] AND x.owner = coalesce(v_subject, v_conversation)
              AND x.valid_to IS NULL AND (x.expires_at IS NULL OR x.expires_at > p_now)
            ORDER BY x.updated_at DESC, x.id LIMIT p_facts) f;
        v_facts := concat_ws(',', nullif(v_facts, ''), v_some);
      END LOOP;
    END IF;

    RETURN concat('{"subject":', coalesce(to_json(v_subject)::text, 'null'), ',"records":[', v_records, '],"documents":',
      v_documents, ',"length":', v_length, ',"postings":[', v_postings, '],"behind":[', v_behind, '],"unindexed":',
      CASE WHEN v_looked > p_unindexed THEN 'null' ELSE '[' || coalesce(v_unindexed, '') || ']' END, ',"facts":[', v_facts,
      ']}');
  END
  $function$`,

  `CREATE FUNCTION #following(p_rls boolean, p_tenant text, p_agent text, p_kind text, p_id text, p_documents bigint[],
      p_turns integer, p_tools boolean[], p_role text, p_from text, p_to text, p_within text, p_without text, p_through integer)
    RETURNS text LANGUAGE plpgsql STABLE ${SETTINGS} AS $function$
  BEGIN
    ${TELL_TENANT}
    RETURN concat('[', (SELECT string_agg(concat('[', b.document, ',', n.document, ',', n.length, ',', n.place, ']'), ',')
      FROM #document b CROSS JOIN LATERAL (
        SELECT d.document, d.length, d.place FROM #document d
          WHERE d.tenant = p_tenant AND d.agent = p_agent AND d.conversation = b.conversation
            AND d.seq BETWEEN b.seq AND b.seq::bigint + p_turns
            AND (d.seq > b.seq OR d.document > b.document) AND d.filed AND d.tool = ANY (p_tools)
            AND CASE p_kind WHEN 'subject' THEN d.subject IS NOT DISTINCT FROM p_id
              WHEN 'conversation' THEN d.conversation = p_id ELSE true END AND ${PASSES}
          ORDER BY d.seq, d.document LIMIT 1) n
      WHERE b.tenant = p_tenant AND b.agent = p_agent AND b.document = ANY (p_documents) AND b.filed), ']');
  END
  $function$`,

  `CREATE FUNCTION #read_hits(p_rls boolean, p_tenant text, p_agent text, p_documents bigint[], p_conversations text[],
      p_turns text[], p_seqs integer[])
    RETURNS text LANGUAGE plpgsql STABLE ${SETTINGS} AS $function$
  DECLARE
    v_documents text;
    v_turns text;
  BEGIN
    ${TELL_TENANT}
    WITH d AS MATERIALIZED (
      SELECT d.document, d.position, d.message, d.role, d.subject AS whose, d.created_at,
          t.conversation, t.seq, t.id, t.counted, t.tokens, t.subject, t.body
        FROM #document d JOIN #turn t ON t.tenant = d.tenant AND t.agent = d.agent AND t.conversation = d.conversation
          AND t.seq = d.seq
        WHERE d.tenant = p_tenant AND d.agent = p_agent AND d.document = ANY (p_documents) AND NOT t.hidden),
      t AS (
        SELECT d.conversation, d.seq, d.counted, d.tokens, d.subject, d.body FROM d
        UNION ALL SELECT t.conversation, t.seq, t.counted, t.tokens, t.subject, t.body
          FROM unnest(p_conversations, p_turns, p_seqs) AS asked (conversation, id, seq)
          JOIN #turn t ON t.tenant = p_tenant AND t.agent = p_agent AND t.conversation = asked.conversation
            AND t.id = asked.id AND (asked.seq IS NULL OR t.seq = asked.seq)
          WHERE NOT t.hidden)
      SELECT (SELECT string_agg(concat('[', d.document, ',', to_json(d.conversation), ',', to_json(d.id), ',', d.seq, ',',
              d.position, ',', to_json(d.message), ',', to_json(d.role), ',', coalesce(to_json(d.whose)::text, 'null'), ',',
              to_json(d.created_at), ']'), ',') FROM d),
          (SELECT string_agg(${turnOf("x")}, ',') FROM (SELECT DISTINCT ON (t.conversation, t.seq) t.* FROM t) x)
        INTO v_documents, v_turns;
    RETURN concat('{"documents":[', v_documents, '],"turns":[', v_turns, ']}');
  END
  $function$`,
];
