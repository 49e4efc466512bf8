import { PASSES, SETTINGS, TELL_TENANT } from "./search-functions.ts";

/** What there is to tell of a near message. */
const NEAR = "conversation, turn, seq, position, message, role, subject, created_at, score".split(", ");

/** The columns of what is near in one scope, a list for each. */
const nearIn = (scope: string): string => `
        SELECT concat_ws(',', ${NEAR.map((column) => `array_to_json(array_agg(n.${column}))`).join(", ")}) INTO v_near
          FROM (SELECT d.conversation, d.turn, d.seq, d.position, d.message, d.role, d.subject, d.created_at,
              -(d.v OPERATOR(%1$s.<#>) v_vector) AS score
            FROM #vector d WHERE d.tenant = p_tenant AND d.agent = p_agent AND d.model = p_model AND ${scope} AND d.filed
              AND ${PASSES}
            ORDER BY score DESC, d.created_at DESC, d.conversation, d.seq, d.position LIMIT p_near) n;`;

/**
 * The nearest messages, all of a scope's vectors compared, in one trip. Made where pgvector keeps the vectors, with the quoted
 * schema that its type and operators are in: its plans are kept then, and the column as it stands fits no HNSW index.
 */
export const nearFunction = (extension: string): string =>
  `CREATE OR REPLACE FUNCTION #near_messages(p_rls boolean, p_tenant text, p_agent text, p_kind text, p_id text, p_role text,
      p_from text, p_to text, p_within text, p_without text, p_through integer, p_model bigint, p_vector text, p_near bigint)
    RETURNS text LANGUAGE plpgsql STABLE ${SETTINGS} AS $function$
  DECLARE
    v_vector %1$s.vector := p_vector::%1$s.vector;
    v_near text;
  BEGIN
    ${TELL_TENANT}
    IF p_kind = 'subject' THEN${nearIn("d.subject = p_id")}
    ELSE${nearIn("d.conversation = p_id")}
    END IF;
    RETURN concat('[', v_near, ']');
  END
  $function$`.replaceAll("%1$s", () => extension);
