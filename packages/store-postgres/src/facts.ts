import type { Fact, FactOwner, FactQuery, FactSet } from "@throughline/core";
import { parse } from "./context.ts";
import { Parameters, type Session } from "./session.ts";
import { toInteger, writeText } from "./text.ts";

/** Names an owner of facts: tenant, agent ('' where all agents share them), scope, id. */
export function factKey(owner: FactOwner): [tenant: string, agent: string, scope: string, id: string] {
  return [
    writeText(owner.tenant),
    owner.agent === null ? "" : writeText(owner.agent),
    owner.scope,
    writeText(owner.id),
  ];
}

/** Facts of several owners, one set each, of one moment. */
export async function readFacts(session: Session, owners: readonly FactOwner[], query: FactQuery): Promise<FactSet[]> {
  const sets: FactSet[] = owners.map((owner) => ({ owner, version: 0, facts: [], total: 0 }));
  const parameters = new Parameters();
  const conditions = conditionsOf(query, parameters);
  const limit = parameters.add(Math.max(0, toInteger(query.limit)));
  const selects = owners.map((owner, index) => {
    const [tenant, agent, scope, id] = factKey(owner).map((name) => parameters.add(name));
    const own = `f.tenant = ${tenant} AND f.agent = ${agent} AND f.scope = ${scope} AND f.owner = ${id}`;
    const where = [own, ...conditions].join(" AND ");
    return `(SELECT ${index} AS place, o.version, n.total, f.body FROM #fact_owner o
      CROSS JOIN LATERAL (SELECT count(*)::integer AS total FROM #fact f WHERE ${where}) n
      LEFT JOIN LATERAL (SELECT f.body, f.updated_at, f.id FROM #fact f WHERE ${where}
        ORDER BY f.updated_at DESC, f.id LIMIT ${limit}) f ON true
      WHERE o.tenant = ${tenant} AND o.agent = ${agent} AND o.scope = ${scope} AND o.id = ${id}
      ORDER BY f.updated_at DESC, f.id)`;
  });
  const rows = await session.rows<{ place: number; version: number; total: number; body: string | null }>(
    selects.join(" UNION ALL "),
    ...parameters.values,
  );
  for (const { place, version, total, body } of rows) {
    const set = sets[place];
    if (set === undefined) continue;
    set.version = version;
    set.total = total;
    if (body !== null) set.facts.push(parse<Fact>(body));
  }
  return sets;
}

function conditionsOf(query: FactQuery, parameters: Parameters): string[] {
  const { now, ids, keys, type, tags, history, asOf } = query;
  const conditions: string[] = [];
  if (asOf !== undefined) {
    const at = parameters.add(asOf);
    conditions.push(`f.valid_from <= ${at} AND (f.valid_to IS NULL OR f.valid_to > ${at})`);
    conditions.push(`(f.expires_at IS NULL OR f.expires_at > ${at})`);
  } else if (history !== true) {
    conditions.push(`f.valid_to IS NULL AND (f.expires_at IS NULL OR f.expires_at > ${parameters.add(now)})`);
  }
  if (ids !== undefined) conditions.push(`f.id = ANY (${parameters.add(ids.map(writeText))}::text[])`);
  if (keys !== undefined) conditions.push(`f.key = ANY (${parameters.add(keys.map(writeText))}::text[])`);
  if (type !== undefined) conditions.push(`f.type = ${parameters.add(type)}`);
  if (tags !== undefined) conditions.push(`f.tags && ${parameters.add(tags.map(writeText))}::text[]`);
  return conditions;
}
