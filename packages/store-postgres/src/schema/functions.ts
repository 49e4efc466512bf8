/**
 * Everything in the functions finds its rows by a key, so the plans that don't look at values are right, whatever statistics
 * say, and making them anew for each call costs more than running them.
 */
const SETTINGS =
  "SET enable_seqscan = off SET plan_cache_mode = force_generic_plan SET search_path = pg_catalog, pg_temp";

/**
 * Version 1 of the functions: the two trips of a turn. In functions, because then each is one statement for any driver
 * and pooler, its plans are kept by the server, the tenant is set inside it, and every statement of a write sees what was
 * committed before it got its lock.
 */
export const FUNCTIONS: readonly string[] = [
  // A hash that stands for what was erased. Lengths keep two names from running into each other. Its names are looked up
  // as it is made, so that no search_path changes what it calls.
  `CREATE FUNCTION #mark(p_agent text, p_kind text, p_id text) RETURNS bytea LANGUAGE sql IMMUTABLE
    RETURN sha256(convert_to(octet_length(p_agent) || ':' || p_agent || ' ' || p_kind || ' ' || p_id, 'UTF8'))`,

  // 32-bit floats, the lowest byte first, as they are kept where there is no pgvector. All are finite.
  `CREATE FUNCTION #floats(bytes bytea) RETURNS real[] LANGUAGE plpgsql IMMUTABLE
    SET search_path = pg_catalog, pg_temp AS $function$
  DECLARE
    v_floats real[] := '{}';
    v_high integer;
    v_low integer;
    v_exponent integer;
    v_value float8;
  BEGIN
    FOR i IN 0 .. octet_length(bytes) / 4 - 1 LOOP
      v_high := get_byte(bytes, 4 * i + 3);
      v_low := get_byte(bytes, 4 * i + 2);
      v_exponent := (v_high & 127) * 2 + (v_low >> 7);
      v_value := ((v_low & 127) * 65536 + get_byte(bytes, 4 * i + 1) * 256 + get_byte(bytes, 4 * i))::float8;
      v_value := CASE v_exponent WHEN 0 THEN v_value * 2::float8 ^ (-149)
        ELSE (v_value + 8388608) * 2::float8 ^ (v_exponent - 150) END;
      v_floats[i + 1] := CASE WHEN v_high > 127 THEN -v_value ELSE v_value END;
    END LOOP;
    RETURN v_floats;
  END
  $function$`,

  // One text of JSON. What is JSON in the tables goes into it as it stands, and is read once, by the client. Owners that have
  // no facts are left out.
  `CREATE FUNCTION #begin_turn(p_rls boolean, p_tenant text, p_agent text, p_id text, p_subject text, p_now text,
      p_window boolean, p_after_summary boolean, p_messages float8, p_tokens float8, p_facts bigint)
    RETURNS text LANGUAGE plpgsql STABLE ${SETTINGS} AS $function$
  DECLARE
    v_conversation text;
    v_summary text;
    v_subject text;
    v_border integer;
    v_versions integer[];
    v_most bigint;
    v_looked bigint;
    v_taken bigint;
    v_turns text;
    v_scopes text[] := ARRAY['user', 'conversation', 'global', 'app'];
    v_agent text;
    v_owner text;
    v_total bigint;
    v_facts text;
    v_sets text := '';
  BEGIN
    IF p_rls THEN PERFORM set_config('throughline.tenant', p_tenant, true); END IF;
    SELECT row_to_json(c)::text, row_to_json(s)::text, n.subject,
        CASE WHEN p_after_summary THEN greatest(c.cleared_through, s.through) ELSE c.cleared_through END,
        ARRAY[u.version, o.version, g.version, a.version]
      INTO v_conversation, v_summary, v_subject, v_border, v_versions
      FROM (SELECT 1) one
      LEFT JOIN #conversation c ON c.tenant = p_tenant AND c.agent = p_agent AND c.id = p_id
      LEFT JOIN #summary s ON s.tenant = p_tenant AND s.agent = p_agent AND s.conversation = p_id AND s.version = c.summary
      LEFT JOIN #identity i ON i.tenant = p_tenant AND i.agent = p_agent AND i.identity = p_subject
      CROSS JOIN LATERAL (SELECT coalesce(i.subject, p_subject, c.subject) AS subject) n
      LEFT JOIN #fact_owner u ON u.tenant = p_tenant AND u.agent = p_agent AND u.scope = 'user' AND u.id = n.subject
      LEFT JOIN #fact_owner o ON o.tenant = p_tenant AND o.agent = p_agent AND o.scope = 'conversation' AND o.id = p_id
      LEFT JOIN #fact_owner g ON g.tenant = p_tenant AND g.agent = '' AND g.scope = 'global' AND g.id = n.subject
      LEFT JOIN #fact_owner a ON a.tenant = p_tenant AND a.agent = p_agent AND a.scope = 'app' AND a.id = '';
    IF p_window AND v_border IS NOT NULL THEN
      -- A turn has two messages mostly. Where those that were looked at all fit, there may be more.
      v_most := 1 + ceil(least(p_messages, 200) / 2);
      LOOP
        SELECT string_agg('[' || w.seq || ',' || w.counted || ',' || w.tokens || ',' ||
              coalesce(to_json(w.subject)::text, 'null') || ',' || w.body || ']', ',' ORDER BY w.place) FILTER (WHERE w.fits),
            count(*), count(*) FILTER (WHERE w.fits)
          INTO v_turns, v_looked, v_taken
          FROM (SELECT y.*, row_number() OVER o AS place, row_number() OVER o = 1
              OR sum(y.counted) OVER o <= p_messages AND sum(y.tokens) OVER o <= p_tokens AS fits
            FROM (SELECT x.seq, x.body, x.counted, x.tokens, x.subject FROM #turn x
              WHERE x.tenant = p_tenant AND x.agent = p_agent AND x.conversation = p_id AND x.seq > v_border AND NOT x.hidden
              ORDER BY x.seq DESC LIMIT v_most) y
            WINDOW o AS (ORDER BY y.seq DESC ROWS UNBOUNDED PRECEDING)) w;
        EXIT WHEN v_looked < v_most OR v_taken < v_looked;
        v_most := v_most * 8;
      END LOOP;
    END IF;
    IF p_facts IS NOT NULL THEN
      FOR i IN 1 .. 4 LOOP
        CONTINUE WHEN v_versions[i] IS NULL;
        v_agent := CASE i WHEN 3 THEN '' ELSE p_agent END;
        v_owner := CASE i WHEN 2 THEN p_id WHEN 4 THEN '' ELSE v_subject END;
        SELECT string_agg(f.body, ',' ORDER BY f.place) FILTER (WHERE f.place <= p_facts), count(*) INTO v_facts, v_total
          FROM (SELECT x.body, row_number() OVER (ORDER BY x.updated_at DESC, x.id) AS place FROM #fact x
            WHERE x.tenant = p_tenant AND x.agent = v_agent AND x.scope = v_scopes[i] AND x.owner = v_owner
              AND x.valid_to IS NULL AND (x.expires_at IS NULL OR x.expires_at > p_now)
            ORDER BY x.updated_at DESC, x.id LIMIT p_facts + 1) f;
        IF v_total > p_facts THEN
          SELECT count(*) INTO v_total FROM #fact x
            WHERE x.tenant = p_tenant AND x.agent = v_agent AND x.scope = v_scopes[i] AND x.owner = v_owner
              AND x.valid_to IS NULL AND (x.expires_at IS NULL OR x.expires_at > p_now);
        END IF;
        v_sets := concat(v_sets, CASE v_sets WHEN '' THEN '["' ELSE ',["' END, v_scopes[i], '",', v_versions[i], ',', v_total,
          ',[', v_facts, ']]');
      END LOOP;
    END IF;
    RETURN concat('{"conversation":', coalesce(v_conversation, 'null'), ',"summary":', coalesce(v_summary, 'null'),
      ',"subject":', coalesce(to_json(v_subject)::text, 'null'), ',"turns":[', v_turns, '],"facts":[', v_sets, ']}');
  END
  $function$`,

  // The ordinary turn: a new one, that hides nothing. NULL, with nothing written, where it is not that.
  `CREATE FUNCTION #commit_turn(p_rls boolean, p_tenant text, p_agent text, p_id text, p_subject text, p_login text,
      p_now text, p_turn text, p_started text, p_body text, p_counted integer, p_tokens integer, p_size integer,
      p_messages text[])
    RETURNS text LANGUAGE plpgsql ${SETTINGS} AS $function$
  DECLARE
    c #conversation%ROWTYPE;
    v_subject text;
    v_erased text;
    v_known boolean;
  BEGIN
    IF p_rls THEN PERFORM set_config('throughline.tenant', p_tenant, true); END IF;
    IF p_subject IS NOT NULL THEN
      SELECT x.subject INTO v_subject FROM #identity x
        WHERE x.tenant = p_tenant AND x.agent = p_agent AND x.identity = p_subject;
      v_subject := coalesce(v_subject, p_subject);
    END IF;
    UPDATE #conversation x SET last_seq = x.last_seq + 1, turns = x.turns + 1, messages = x.messages + p_counted,
        updated_at = p_now, login = coalesce(p_login, x.login)
      WHERE x.tenant = p_tenant AND x.agent = p_agent AND x.id = p_id
        AND (v_subject IS NULL OR x.subject = v_subject)
        AND (x.refuse_through IS NULL OR x.refuse_through < p_started)
      RETURNING * INTO c;
    IF c.id IS NULL THEN
      INSERT INTO #conversation AS x (tenant, agent, id, subject, login, created_at, updated_at, last_seq, turns, messages)
        VALUES (p_tenant, p_agent, p_id, v_subject, p_login, p_now, p_now, 1, 1, p_counted)
        ON CONFLICT DO NOTHING RETURNING * INTO c;
      IF c.id IS NULL THEN RETURN NULL; END IF;
      IF v_subject IS NOT NULL THEN
        INSERT INTO #erasure (tenant, mark, at) VALUES (p_tenant, #mark(p_agent, 'subject', v_subject), '')
          ON CONFLICT DO NOTHING;
      END IF;
      -- With the row locked and a new look: an erasure under way is through, or waits for this turn.
      SELECT max(m.at) INTO v_erased FROM (
        SELECT x.at FROM #erasure x WHERE x.tenant = p_tenant AND x.mark IN (
          #mark(p_agent, 'conversation', p_id), #mark(p_agent, 'subject', v_subject)) FOR SHARE) m;
      IF v_erased <> '' THEN
        IF v_erased >= p_started THEN RAISE EXCEPTION 'erased' USING ERRCODE = 'TL001'; END IF;
        UPDATE #conversation x SET refuse_through = v_erased
          WHERE x.tenant = p_tenant AND x.agent = p_agent AND x.id = p_id;
      END IF;
    END IF;
    -- One statement, begun after the row was locked: it looks at what was there before it.
    WITH t AS (INSERT INTO #turn (tenant, agent, conversation, seq, id, subject, body, size, counted, tokens)
        VALUES (p_tenant, p_agent, p_id, c.last_seq, p_turn, c.subject, p_body, p_size, p_counted, p_tokens)),
      m AS (INSERT INTO #message (tenant, agent, conversation, id, seq)
        SELECT p_tenant, p_agent, p_id, m, c.last_seq FROM unnest(p_messages) m)
      SELECT EXISTS (SELECT 1 FROM #message x WHERE x.tenant = p_tenant AND x.agent = p_agent AND x.conversation = p_id
        AND x.id = ANY (p_messages)) INTO v_known;
    IF v_known THEN RAISE EXCEPTION 'known' USING ERRCODE = 'TL001'; END IF;
    RETURN row_to_json(c)::text;
  END
  $function$`,
];
