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

  // One text of JSON. What is JSON in the tables goes into it as it stands, and is read once, by the client.
  `CREATE FUNCTION #begin_turn(p_rls boolean, p_tenant text, p_agent text, p_id text, p_subject text, p_now text,
      p_window boolean, p_after_summary boolean, p_messages float8, p_tokens float8, p_facts integer)
    RETURNS text LANGUAGE plpgsql STABLE SET enable_seqscan = off SET search_path = pg_catalog, pg_temp AS $function$
  DECLARE
    c #conversation%ROWTYPE;
    s #summary%ROWTYPE;
    r record;
    v_subject text;
    v_border integer;
    v_messages bigint := 0;
    v_tokens bigint := 0;
    v_turns text[] := '{}';
    v_sets text[] := '{}';
    v_facts text[];
    v_scopes text[] := ARRAY['user', 'conversation', 'global', 'app'];
    v_agent text;
    v_owner text;
    v_version integer;
    v_total integer;
  BEGIN
    IF p_rls THEN PERFORM set_config('throughline.tenant', p_tenant, true); END IF;
    SELECT * INTO c FROM #conversation x WHERE x.tenant = p_tenant AND x.agent = p_agent AND x.id = p_id;
    IF c.id IS NOT NULL THEN
      v_border := c.cleared_through;
      IF c.summary > 0 THEN
        SELECT * INTO s FROM #summary x WHERE x.tenant = p_tenant AND x.agent = p_agent AND x.conversation = p_id
          AND x.version = c.summary;
        IF p_after_summary THEN v_border := greatest(v_border, s.through); END IF;
      END IF;
      IF p_window THEN
        FOR r IN SELECT x.seq, x.body, x.counted, x.tokens, x.subject FROM #turn x
          WHERE x.tenant = p_tenant AND x.agent = p_agent AND x.conversation = p_id AND x.seq > v_border AND NOT x.hidden
          ORDER BY x.seq DESC
        LOOP
          v_messages := v_messages + r.counted;
          v_tokens := v_tokens + r.tokens;
          EXIT WHEN v_turns <> '{}' AND (v_messages > p_messages OR v_tokens > p_tokens);
          v_turns := v_turns || concat('[', r.seq, ',', r.counted, ',', r.tokens, ',',
            coalesce(to_json(r.subject)::text, 'null'), ',', r.body, ']');
        END LOOP;
      END IF;
    END IF;
    v_subject := c.subject;
    IF p_subject IS NOT NULL THEN
      SELECT x.subject INTO v_subject FROM #identity x
        WHERE x.tenant = p_tenant AND x.agent = p_agent AND x.identity = p_subject;
      v_subject := coalesce(v_subject, p_subject);
    END IF;
    IF p_facts IS NOT NULL THEN
      FOR i IN 1 .. 4 LOOP
        CONTINUE WHEN v_subject IS NULL AND i IN (1, 3);
        v_agent := CASE i WHEN 3 THEN '' ELSE p_agent END;
        v_owner := CASE i WHEN 2 THEN p_id WHEN 4 THEN '' ELSE v_subject END;
        SELECT x.version INTO v_version FROM #fact_owner x
          WHERE x.tenant = p_tenant AND x.agent = v_agent AND x.scope = v_scopes[i] AND x.id = v_owner;
        v_facts := '{}';
        v_total := 0;
        IF v_version IS NOT NULL THEN
          SELECT coalesce(array_agg(f.body), '{}'), count(*) INTO v_facts, v_total FROM (
            SELECT x.body FROM #fact x
              WHERE x.tenant = p_tenant AND x.agent = v_agent AND x.scope = v_scopes[i] AND x.owner = v_owner
                AND x.valid_to IS NULL AND (x.expires_at IS NULL OR x.expires_at > p_now)
              ORDER BY x.updated_at DESC, x.id LIMIT p_facts) f;
          IF v_total >= p_facts THEN
            SELECT count(*) INTO v_total FROM #fact x
              WHERE x.tenant = p_tenant AND x.agent = v_agent AND x.scope = v_scopes[i] AND x.owner = v_owner
                AND x.valid_to IS NULL AND (x.expires_at IS NULL OR x.expires_at > p_now);
          END IF;
        END IF;
        v_sets := v_sets || concat('["', v_scopes[i], '",', coalesce(v_version, 0), ',', v_total, ',[',
          array_to_string(v_facts, ','), ']]');
      END LOOP;
    END IF;
    RETURN concat('{"conversation":', CASE WHEN c.id IS NULL THEN 'null' ELSE row_to_json(c)::text END,
      ',"summary":', CASE WHEN s.version IS NULL THEN 'null' ELSE row_to_json(s)::text END,
      ',"subject":', coalesce(to_json(v_subject)::text, 'null'),
      ',"turns":[', array_to_string(v_turns, ','), '],"facts":[', array_to_string(v_sets, ','), ']}');
  END
  $function$`,

  // The ordinary turn: a new one, that hides nothing. NULL, with nothing written, where it is not that.
  `CREATE FUNCTION #commit_turn(p_rls boolean, p_tenant text, p_agent text, p_id text, p_subject text, p_login text,
      p_now text, p_turn text, p_started text, p_body text, p_counted integer, p_tokens integer, p_size integer,
      p_messages text[])
    RETURNS text LANGUAGE plpgsql SET enable_seqscan = off SET search_path = pg_catalog, pg_temp AS $function$
  DECLARE
    c #conversation%ROWTYPE;
    v_subject text;
    v_erased text;
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
    ELSIF EXISTS (SELECT 1 FROM #message x WHERE x.tenant = p_tenant AND x.agent = p_agent AND x.conversation = p_id
        AND x.id = ANY (p_messages)) THEN
      RAISE EXCEPTION 'known' USING ERRCODE = 'TL001';
    END IF;
    INSERT INTO #turn (tenant, agent, conversation, seq, id, subject, body, size, counted, tokens)
      VALUES (p_tenant, p_agent, p_id, c.last_seq, p_turn, c.subject, p_body, p_size, p_counted, p_tokens);
    INSERT INTO #message (tenant, agent, conversation, id, seq)
      SELECT p_tenant, p_agent, p_id, m, c.last_seq FROM unnest(p_messages) m;
    RETURN row_to_json(c)::text;
  END
  $function$`,
];
