const SETTINGS =
  "SET enable_seqscan = off SET plan_cache_mode = force_generic_plan SET search_path = pg_catalog, pg_temp";
const HEADER = `LANGUAGE plpgsql ${SETTINGS} AS $function$`;
const READING = `STABLE ${HEADER}`;
const TELL_TENANT = "IF p_rls THEN PERFORM set_config('throughline.tenant', p_tenant, true); END IF;";
const OF_CONVERSATION = "x.tenant = p_tenant AND x.agent = p_agent AND x.conversation = p_conversation";
const RESOLVE = `IF p_subject IS NOT NULL THEN
      SELECT x.subject INTO v_subject FROM #identity x
        WHERE x.tenant = p_tenant AND x.agent = p_agent AND x.identity = p_subject;
      v_subject := coalesce(v_subject, p_subject);
    END IF;`;
/** Whose the conversation is: as it was recorded, else as its checkpoints were. */
const BIND = `SELECT x.subject INTO v_bound FROM #conversation x
      WHERE x.tenant = p_tenant AND x.agent = p_agent AND x.id = p_conversation;
    v_bound := coalesce(v_bound, t.subject);`;

/** Version 1 of the functions about checkpoints: one trip each, whatever the driver. */
export const CHECKPOINT_FUNCTIONS: readonly string[] = [
  `CREATE FUNCTION #put_checkpoint(p_rls boolean, p_tenant text, p_agent text, p_conversation text, p_subject text,
      p_login text, p_now text, p_space text, p_id text, p_parent text, p_detached boolean, p_newest boolean,
      p_generation text, p_tags text[], p_body text, p_names text[], p_inlines text[],
      p_of integer[], p_first integer[], p_count integer[], p_texts text[])
    RETURNS text ${HEADER}
  DECLARE
    t #checkpoint_thread%ROWTYPE;
    v_subject text;
    v_bound text;
    v_newest text;
    v_name text;
    v_hash bytea;
    v_first integer;
    v_count integer;
    v_size integer := 0;
    v_runs integer[] := '{}';
  BEGIN
    ${TELL_TENANT}
    ${RESOLVE}
    -- Other puts wait, writes of tasks don't.
    SELECT * INTO t FROM #checkpoint_thread x WHERE ${OF_CONVERSATION} FOR NO KEY UPDATE;
    IF v_subject IS NOT NULL THEN
      ${BIND}
      IF v_bound <> v_subject THEN RETURN '{"status":"owner-mismatch"}'; END IF;
    END IF;
    IF p_parent IS NOT NULL AND NOT p_detached AND NOT EXISTS (SELECT 1 FROM #checkpoint x
        WHERE x.tenant = p_tenant AND x.thread = t.thread AND x.space = p_space AND x.id = p_parent) THEN
      RETURN json_build_object('status', 'late', 'gone', t.thread IS NULL)::text;
    END IF;
    IF p_newest THEN
      SELECT x.id INTO v_newest FROM #checkpoint x
        WHERE x.tenant = p_tenant AND x.thread = t.thread AND x.space = p_space ORDER BY x.id DESC LIMIT 1;
      IF v_newest IS DISTINCT FROM p_parent AND v_newest IS DISTINCT FROM p_id THEN RETURN '{"status":"behind"}'; END IF;
    END IF;
    IF p_generation IS NOT NULL AND p_generation IS DISTINCT FROM t.thread || '.' || t.edition THEN
      RETURN json_build_object('status', 'stale', 'generation', coalesce(t.thread || '.' || t.edition, ''))::text;
    END IF;
    IF t.thread IS NULL THEN
      INSERT INTO #checkpoint_thread AS x (tenant, agent, conversation, thread, subject, login, created_at, updated_at)
        VALUES (p_tenant, p_agent, p_conversation, floor(random() * 2147483648)::bigint * 4294967296
          + floor(random() * 4294967296)::bigint, v_subject, p_login, p_now, p_now)
        ON CONFLICT DO NOTHING RETURNING * INTO t;
      -- Another put made it in between, or it drew the number of another.
      IF t.thread IS NULL THEN
        RETURN #put_checkpoint(p_rls, p_tenant, p_agent, p_conversation, p_subject, p_login, p_now, p_space, p_id,
          p_parent, p_detached, p_newest, p_generation, p_tags, p_body, p_names, p_inlines, p_of, p_first, p_count, p_texts);
      END IF;
      v_bound := NULL;
    ELSE
      UPDATE #checkpoint_thread x SET updated_at = p_now, subject = coalesce(v_subject, x.subject),
        login = coalesce(p_login, x.login) WHERE ${OF_CONVERSATION};
      v_bound := t.subject;
    END IF;
    IF v_subject IS DISTINCT FROM v_bound AND v_subject IS NOT NULL THEN
      INSERT INTO #checkpoint_subject (tenant, agent, subject, conversation)
        VALUES (p_tenant, p_agent, v_subject, p_conversation) ON CONFLICT DO NOTHING;
    END IF;
    FOR i IN 1 .. coalesce(array_length(p_of, 1), 0) LOOP
      v_first := p_first[i];
      v_count := p_count[i];
      IF v_first IS NULL THEN
        v_name := p_names[p_of[i]];
        v_hash := substring(sha256(convert_to(p_texts[i], 'UTF8')) FOR 8);
        SELECT x.number INTO v_first FROM #checkpoint_element x
          WHERE x.tenant = p_tenant AND x.thread = t.thread AND x.name = v_name AND x.hash = v_hash AND x.data = p_texts[i]
          LIMIT 1;
        IF v_first IS NULL THEN
          SELECT x.number INTO v_first FROM #checkpoint_element x
            WHERE x.tenant = p_tenant AND x.thread = t.thread AND x.name = v_name ORDER BY x.number DESC LIMIT 1;
          v_first := coalesce(v_first, 0) + 1;
          INSERT INTO #checkpoint_element (tenant, thread, name, number, hash, data)
            VALUES (p_tenant, t.thread, v_name, v_first, v_hash, p_texts[i]);
        END IF;
      END IF;
      IF v_size > 0 AND v_runs[v_size - 2] = p_of[i] AND v_runs[v_size - 1] + v_runs[v_size] = v_first THEN
        v_runs[v_size] := v_runs[v_size] + v_count;
      ELSE
        v_runs := v_runs || ARRAY[p_of[i], v_first, v_count];
        v_size := v_size + 3;
      END IF;
    END LOOP;
    INSERT INTO #checkpoint (tenant, thread, space, id, parent, at, names, inlines, runs, tags, body)
      VALUES (p_tenant, t.thread, p_space, p_id, p_parent, p_now, p_names, p_inlines, v_runs, p_tags, p_body)
      ON CONFLICT (tenant, thread, space, id) DO UPDATE SET parent = excluded.parent, at = excluded.at,
        names = excluded.names, inlines = excluded.inlines, runs = excluded.runs, tags = excluded.tags, body = excluded.body;
    RETURN json_build_object('status', 'stored', 'generation', t.thread || '.' || t.edition, 'runs', v_runs)::text;
  END
  $function$`,

  `CREATE FUNCTION #put_checkpoint_writes(p_rls boolean, p_tenant text, p_agent text, p_conversation text, p_subject text,
      p_space text, p_id text, p_task text, p_path text, p_thread text, p_index integer[], p_names text[], p_texts text[],
      p_replaces boolean[])
    RETURNS text ${HEADER}
  DECLARE
    t #checkpoint_thread%ROWTYPE;
    v_subject text;
    v_bound text;
  BEGIN
    ${TELL_TENANT}
    ${RESOLVE}
    -- Shared, so that writes of several tasks don't wait for each other, and a removal waits for all of them.
    SELECT * INTO t FROM #checkpoint_thread x WHERE ${OF_CONVERSATION} FOR KEY SHARE;
    IF v_subject IS NOT NULL THEN
      ${BIND}
      IF v_bound <> v_subject THEN RETURN 'owner-mismatch'; END IF;
    END IF;
    IF t.thread IS NULL OR p_thread <> t.thread::text THEN RETURN 'late'; END IF;
    INSERT INTO #checkpoint_write AS w (tenant, thread, space, checkpoint, task, idx, path, name, data)
      SELECT p_tenant, t.thread, p_space, p_id, p_task, g.idx, p_path, g.name, g.data
        FROM unnest(p_index, p_names, p_texts, p_replaces) g (idx, name, data, replaces) WHERE NOT g.replaces ORDER BY g.idx
      ON CONFLICT DO NOTHING;
    INSERT INTO #checkpoint_write AS w (tenant, thread, space, checkpoint, task, idx, path, name, data)
      SELECT p_tenant, t.thread, p_space, p_id, p_task, g.idx, p_path, g.name, g.data
        FROM unnest(p_index, p_names, p_texts, p_replaces) g (idx, name, data, replaces) WHERE g.replaces ORDER BY g.idx
      ON CONFLICT (tenant, thread, space, checkpoint, task, idx)
        DO UPDATE SET path = excluded.path, name = excluded.name, data = excluded.data;
    RETURN 'stored';
  END
  $function$`,

  // The elements of the list at a place, as one JSON array.
  `CREATE FUNCTION #checkpoint_elements(p_tenant text, p_thread bigint, p_name text, p_place integer, p_runs integer[])
    RETURNS text ${READING}
  DECLARE
    v_parts text[] := '{}';
    v_part text;
  BEGIN
    FOR i IN 1 .. coalesce(array_length(p_runs, 1), 0) BY 3 LOOP
      CONTINUE WHEN p_runs[i] <> p_place;
      SELECT string_agg(e.data, ',') INTO v_part FROM (SELECT x.data FROM #checkpoint_element x
        WHERE x.tenant = p_tenant AND x.thread = p_thread AND x.name = p_name
          AND x.number >= p_runs[i + 1] AND x.number < p_runs[i + 1] + p_runs[i + 2] ORDER BY x.number) e;
      IF v_part IS NOT NULL THEN v_parts := v_parts || v_part; END IF;
    END LOOP;
    RETURN '[' || array_to_string(v_parts, ',') || ']';
  END
  $function$`,

  // Parts of a checkpoint, a row each: texts come as they stand, and are read once, by the client.
  `CREATE FUNCTION #checkpoint_parts(c #checkpoint, p_conversation text, p_subject text, p_edition integer, p_heads boolean)
    RETURNS TABLE (part text, key text, data text) ${READING}
  BEGIN
    RETURN QUERY SELECT 'checkpoint', json_build_object('conversation', p_conversation, 'subject', p_subject,
      'space', c.space, 'id', c.id, 'parent', c.parent, 'at', c.at, 'names', c.names, 'inlines', c.inlines,
      'runs', c.runs, 'tags', c.tags, 'generation', c.thread || '.' || p_edition)::text, c.body;
    IF p_heads THEN RETURN; END IF;
    FOR i IN 1 .. coalesce(array_length(c.names, 1), 0) LOOP
      CONTINUE WHEN c.inlines[i] IS NOT NULL;
      RETURN QUERY SELECT 'elements', i::text, #checkpoint_elements(c.tenant, c.thread, c.names[i], i, c.runs);
    END LOOP;
    RETURN QUERY SELECT 'write', json_build_array(w.task, w.path, w.idx, w.name)::text, w.data FROM #checkpoint_write w
      WHERE w.tenant = c.tenant AND w.thread = c.thread AND w.space = c.space AND w.checkpoint = c.id;
  END
  $function$`,

  `CREATE FUNCTION #read_checkpoint(p_rls boolean, p_tenant text, p_agent text, p_conversation text, p_space text, p_id text,
      p_heads boolean)
    RETURNS TABLE (part text, key text, data text) ${READING}
  DECLARE
    t #checkpoint_thread%ROWTYPE;
    c #checkpoint%ROWTYPE;
    v_bound text;
  BEGIN
    ${TELL_TENANT}
    SELECT * INTO t FROM #checkpoint_thread x WHERE ${OF_CONVERSATION};
    IF t.thread IS NULL THEN RETURN; END IF;
    IF p_id IS NULL THEN
      SELECT * INTO c FROM #checkpoint x WHERE x.tenant = p_tenant AND x.thread = t.thread AND x.space = p_space
        ORDER BY x.id DESC LIMIT 1;
    ELSE
      SELECT * INTO c FROM #checkpoint x WHERE x.tenant = p_tenant AND x.thread = t.thread AND x.space = p_space
        AND x.id = p_id;
    END IF;
    IF c.id IS NULL THEN RETURN; END IF;
    ${BIND}
    RETURN QUERY SELECT p.* FROM #checkpoint_parts(c, p_conversation, v_bound, t.edition, p_heads) p;
  END
  $function$`,

  `CREATE FUNCTION #list_checkpoints(p_rls boolean, p_tenant text, p_agent text, p_conversation text, p_subject text,
      p_space text, p_id text, p_before text, p_after_id text, p_after_conversation text, p_after_space text, p_tags text[],
      p_limit integer, p_heads boolean)
    RETURNS TABLE (part text, key text, data text) ${READING}
  DECLARE
    v_thread bigint;
    v_edition integer;
    v_subject text;
    c #checkpoint%ROWTYPE;
    r record;
  BEGIN
    ${TELL_TENANT}
    IF p_conversation IS NOT NULL THEN
      SELECT x.thread, x.edition, coalesce(o.subject, x.subject) INTO v_thread, v_edition, v_subject
        FROM #checkpoint_thread x LEFT JOIN #conversation o
          ON o.tenant = x.tenant AND o.agent = x.agent AND o.id = x.conversation
        WHERE ${OF_CONVERSATION};
      IF v_thread IS NULL OR v_subject IS DISTINCT FROM coalesce(p_subject, v_subject) THEN RETURN; END IF;
      FOR c IN SELECT x.* FROM #checkpoint x
        WHERE x.tenant = p_tenant AND x.thread = v_thread AND (p_space IS NULL OR x.space = p_space)
          AND (p_id IS NULL OR x.id = p_id) AND (p_before IS NULL OR x.id < p_before)
          AND (p_after_id IS NULL OR x.id < p_after_id
            OR x.id = p_after_id AND (p_conversation, x.space) > (p_after_conversation, p_after_space))
          AND x.tags @> p_tags
        ORDER BY x.id DESC, x.space LIMIT p_limit
      LOOP
        RETURN QUERY SELECT p.* FROM #checkpoint_parts(c, p_conversation, v_subject, v_edition, p_heads) p;
      END LOOP;
      RETURN;
    END IF;
    FOR r IN SELECT x AS checkpoint, t.conversation AS conversation, coalesce(o.subject, t.subject) AS subject,
        t.edition AS edition
      FROM #checkpoint_thread t JOIN #checkpoint x ON x.tenant = t.tenant AND x.thread = t.thread
        LEFT JOIN #conversation o ON o.tenant = t.tenant AND o.agent = t.agent AND o.id = t.conversation
      WHERE t.tenant = p_tenant AND t.agent = p_agent AND (p_subject IS NULL OR coalesce(o.subject, t.subject) = p_subject)
        AND (p_space IS NULL OR x.space = p_space) AND (p_id IS NULL OR x.id = p_id)
        AND (p_before IS NULL OR x.id < p_before)
        AND (p_after_id IS NULL OR x.id < p_after_id
          OR x.id = p_after_id AND (t.conversation, x.space) > (p_after_conversation, p_after_space))
        AND x.tags @> p_tags
      ORDER BY x.id DESC, t.conversation, x.space LIMIT p_limit
    LOOP
      RETURN QUERY SELECT p.* FROM #checkpoint_parts(r.checkpoint, r.conversation, r.subject, r.edition, p_heads) p;
    END LOOP;
  END
  $function$`,

  `CREATE FUNCTION #checkpoint_history(p_rls boolean, p_tenant text, p_agent text, p_conversation text, p_space text,
      p_id text, p_names text[])
    RETURNS TABLE (part text, key text, data text) ${READING}
  DECLARE
    t #checkpoint_thread%ROWTYPE;
    c #checkpoint%ROWTYPE;
    v_next text;
    v_step integer := 0;
    v_open text[] := p_names;
    v_name text;
    v_place integer;
  BEGIN
    ${TELL_TENANT}
    SELECT * INTO t FROM #checkpoint_thread x WHERE ${OF_CONVERSATION};
    SELECT x.parent INTO v_next FROM #checkpoint x
      WHERE x.tenant = p_tenant AND x.thread = t.thread AND x.space = p_space AND (p_id IS NULL OR x.id = p_id)
      ORDER BY x.id DESC LIMIT 1;
    WHILE v_next IS NOT NULL AND v_open <> '{}' LOOP
      SELECT * INTO c FROM #checkpoint x
        WHERE x.tenant = p_tenant AND x.thread = t.thread AND x.space = p_space AND x.id = v_next;
      EXIT WHEN c.id IS NULL;
      v_step := v_step + 1;
      RETURN QUERY SELECT 'write', json_build_array(v_step, w.task, w.path, w.idx, w.name)::text, w.data
        FROM #checkpoint_write w WHERE w.tenant = p_tenant AND w.thread = t.thread AND w.space = p_space
          AND w.checkpoint = c.id AND w.name = ANY (v_open);
      FOREACH v_name IN ARRAY v_open LOOP
        v_place := array_position(c.names, v_name);
        CONTINUE WHEN v_place IS NULL;
        RETURN QUERY SELECT 'seed', json_build_object('name', v_name, 'inline', c.inlines[v_place], 'place', v_place,
          'runs', c.runs)::text, c.body;
        IF c.inlines[v_place] IS NULL THEN
          RETURN QUERY SELECT 'elements', v_name, #checkpoint_elements(p_tenant, t.thread, v_name, v_place, c.runs);
        END IF;
        v_open := array_remove(v_open, v_name);
      END LOOP;
      v_next := c.parent;
    END LOOP;
  END
  $function$`,

  // All checkpoints of some conversations. The rows of the threads are locked first: whoever writes is waited for.
  `CREATE FUNCTION #remove_checkpoint_threads(p_rls boolean, p_tenant text, p_agent text, p_conversations text[])
    RETURNS integer ${HEADER}
  DECLARE
    v_threads bigint[];
    v_removed integer;
  BEGIN
    ${TELL_TENANT}
    PERFORM 1 FROM #checkpoint_thread x WHERE x.tenant = p_tenant AND x.agent = p_agent
      AND x.conversation = ANY (p_conversations) ORDER BY x.conversation FOR UPDATE;
    WITH gone AS (DELETE FROM #checkpoint_thread x WHERE x.tenant = p_tenant AND x.agent = p_agent
      AND x.conversation = ANY (p_conversations) RETURNING x.thread)
      SELECT coalesce(array_agg(g.thread), '{}') INTO v_threads FROM gone g;
    IF v_threads = '{}' THEN RETURN 0; END IF;
    DELETE FROM #checkpoint_subject x WHERE x.tenant = p_tenant AND x.agent = p_agent
      AND x.conversation = ANY (p_conversations);
    DELETE FROM #checkpoint_write x WHERE x.tenant = p_tenant AND x.thread = ANY (v_threads);
    DELETE FROM #checkpoint_element x WHERE x.tenant = p_tenant AND x.thread = ANY (v_threads);
    DELETE FROM #checkpoint x WHERE x.tenant = p_tenant AND x.thread = ANY (v_threads);
    GET DIAGNOSTICS v_removed = ROW_COUNT;
    RETURN v_removed;
  END
  $function$`,

  `CREATE FUNCTION #remove_checkpoints(p_rls boolean, p_tenant text, p_agent text, p_conversation text, p_spaces text[],
      p_ids text[])
    RETURNS integer ${HEADER}
  DECLARE
    t #checkpoint_thread%ROWTYPE;
    v_removed integer;
  BEGIN
    ${TELL_TENANT}
    SELECT * INTO t FROM #checkpoint_thread x WHERE ${OF_CONVERSATION} FOR UPDATE;
    IF t.thread IS NULL THEN RETURN 0; END IF;
    DELETE FROM #checkpoint_write x USING unnest(p_spaces, p_ids) g (space, id)
      WHERE x.tenant = p_tenant AND x.thread = t.thread AND x.space = g.space AND x.checkpoint = g.id;
    DELETE FROM #checkpoint x USING unnest(p_spaces, p_ids) g (space, id)
      WHERE x.tenant = p_tenant AND x.thread = t.thread AND x.space = g.space AND x.id = g.id;
    GET DIAGNOSTICS v_removed = ROW_COUNT;
    IF v_removed = 0 THEN RETURN 0; END IF;
    UPDATE #checkpoint_thread x SET edition = x.edition + 1 WHERE ${OF_CONVERSATION};
    DELETE FROM #checkpoint_element e WHERE e.tenant = p_tenant AND e.thread = t.thread AND (e.name, e.number) NOT IN (
      SELECT c.names[c.runs[i]], n FROM #checkpoint c,
        generate_series(1, coalesce(array_length(c.runs, 1), 0), 3) i, generate_series(c.runs[i + 1], c.runs[i + 1] + c.runs[i + 2] - 1) n
        WHERE c.tenant = p_tenant AND c.thread = t.thread);
    RETURN v_removed;
  END
  $function$`,

  `CREATE FUNCTION #copy_checkpoints(p_rls boolean, p_tenant text, p_agent text, p_conversation text, p_to text,
      p_subject text, p_login text, p_now text)
    RETURNS integer ${HEADER}
  DECLARE
    t #checkpoint_thread%ROWTYPE;
    n #checkpoint_thread%ROWTYPE;
    v_subject text;
    v_copied integer;
  BEGIN
    ${TELL_TENANT}
    ${RESOLVE}
    IF EXISTS (SELECT 1 FROM #checkpoint_thread x WHERE x.tenant = p_tenant AND x.agent = p_agent AND x.conversation = p_to)
      THEN RETURN NULL; END IF;
    SELECT * INTO t FROM #checkpoint_thread x WHERE ${OF_CONVERSATION} FOR UPDATE;
    IF t.thread IS NULL THEN RETURN 0; END IF;
    INSERT INTO #checkpoint_thread AS x (tenant, agent, conversation, thread, subject, login, created_at, updated_at)
      VALUES (p_tenant, p_agent, p_to, floor(random() * 2147483648)::bigint * 4294967296
        + floor(random() * 4294967296)::bigint, v_subject, p_login, p_now, p_now)
      ON CONFLICT DO NOTHING RETURNING * INTO n;
    IF n.thread IS NULL THEN
      RETURN #copy_checkpoints(p_rls, p_tenant, p_agent, p_conversation, p_to, p_subject, p_login, p_now);
    END IF;
    IF v_subject IS NOT NULL THEN
      INSERT INTO #checkpoint_subject (tenant, agent, subject, conversation)
        VALUES (p_tenant, p_agent, v_subject, p_to) ON CONFLICT DO NOTHING;
    END IF;
    INSERT INTO #checkpoint_element (tenant, thread, name, number, hash, data)
      SELECT x.tenant, n.thread, x.name, x.number, x.hash, x.data FROM #checkpoint_element x
        WHERE x.tenant = p_tenant AND x.thread = t.thread;
    INSERT INTO #checkpoint_write (tenant, thread, space, checkpoint, task, idx, path, name, data)
      SELECT x.tenant, n.thread, x.space, x.checkpoint, x.task, x.idx, x.path, x.name, x.data FROM #checkpoint_write x
        WHERE x.tenant = p_tenant AND x.thread = t.thread;
    INSERT INTO #checkpoint (tenant, thread, space, id, parent, at, names, inlines, runs, tags, body)
      SELECT x.tenant, n.thread, x.space, x.id, x.parent, x.at, x.names, x.inlines, x.runs, x.tags, x.body
        FROM #checkpoint x WHERE x.tenant = p_tenant AND x.thread = t.thread;
    GET DIAGNOSTICS v_copied = ROW_COUNT;
    RETURN v_copied;
  END
  $function$`,
];
