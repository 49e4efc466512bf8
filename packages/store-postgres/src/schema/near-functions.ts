import { PASSES, SETTINGS, TELL_TENANT } from "./search-functions.ts";

/**
 * What is near in one scope: how many, and of each its columns. They are told apart by two control characters, and counted by
 * whoever reads them; lists of JSON took as long as comparing the vectors.
 */
const nearIn = (scope: string, passes: string): string => `
        SELECT count(*) || E'\\x1e' || coalesce(string_agg(concat_ws(E'\\x1f', n.conversation, n.turn, n.seq, n.position, n.message,
            n.role, coalesce(n.subject, ''), n.created_at, n.score), E'\\x1e'), '') INTO v_near
          FROM (SELECT d.conversation, d.turn, d.seq, d.position, d.message, d.role, d.subject, d.created_at,
              -(d.v OPERATOR(%1$s.<#>) v_vector) AS score
            FROM #vector d WHERE d.tenant = p_tenant AND d.agent = p_agent AND d.model = p_model AND ${scope} AND d.filed
              ${passes}
            ORDER BY score DESC, d.created_at DESC, d.conversation, d.seq, d.position LIMIT p_near) n
          WHERE n.score >= p_floor;`;

/** A statement of its own where nothing is narrowed: to look at five filters takes as long as to compare. */
const narrowed = (scope: string): string => `
      IF v_narrows THEN${nearIn(scope, `AND ${PASSES}`)}
      ELSE${nearIn(scope, "")}
      END IF;`;

/**
 * The nearest messages, all of a scope's vectors compared, in one trip. Made where pgvector keeps the vectors, with the quoted
 * schema that its type and operators are in: its plans are kept then, and the column as it stands fits no HNSW index.
 */
export const nearFunction = (extension: string): string =>
  `CREATE OR REPLACE FUNCTION #near_messages(p_rls boolean, p_tenant text, p_agent text, p_kind text, p_id text, p_role text,
      p_from text, p_to text, p_within text, p_without text, p_through integer, p_model bigint, p_vector text, p_near bigint,
      p_floor float8)
    RETURNS text LANGUAGE plpgsql STABLE ${SETTINGS} AS $function$
  DECLARE
    v_vector %1$s.vector := p_vector::%1$s.vector;
    v_narrows boolean := num_nonnulls(p_role, p_from, p_to, p_within, p_without) > 0;
    v_near text;
  BEGIN
    ${TELL_TENANT}
    IF p_kind = 'subject' THEN${narrowed("d.subject = p_id")}
    ELSE${narrowed("d.conversation = p_id")}
    END IF;
    RETURN v_near;
  END
  $function$`.replaceAll("%1$s", () => extension);

/** As its vectors stand in the table where they are kept as bytes: floats, the lowest byte first. */
const AS_BYTES = "d.v";
/** As pgvector sends them: four bytes of length, and then floats, the highest byte first. */
const asPgvector = (extension: string): string => `${extension}.vector_send(d.v)`;

/**
 * A subject's vectors of one model that were written after a stamp: how many it has in all, what their stamps come to, whether
 * the highest byte comes first, and of each new one its columns. Where it has more than so many, how many alone.
 */
const changes = (replaces: boolean, bytes: string, isReversed: boolean): string =>
  `CREATE ${replaces ? "OR REPLACE " : ""}FUNCTION #near_changes(p_rls boolean, p_tenant text, p_agent text, p_subject text,
      p_model bigint, p_after bigint, p_most bigint)
    RETURNS text LANGUAGE plpgsql STABLE ${SETTINGS} AS $function$
  DECLARE
    v_count bigint;
    v_stamps bigint;
    v_new text;
  BEGIN
    ${TELL_TENANT}
    SELECT count(*), bit_xor(d.stamp) INTO v_count, v_stamps FROM #vector d
      WHERE d.tenant = p_tenant AND d.agent = p_agent AND d.subject = p_subject AND d.model = p_model AND d.filed;
    IF v_count <= p_most THEN
      SELECT string_agg(concat_ws(E'\\x1f', d.stamp, d.conversation, d.turn, d.seq, d.position, d.message, d.role, d.created_at,
          encode(${bytes}, 'base64')), E'\\x1e' ORDER BY d.stamp) INTO v_new FROM #vector d
        WHERE d.tenant = p_tenant AND d.agent = p_agent AND d.subject = p_subject AND d.model = p_model AND d.filed
          AND d.stamp > p_after;
    END IF;
    RETURN concat_ws(E'\\x1f', v_count, coalesce(v_stamps, 0), ${isReversed}) || coalesce(E'\\x1e' || v_new, '');
  END
  $function$`;

/** Where vectors are kept as bytes. */
const CHANGES_OF_BYTES = changes(false, AS_BYTES, false);

/** Where pgvector keeps them, in a quoted schema. */
export const changesOfPgvector = (extension: string): string => changes(true, asPgvector(extension), true);

/** Version 1 of what tells a process that keeps vectors in memory what became of them. */
export const NEAR_FUNCTIONS: readonly string[] = [CHANGES_OF_BYTES];
